/** Name of an uploaded file as it may be stored and shown: no path, no control characters, NFC, ends in .pdf; null when nothing is left. */
export function cleanFileName(value: string): string | null {
  const base = value.normalize('NFC').split(/[\\/]/).pop() ?? '';
  const cleaned = base.replace(/[\p{Cc}\p{Cf}]/gu, '').trim();
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
