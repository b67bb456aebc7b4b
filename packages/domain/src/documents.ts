import { DomainError } from './errors.ts';
import { cleanLine } from './one-line.ts';

/**
 * Name of an uploaded file as it may be stored and shown: a text of one line without a path; null when nothing is left.
 * @throws DomainError text.invisible
 */
export function cleanFileName(value: string): string | null {
  const cleaned = cleanLine(value.split(/[\\/]/).pop() ?? '', 'files');
  if (cleaned === '' || cleaned.toLowerCase() === '.pdf' || cleaned.length > 255) return null;
  return cleaned;
}

/** A file's name fit to be kept. @throws DomainError document.nameInvalid, text.invisible */
export function checkedFileName(given: string): string {
  const name = cleanFileName(given);
  if (name === null) throw new DomainError('document.nameInvalid', { params: { name: given.slice(0, 80) }, field: 'name' });
  return name;
}

/** Names that occur twice in a list, compared as their signed files' names are, without case, in order of appearance: in a ZIP one would hide the other. */
export function duplicateFileNames(names: readonly string[]): string[] {
  const seen = new Set<string>();
  return names.filter((name) => {
    const key = signedFileName(name.normalize('NFC')).toLowerCase();
    const known = seen.has(key);
    seen.add(key);
    return known;
  });
}

/** The signed file's name: `contrato.pdf` → `contrato-assinado.pdf`. */
export function signedFileName(name: string): string {
  return `${name.replace(/\.pdf$/i, '')}-assinado.pdf`;
}

/** The separate signature page's: `contrato.pdf` → `contrato-pagina-de-assinaturas.pdf`. */
export function signaturePageFileName(name: string): string {
  return `${name.replace(/\.pdf$/i, '')}-pagina-de-assinaturas.pdf`;
}

/** The printable copy's: `contrato.pdf` → `contrato-para-imprimir.pdf`. */
export function printableFileName(name: string): string {
  return `${name.replace(/\.pdf$/i, '')}-para-imprimir.pdf`;
}

/** The name of a document as somebody signed it: `contrato.pdf` → `contrato-como-ana-souza-assinou.pdf`. */
export function coveredFileName(name: string, signer: string): string {
  return `${name.replace(/\.pdf$/i, '')}-como-${inFileName(signer) || 'alguem'}-assinou.pdf`;
}

/** The evidence report's: `Locação — Edifício Aurora` → `evidencias-locação-edifício-aurora.pdf`. */
export function evidenceFileName(title: string): string {
  return ['evidencias', inFileName(title)].filter((part) => part !== '').join('-') + '.pdf';
}

/** Somebody's words as a part of a file's name. */
function inFileName(words: string): string {
  return words
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, 60)
    .replace(/^-|-$/g, '');
}

/** What preparing a file for signing does to it, or leaves undone, that whoever uploads it should know. A code with what its sentence names. */
export interface DocumentNotice {
  code: 'fieldsClosed' | 'pageApart' | 'invisibleOnly' | 'xfaDropped' | 'conformanceUnsure';
  params: Record<string, string | number>;
}

/** What an inspection found that is worth a word to the uploader. */
export interface InspectedDocument {
  openFields: number;
  /** Signatures that are there allow fields to be closed, and pages to be added. */
  mayClose: boolean;
  /** The form is described in XFA beside its fields. */
  besideXfa: boolean;
  mayAppend: boolean;
  /** A signature may have a box on a page. */
  mayShow: boolean;
  /** What the file says that it conforms to, and whether signing keeps that. */
  conformance: { pdfA: { part: number; level: string | null } | null; pdfUa: number | null };
  keepsConformance: boolean;
}

/** In the order in which they are told. */
export function documentNotices(found: InspectedDocument): DocumentNotice[] {
  const { openFields, mayClose, mayAppend, mayShow, besideXfa, conformance, keepsConformance } = found;
  return [
    ...(openFields > 0 && mayClose ? [{ code: 'fieldsClosed' as const, params: { count: openFields } }] : []),
    ...(besideXfa && mayClose ? [{ code: 'xfaDropped' as const, params: {} }] : []),
    ...(mayAppend ? [] : [{ code: 'pageApart' as const, params: {} }]),
    ...(mayShow ? [] : [{ code: 'invisibleOnly' as const, params: {} }]),
    ...(keepsConformance ? [] : [{ code: 'conformanceUnsure' as const, params: { standard: standardsOf(conformance) } }]),
  ];
}

/** By the names that people use: "PDF/A-2b, PDF/UA-1". */
export function standardsOf({ pdfA, pdfUa }: InspectedDocument['conformance']): string {
  const archival = pdfA === null ? [] : [`PDF/A-${pdfA.part}${(pdfA.level ?? '').toLowerCase()}`];
  return [...archival, ...(pdfUa === null ? [] : [`PDF/UA-${pdfUa}`])].join(', ');
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text can be a document's identifier, as it is printed under its QR code. */
export function isDocumentIdentifier(text: string): boolean {
  return UUID.test(text.trim());
}
