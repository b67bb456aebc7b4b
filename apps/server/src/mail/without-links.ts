/** Joins without a blank, and no host name may hold it (RFC 5892): mail programs take nothing around it for an address. */
const JOINER = '\u2060';
const PDF = /\.pdf\P{L}*$/iu;
const ADDRESS = /:\/\/|@|\bwww\.|[\p{L}\p{N}]\.\p{L}{2}/u;

/**
 * A text that reads the same and in which no mail program finds an address to make clickable. Names of files are left alone:
 * nobody takes `contrato.pdf` for a site, unless one stands before the ending (`evil.com?contrato.pdf`).
 */
export function withoutLinks(text: string): string {
  return text
    .split(/(\s+)/u)
    .map((word) => (ADDRESS.test(word.replace(PDF, '')) ? word.replace(/[.:/@]+/gu, (signs) => [...signs].join(JOINER) + JOINER) : word))
    .join('');
}
