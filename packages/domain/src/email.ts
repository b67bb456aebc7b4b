import { limits } from './limits.ts';

const SHAPE = /^[^\s@<>()[\],;:"\\]+@[^\s@<>()[\],;:"\\.]+(\.[^\s@<>()[\],;:"\\.]+)+$/u;

/** An address in the shape the forms accept (x@y.z), 5 to `max` characters. Not a proof that it exists. */
export function isEmail(value: string, max: number = limits.emailMax): boolean {
  return value.length >= limits.emailMin && value.length <= max && SHAPE.test(value);
}

/** Addresses are compared and stored in lower case, without surrounding blanks. */
export function normalizeEmail(value: string): string {
  return value.trim().toLowerCase();
}

/** `ana@exemplo.com.br` → `a**@exemplo.com.br`: for pages that anyone may open. */
export function maskEmail(value: string): string {
  const at = value.lastIndexOf('@');
  if (at < 1) return '***';
  return `${value[0]}${'*'.repeat(Math.max(2, Math.min(at - 1, 6)))}${value.slice(at)}`;
}
