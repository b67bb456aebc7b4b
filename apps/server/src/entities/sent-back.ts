/**
 * Whether what a client sent along is what is kept: left out, or the same. Of another record the id counts, and an instant however it
 * is written.
 */
export function isSentBack(sent: unknown, kept: unknown): boolean {
  if (sent === undefined || sent === kept) return true;
  if (sent === null || kept === null || kept === undefined) return (sent ?? null) === (kept ?? null);
  if (typeof sent === 'string' && typeof kept === 'string') return isSameInstant(sent, kept);
  if (typeof sent !== 'object' || typeof kept !== 'object') return false;
  if (Array.isArray(sent) || Array.isArray(kept))
    return Array.isArray(sent) && Array.isArray(kept) && sent.length === kept.length && sent.every((one, at) => isSentBack(one, kept[at]));
  const [given, own] = [sent as Record<string, unknown>, kept as Record<string, unknown>];
  return 'id' in own ? given['id'] === own['id'] : Object.keys(own).every((key) => isSentBack(given[key], own[key]));
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T/;

function isSameInstant(sent: string, kept: string): boolean {
  return INSTANT.test(sent) && INSTANT.test(kept) && Date.parse(sent) === Date.parse(kept);
}
