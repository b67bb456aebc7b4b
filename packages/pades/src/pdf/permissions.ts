import { PdfName, PdfString, decodeText, isDict, isName } from './objects.ts';
import type { PdfDict, PdfObject } from './objects.ts';
import { listFields } from './form.ts';
import type { FieldInfo } from './form.ts';
import { keptReading } from './kept-reading.ts';
import { catalogOf } from './pages.ts';
import type { Pdf } from './pdf.ts';

/** DocMDP permission: 1 nothing, 2 form filling and signing, 3 also annotations (ISO 32000-2 §12.8.2.2). */
export type CertificationLevel = 1 | 2 | 3;

/** A FieldMDP or a Lock: which fields may not change any more. */
export interface FieldLock {
  readonly action: 'All' | 'Include' | 'Exclude';
  readonly fields: readonly string[];
  /** P of a PDF 2.0 lock: the whole document's permission from that signature on. */
  readonly level: CertificationLevel | null;
}

/** A signature field as it stands in the file, filled or empty (ISO 32000-2 §12.7.5.5). */
export interface SignatureFieldInfo {
  /** Fully qualified field name. */
  readonly name: string;
  readonly signed: boolean;
  readonly kind: 'signature' | 'timestamp' | null;
  readonly subFilter: string | null;
  /** Lock the field's signer will put into force (the field's own Lock entry). */
  readonly lock: FieldLock | null;
}

export interface DocumentPermissions {
  readonly signatures: readonly SignatureFieldInfo[];
  readonly certification: CertificationLevel | null;
  /** Locks put into force by signatures that are there. */
  readonly locks: readonly FieldLock[];
}

/** Signature fields, and what their signatures still allow; read once. The strictest statement wins. */
export const readPermissions: (pdf: Pdf) => Promise<DocumentPermissions> = keptReading(permissionsIn);

async function permissionsIn(pdf: Pdf): Promise<DocumentPermissions> {
  const signatures: SignatureFieldInfo[] = [];
  const locks: FieldLock[] = [];
  const levels: CertificationLevel[] = [];
  const catalog = await catalogOf(pdf);
  const perms = await pdf.resolveDict(catalog.dict.get('Perms'));
  const certifying = await pdf.resolveDict(perms?.get('DocMDP'));
  if (certifying !== null) levels.push((await docMdpOf(pdf, certifying)) ?? 2);
  for (const field of await listFields(pdf)) {
    if (field.type !== 'Sig') continue;
    const value = await pdf.resolveDict(field.value);
    signatures.push(await describeSignature(pdf, field, value));
    if (value === null || !(await isSigned(pdf, value))) continue;
    const own = await docMdpOf(pdf, value);
    if (own !== null) levels.push(own);
    locks.push(...(await fieldLocksOf(pdf, value)));
  }
  for (const lock of locks) if (lock.level !== null) levels.push(lock.level);
  const certification = levels.length === 0 ? null : (Math.min(...levels) as CertificationLevel);
  return { signatures, certification, locks };
}

async function describeSignature(pdf: Pdf, field: FieldInfo, value: PdfDict | null): Promise<SignatureFieldInfo> {
  const subFilter = await pdf.resolve(value?.get('SubFilter'));
  const signed = value !== null && (await isSigned(pdf, value));
  const timestamp = subFilter instanceof PdfName && subFilter.value === 'ETSI.RFC3161';
  return {
    name: field.name,
    signed,
    kind: signed ? (timestamp ? 'timestamp' : 'signature') : null,
    subFilter: subFilter instanceof PdfName ? subFilter.value : null,
    lock: await lockOf(pdf, await pdf.resolveDict(field.dict.get('Lock'))),
  };
}

/** A signature dictionary whose Contents is not just a placeholder of zeros. */
async function isSigned(pdf: Pdf, value: PdfDict): Promise<boolean> {
  const contents = await pdf.resolve(value.get('Contents'));
  return contents instanceof PdfString && contents.bytes.some((byte) => byte !== 0);
}

async function references(pdf: Pdf, signature: PdfDict): Promise<PdfDict[]> {
  const result: PdfDict[] = [];
  for (const item of ((await pdf.resolveArray(signature.get('Reference'))) ?? []).slice(0, 64)) {
    const dict = await pdf.resolve(item);
    if (isDict(dict)) result.push(dict);
  }
  return result;
}

export async function docMdpOf(pdf: Pdf, signature: PdfDict): Promise<CertificationLevel | null> {
  for (const reference of await references(pdf, signature)) {
    if (!isName(await pdf.resolve(reference.get('TransformMethod')), 'DocMDP')) continue;
    const parameters = await pdf.resolveDict(reference.get('TransformParams'));
    return levelOf(await pdf.resolve(parameters?.get('P'))) ?? 2;
  }
  return null;
}

export async function fieldLocksOf(pdf: Pdf, signature: PdfDict): Promise<FieldLock[]> {
  const result: FieldLock[] = [];
  for (const reference of await references(pdf, signature)) {
    if (!isName(await pdf.resolve(reference.get('TransformMethod')), 'FieldMDP')) continue;
    const lock = await lockOf(pdf, await pdf.resolveDict(reference.get('TransformParams')));
    if (lock !== null) result.push(lock);
  }
  return result;
}

/** Reads Action, Fields and P, of a Lock or of FieldMDP parameters. */
export async function lockOf(pdf: Pdf, dict: PdfDict | null): Promise<FieldLock | null> {
  if (dict === null) return null;
  const action = await pdf.resolve(dict.get('Action'));
  const word = action instanceof PdfName ? action.value : 'All';
  const fields: string[] = [];
  for (const item of ((await pdf.resolveArray(dict.get('Fields'))) ?? []).slice(0, 10_000)) {
    const field = await pdf.resolve(item);
    if (field instanceof PdfString) fields.push(decodeText(field));
  }
  return {
    action: word === 'Include' || word === 'Exclude' ? word : 'All',
    fields,
    level: levelOf(await pdf.resolve(dict.get('P'))),
  };
}

function levelOf(value: PdfObject): CertificationLevel | null {
  return value === 1 || value === 2 || value === 3 ? value : null;
}

/** True when a lock in force covers the field (a named parent covers its kids). */
export function isLocked(locks: readonly FieldLock[], fieldName: string): boolean {
  return locks.some((lock) => {
    if (lock.action === 'All') return true;
    const named = lock.fields.some((field) => fieldName === field || fieldName.startsWith(`${field}.`));
    return lock.action === 'Include' ? named : !named;
  });
}
