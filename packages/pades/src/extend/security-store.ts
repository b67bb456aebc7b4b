import { child, encoded, readDer } from '../asn1/der.ts';
import { digestOf, platformCrypto } from '../crypto.ts';
import type { Crypto } from '../crypto.ts';
import { PadesError } from '../errors.ts';
import { FormEditor } from '../pdf/form-editor.ts';
import { listFields } from '../pdf/form.ts';
import { PdfName, PdfRef, PdfStream, PdfString, dict, latin1Text } from '../pdf/objects.ts';
import type { PdfDict, PdfObject } from '../pdf/objects.ts';
import { catalogOf } from '../pdf/pages.ts';
import type { Pdf } from '../pdf/pdf.ts';
import { RevisionWriter } from '../pdf/revision-writer.ts';
import { hexText } from '../pdf/hex.ts';
import { readPolicyHash } from '../policies/policy-hash.ts';
import { pdfDate } from '../sign/signature-dictionary.ts';
import type { Revision } from '../source.ts';
import { certificatesIn } from './certificates-in.ts';
import type { PolicyArtifacts, RevocationSource, ValidationMaterial } from '../material.ts';

/** Array names in the DSS and, in the same order, in a VRI entry (EN 319 142-1 §5.4.2). */
const kinds = [
  { material: 'certificates', store: 'Certs', related: 'Cert' },
  { material: 'crls', store: 'CRLs', related: 'CRL' },
  { material: 'ocsps', store: 'OCSPs', related: 'OCSP' },
] as const;

/** ICP-Brasil's own entries (DOC-ICP-15.03, tables A.19 and A.20): plural in the DSS, singular in a VRI entry, arrays in both. */
const artifactKinds = [
  { material: 'policy', store: 'PBAD_PolicyArtifacts', related: 'PBAD_PolicyArtifact' },
  { material: 'approvedPolicies', store: 'PBAD_LpaArtifacts', related: 'PBAD_LpaArtifact' },
  { material: 'approvedPoliciesSignature', store: 'PBAD_LpaSignatures', related: 'PBAD_LpaSignature' },
] as const;

/** What a signature that refers to the policy has inside: its identifier and hash, encoded as the attribute encodes them. */
async function policyOf({ policy }: PolicyArtifacts): Promise<{ id: string; hash: string }> {
  const { hash } = await readPolicyHash(policy);
  const id = child(child(readDer(policy), 1, 0x30), 0, 0x06);
  return { id: hexText(encoded(id)), hash: hexText(hash) };
}

function refersTo(contents: Uint8Array, { id, hash }: { id: string; hash: string }): boolean {
  const text = hexText(contents);
  return text.includes(id) && text.includes(`0420${hash}`);
}

/** Appends a DSS with everything needed to validate every signature and timestamp of the document, merged into what is there. */
export async function appendSecurityStore(
  pdf: Pdf,
  revocations: RevocationSource,
  crypto: Crypto,
  options: { readonly at?: Date; readonly policyArtifacts?: PolicyArtifacts },
): Promise<Revision> {
  const wanted = options.policyArtifacts && (await policyOf(options.policyArtifacts));
  const signatures = await signatureContents(pdf);
  if (signatures.length === 0) throw new PadesError('INVALID_PLAN', 'no signature to extend');
  const writer = new RevisionWriter(pdf);
  const store = await StoreEditor.open(pdf, writer);
  let referring = 0;
  for (const contents of signatures) {
    const refers = wanted !== undefined && refersTo(contents, wanted);
    referring += refers ? 1 : 0;
    if (await store.holds(contents)) {
      if (refers && !(await store.holdsArtifacts(contents))) throw new PadesError('INVALID_PLAN', 'stored already without the artifacts');
      continue;
    }
    const embedded = certificatesIn(contents);
    const found = await revocations.material(embedded);
    const material = { ...found, certificates: [...embedded, ...found.certificates] };
    await store.add(contents, material, options.at, refers ? options.policyArtifacts : undefined);
  }
  if (wanted !== undefined && referring === 0) throw new PadesError('INVALID_PLAN', 'no signature refers to this policy');
  await store.finish();
  return (await writer.finish((length) => crypto.random(length))).revision;
}

/**
 * Asks for all that `appendSecurityStore` will ask for, and writes nothing: whoever is about to pay for a timestamp knows then that the rest can be had.
 * Answers a source that has what was had, and asks for nothing else than what came meanwhile. What `revocations` throws goes through.
 */
export async function askForMaterial(pdf: Pdf, revocations: RevocationSource): Promise<RevocationSource> {
  const store = await pdf.resolveDict((await catalogOf(pdf)).dict.get('DSS'));
  const related = await pdf.resolveDict(store?.get('VRI'));
  const had = new Map<string, ValidationMaterial>();
  for (const contents of await signatureContents(pdf)) {
    if (related?.has(await relatedKey(contents))) continue;
    const certificates = certificatesIn(contents);
    had.set(nameOf(certificates), await revocations.material(certificates));
  }
  return { material: async (certificates) => had.get(nameOf(certificates)) ?? revocations.material(certificates) };
}

/** DER tells its own length: no two lists are spelled alike. */
function nameOf(certificates: readonly Uint8Array[]): string {
  return certificates.map(latin1Text).join('');
}

/** Contents of every signature and document timestamp, padding included, each dictionary once. */
async function signatureContents(pdf: Pdf): Promise<Uint8Array[]> {
  const seen = new Set<number>();
  const result: Uint8Array[] = [];
  for (const field of await listFields(pdf)) {
    if (field.type !== 'Sig') continue;
    if (field.value instanceof PdfRef) {
      if (seen.has(field.value.num)) continue;
      seen.add(field.value.num);
    }
    const value = await pdf.resolveDict(field.value);
    const contents = await pdf.resolve(value?.get('Contents'));
    if (contents instanceof PdfString && contents.bytes.some((byte) => byte !== 0)) {
      result.push(contents.bytes);
    }
  }
  return result;
}

class StoreEditor {
  private readonly pdf: Pdf;
  private readonly writer: RevisionWriter;
  private readonly ref: PdfRef | null;
  private readonly current: PdfDict;
  private readonly arrays: Record<string, PdfRef[]> = {};
  /** Content (as Latin-1) → its stream, so that nothing is stored twice. */
  private readonly known = new Map<string, PdfRef>();
  private readonly related: PdfDict;

  private constructor(pdf: Pdf, writer: RevisionWriter, ref: PdfRef | null, current: PdfDict, related: PdfDict) {
    this.pdf = pdf;
    this.writer = writer;
    this.ref = ref;
    this.current = current;
    this.related = related;
  }

  static async open(pdf: Pdf, writer: RevisionWriter): Promise<StoreEditor> {
    const raw = (await catalogOf(pdf)).dict.get('DSS');
    const current = (await pdf.resolveDict(raw)) ?? new Map<string, PdfObject>();
    const related = new Map((await pdf.resolveDict(current.get('VRI'))) ?? []);
    const ref = raw instanceof PdfRef ? await pdf.refTo(raw.num) : null;
    const editor = new StoreEditor(pdf, writer, ref, current, related);
    for (const { store } of [...kinds, ...artifactKinds]) await editor.loadArray(store);
    return editor;
  }

  private async loadArray(key: string): Promise<void> {
    const refs: PdfRef[] = [];
    const seen = new Set<number>();
    for (const item of (await this.pdf.resolveArray(this.current.get(key))) ?? []) {
      if (!(item instanceof PdfRef) || seen.has(item.num)) continue;
      seen.add(item.num);
      const stream = await this.pdf.resolve(item);
      if (!(stream instanceof PdfStream)) continue;
      refs.push(item);
      const data = await this.pdf.streamData(stream);
      if (data !== null) this.known.set(latin1Text(data), item);
    }
    this.arrays[key] = refs;
  }

  /**
   * True when the store has material for this signature already. It stays as it is: validators treat a change of a VRI
   * entry as suspicious, and a newer CRL would outdate the one that shows the certificate unrevoked while it was valid.
   */
  async holds(contents: Uint8Array): Promise<boolean> {
    return this.related.has(await relatedKey(contents));
  }

  async holdsArtifacts(contents: Uint8Array): Promise<boolean> {
    const entry = await this.pdf.resolveDict(this.related.get(await relatedKey(contents)));
    return artifactKinds.every(({ related }) => entry?.has(related));
  }

  async add(
    contents: Uint8Array,
    material: ValidationMaterial,
    at: Date | undefined,
    artifacts: PolicyArtifacts | undefined,
  ): Promise<void> {
    const entry: PdfDict = dict({ Type: new PdfName('VRI') });
    for (const kind of kinds) {
      const refs = new Set(material[kind.material].map((item) => this.store(kind.store, item)));
      if (refs.size > 0) entry.set(kind.related, [...refs]);
    }
    if (artifacts) for (const kind of artifactKinds) entry.set(kind.related, [this.store(kind.store, artifacts[kind.material])]);
    if (at !== undefined) entry.set('TU', pdfDate(at));
    this.related.set(await relatedKey(contents), this.writer.add(entry));
  }

  private store(key: string, content: Uint8Array): PdfRef {
    const id = latin1Text(content);
    const known = this.known.get(id);
    const ref = known ?? this.writer.add(new PdfStream(new Map(), content));
    this.known.set(id, ref);
    const array = (this.arrays[key] ??= []);
    if (!array.includes(ref)) array.push(ref);
    return ref;
  }

  async finish(): Promise<void> {
    const store: PdfDict = new Map([...dict({ Type: new PdfName('DSS') }), ...this.current]);
    for (const { store: key } of [...kinds, ...artifactKinds]) {
      const refs = this.arrays[key] ?? [];
      if (refs.length > 0) store.set(key, refs);
    }
    const raw = this.current.get('VRI');
    if (raw instanceof PdfRef) this.writer.set(await this.pdf.refTo(raw.num), this.related);
    else store.set('VRI', this.related);
    const form = await FormEditor.open(this.pdf, this.writer);
    if (this.ref !== null) {
      this.writer.set(this.ref, store);
      await form.finish();
      return;
    }
    await form.finish({ catalogChanges: dict({ DSS: this.writer.add(store) }) });
  }
}

/** Upper-case SHA-1 of Contents as stored, padding included (EN 319 142-1 §5.4.2.3). */
async function relatedKey(contents: Uint8Array): Promise<string> {
  return hexText(await digestOf(platformCrypto, 'sha1', contents)).toUpperCase();
}
