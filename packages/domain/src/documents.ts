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

/** Names that occur twice in a list, compared without case, in order of appearance. */
export function duplicateFileNames(names: readonly string[]): string[] {
  const seen = new Set<string>();
  return names.filter((name) => {
    const key = name.normalize('NFC').toLowerCase();
    const known = seen.has(key);
    seen.add(key);
    return known;
  });
}

/** The signed file's name: `contrato.pdf` → `contrato-assinado.pdf`. */
export function signedFileName(name: string): string {
  return `${name.replace(/\.pdf$/i, '')}-assinado.pdf`;
}
