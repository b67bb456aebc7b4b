declare const cnpjBrand: unique symbol;
/** Twelve digits or capital letters and the two check digits that fit them (Instrução Normativa RFB 2.229/2024). */
export type Cnpj = string & { readonly [cnpjBrand]: true };

const SHAPE = /^[0-9A-Z]{12}\d{2}$/;

/** Weights run from 2 to 9 and begin again, from the right; a letter counts as its place in ASCII above the digit 0. */
function checkDigit(characters: string): number {
  let sum = 0;
  for (let index = 0; index < characters.length; index += 1)
    sum += (characters.charCodeAt(index) - 48) * (2 + ((characters.length - 1 - index) % 8));
  const rest = sum % 11;
  return rest < 2 ? 0 : 11 - rest;
}

/** What of a typed CNPJ counts: digits and letters, in capitals. */
const bare = (value: string): string => value.replace(/[\s./-]/g, '').toUpperCase();

/** Takes mask and small letters away; null unless both check digits agree. Fourteen equal digits are refused. */
export function parseCnpj(value: string): Cnpj | null {
  const given = bare(value);
  if (!SHAPE.test(given) || /^(\d)\1{13}$/.test(given)) return null;
  const first = checkDigit(given.slice(0, 12));
  const second = checkDigit(given.slice(0, 12) + String(first));
  return given.endsWith(`${first}${second}`) ? (given as Cnpj) : null;
}

/** `12ABC34501DE35` → `12.ABC.345/01DE-35`; works on an unfinished input too (as-you-type mask). */
export function formatCnpj(value: string): string {
  const given = value
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .slice(0, 14);
  const [a, b, c, d, e] = [given.slice(0, 2), given.slice(2, 5), given.slice(5, 8), given.slice(8, 12), given.slice(12)];
  return `${a}${b && `.${b}`}${c && `.${c}`}${d && `/${d}`}${e && `-${e}`}`;
}
