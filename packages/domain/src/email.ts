import { limits } from './limits.ts';

const SHAPE = /^[^\s@<>()[\],;:"\\]+@[^\s@<>()[\],;:"\\.]+(\.[^\s@<>()[\],;:"\\.]+)+$/u;

/**
 * What nobody can see, or what no character is assigned to: it makes a second address that looks like the first. A dot above
 * falls onto the one that i and j have; `İ` in lower case is such a pair.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]|[ij]\u0307/u;

/** Writing systems that one word mixes by right: Japanese writes in three, Korean and Chinese share signs. */
const SCRIPTS: readonly RegExp[] = [
  /\p{Script=Latin}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Georgian}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Devanagari}/u,
  /\p{Script=Thai}/u,
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}]/u,
];

/**
 * Letters of other scripts that nobody tells from Latin ones; a word of them alone is a Latin word in disguise. Lisu, Cherokee
 * and Coptic borrowed their shapes.
 */
const DISGUISED = /^[\p{Script=Lisu}\p{Script=Cherokee}\p{Script=Coptic}асеорхуіјѕһԁԛԝӏѵүαονρυικγχեոսօցհզ\P{L}]*$/u;

/**
 * An e-mail address in the one form that is compared and stored: without blanks around it, in lower case, composed (NFC),
 * its host in ASCII (IDN as `xn--…`). Null where it is none, and where it could be taken for another one: with invisible
 * characters, compatibility forms (full-width letters, ligatures), two scripts in one part, or letters that look Latin.
 */
export function parseEmail(given: string, max: number = limits.emailMax): string | null {
  const address = given.trim().normalize('NFC').toLowerCase().normalize('NFC');
  if (!SHAPE.test(address) || INVISIBLE.test(address) || address.normalize('NFKC') !== address) return null;
  const at = address.lastIndexOf('@');
  const local = address.slice(0, at);
  const writtenHost = address.slice(at + 1);
  if (isDeceptive(local) || writtenHost.split('.').some(isDeceptive)) return null;
  const host = asciiHost(writtenHost);
  if (host === null) return null;
  const canonical = `${local}@${host}`;
  return canonical.length >= limits.emailMin && canonical.length <= max ? canonical : null;
}

/** An address in the shape the forms accept (x@y.z), 5 to `max` characters, that looks like no other. Not a proof that it exists. */
export function isEmail(value: string, max: number = limits.emailMax): boolean {
  return parseEmail(value, max) !== null;
}

/** The form of `parseEmail`; what is no address comes back trimmed and in lower case, to be refused or to be found nowhere. */
export function normalizeEmail(value: string): string {
  return parseEmail(value, Number.POSITIVE_INFINITY) ?? value.trim().toLowerCase();
}

function isDeceptive(part: string): boolean {
  const scripts = new Set<number>();
  for (const letter of part.match(/\p{L}/gu) ?? []) scripts.add(SCRIPTS.findIndex((script) => script.test(letter)));
  return scripts.size > 1 || (scripts.size === 1 && !scripts.has(0) && DISGUISED.test(part));
}

/** As a browser would write it (WHATWG URL, UTS #46); null for what is no name: addresses in digits, what URLs split or unescape. */
function asciiHost(host: string): string | null {
  if (/[/?#%:@!$&'*+=_`{|}~^]/.test(host)) return null;
  try {
    const { hostname } = new URL(`http://${host}`);
    return /^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*$/.test(hostname) ? hostname : null;
  } catch {
    return null;
  }
}

/** `ana@exemplo.com.br` → `a**@exemplo.com.br`: for pages that anyone may open. */
export function maskEmail(value: string): string {
  const at = value.lastIndexOf('@');
  if (at < 1) return '***';
  return `${value[0]}${'*'.repeat(Math.max(2, Math.min(at - 1, 6)))}${value.slice(at)}`;
}
