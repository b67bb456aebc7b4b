declare const cpfBrand: unique symbol;
/** Eleven digits whose two check digits are right. */
export type Cpf = string & { readonly [cpfBrand]: true };

function checkDigit(digits: string, firstWeight: number): number {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) sum += Number(digits[index]) * (firstWeight - index);
  const rest = sum % 11;
  return rest < 2 ? 0 : 11 - rest;
}

/** Strips everything but digits; null unless exactly eleven remain and both check digits agree. Eleven equal digits are refused. */
export function parseCpf(value: string): Cpf | null {
  const digits = value.replace(/\D/g, '');
  if (digits.length !== 11 || /^(\d)\1{10}$/.test(digits)) return null;
  const first = checkDigit(digits.slice(0, 9), 10);
  const second = checkDigit(digits.slice(0, 10), 11);
  return digits === `${digits.slice(0, 9)}${first}${second}` ? (digits as Cpf) : null;
}

/** `52998224725` → `529.982.247-25`; works on an unfinished input too (as-you-type mask). */
export function formatCpf(value: string): string {
  const digits = value.replace(/\D/g, '').slice(0, 11);
  const parts = [digits.slice(0, 3), digits.slice(3, 6), digits.slice(6, 9)].filter((part) => part !== '');
  const tail = digits.slice(9);
  return tail === '' ? parts.join('.') : `${parts.join('.')}-${tail}`;
}

/** `52998224725` → `***.982.247-**`: the form for public pages. */
export function maskCpf(value: string): string {
  const digits = value.replace(/\D/g, '');
  return digits.length === 11 ? `***.${digits.slice(3, 6)}.${digits.slice(6, 9)}-**` : '***';
}
