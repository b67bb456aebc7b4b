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

/**
 * DD/MM/YYYY out of what is typed or pasted, as people write dates: `5/1/2027`, `05.01.2027`, `2027-01-05`, and `05/01/27 18:30` as our own
 * pages show it. What is only begun stays as far as it is.
 */
export function maskDate(value: string): string {
  const text = value.trimStart();
  const [, year, month, day] = /^(\d{4})-(\d{1,2})-(\d{1,2})/.exec(text) ?? [];
  if (year && month && day) return `${day.padStart(2, '0')}/${month.padStart(2, '0')}/${year}`;
  const paired = text
    .replace(/^(\d)\D/, '0$1/')
    .replace(/^(\d\d)\D(\d)\D/, '$1/0$2/')
    .replace(/^(\d\d\D\d\d\D)(\d\d)\s/, '$120$2 ');
  return maskDigits(paired, '99/99/9999');
}

/** The same once the field is left: a year in two figures, as our pages show it, is of this century. */
export function wholeDate(date: string): string {
  return date.replace(/^(\d\d\/\d\d\/)(\d\d)$/, '$120$2');
}
