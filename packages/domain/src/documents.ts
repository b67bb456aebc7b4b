/** Name of an uploaded file as it may be stored and shown: no path, no control characters, NFC, ends in .pdf; null when nothing is left. */
export function cleanFileName(value: string): string | null {
  const base = value.normalize("NFC").split(/[\\/]/).pop() ?? "";
  // eslint-disable-next-line no-control-regex
  const cleaned = base
    .replace(/[\u0000-\u001f\u007f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/g, "")
    .trim();
  if (cleaned === "" || cleaned.toLowerCase() === ".pdf" || cleaned.length > 255) return null;
  return cleaned;
}

/** Names that occur twice in a list, compared without case, in order of appearance. */
export function duplicateFileNames(names: readonly string[]): string[] {
  const seen = new Set<string>();
  return names.filter((name) => {
    const key = name.normalize("NFC").toLowerCase();
    const known = seen.has(key);
    seen.add(key);
    return known;
  });
}

/** The signed file's name: `contrato.pdf` → `contrato-assinado.pdf`. */
export function signedFileName(name: string): string {
  return `${name.replace(/\.pdf$/i, "")}-assinado.pdf`;
}
