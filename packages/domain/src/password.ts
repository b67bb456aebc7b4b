import { limits } from './limits.ts';

/** At least 6 characters with an upper case letter, a lower case letter and a digit; at most 50 (section 5, Register). */
export function isAcceptablePassword(value: string): boolean {
  return (
    value.length >= limits.passwordMin &&
    value.length <= limits.passwordFieldMax &&
    /\p{Lu}/u.test(value) &&
    /\p{Ll}/u.test(value) &&
    /\d/.test(value)
  );
}

/** 0–5: score from length and character classes, one level per threshold passed (section 9). */
export function passwordStrength(value: string): number {
  if (value === '') return 0;
  const classes = [/\p{Ll}/u, /\p{Lu}/u, /\d/, /[^\p{L}\d]/u].filter((kind) => kind.test(value)).length;
  const lengthScore = Math.min(value.length * 2, 24);
  const short = value.length < limits.passwordMin;
  const score = short ? Math.min(lengthScore + classes * 2, 10) : lengthScore + classes * 6;
  return 1 + limits.passwordStrengthThresholds.filter((threshold) => score > threshold).length;
}
