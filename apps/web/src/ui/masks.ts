/** Digits with separators put where the pattern (`99/99/9999`) has them; works for typing and for paste. */
export function maskDigits(value: string, pattern: string): string {
  const digits = [...value.replace(/\D/g, '')];
  let text = '';
  for (const sign of pattern) {
    if (digits.length === 0) break;
    text += sign === '9' ? digits.shift() : sign;
  }
  return text;
}
