import { checkedSignerName, limits, parseCpf, parseEmail, refusalOf } from '@lavra/domain';
import type { SignerPerson } from './process-draft.ts';

/** A line of a pasted list: somebody, or why not, as the key of its sentence with what fills it. */
export type PastedLine = { number: number; text: string } & (
  | { person: SignerPerson }
  | { fault: { key: string; params?: Readonly<Record<string, string | number>> } }
);

/**
 * People out of a pasted list, judged line by line: name; e-mail; CPF, as a spreadsheet or a mail gives them (semicolons, tabs or commas,
 * and `Name <address>`). Empty lines are none. `known`: addresses that are in the list already.
 */
export function pastedPeople(text: string, known: readonly string[]): PastedLine[] {
  const taken = new Set(known);
  return text.split(/\r?\n/u).flatMap((line, index): PastedLine[] => {
    const trimmed = line.trim();
    if (trimmed === '') return [];
    const judged = judge(trimmed, taken);
    if ('person' in judged) taken.add(judged.person.email);
    return [{ number: index + 1, text: trimmed, ...judged }];
  });
}

type Judged = { person: SignerPerson } | { fault: { key: string; params?: Readonly<Record<string, string | number>> } };

function judge(line: string, taken: ReadonlySet<string>): Judged {
  const { name, address, digits } = partsOf(line);
  // The rule has one word for whatever a name may not be; its length is told apart, as the name's own field does.
  if (name.length > limits.nameMax) return { fault: { key: 'signer.nameTooLong', params: { max: limits.nameMax } } };
  const nameFault = refusalOf(() => checkedSignerName(name));
  if (nameFault) return { fault: { key: nameFault.code, params: nameFault.params } };
  const email = parseEmail(address, limits.signerEmailMax);
  if (email === null) return { fault: { key: 'signer.emailInvalid' } };
  const cpf = digits === '' ? null : parseCpf(digits);
  if (digits !== '' && cpf === null) return { fault: { key: 'evidence.cpfInvalid' } };
  if (taken.has(email)) return { fault: { key: 'prepare.paste.repeated', params: { email } } };
  return { person: { name: checkedSignerName(name), email, phoneNumber: null, cpf, cnpj: null } };
}

/** In whatever order they stand: an address has an @, a CPF has digits, the rest is the name. */
function partsOf(line: string): { name: string; address: string; digits: string } {
  const separator = line.includes('\t') ? '\t' : line.includes(';') ? ';' : ',';
  const parts = line
    .replace(/^(.*?)\s*<([^<>]+@[^<>]+)>/u, `$1${separator}$2`)
    .split(separator)
    .map((part) => part.trim().replace(/^"(.*)"$/u, '$1'))
    .filter((part) => part !== '');
  const address = parts.find((part) => part.includes('@')) ?? '';
  const digits = parts.find((part) => part !== address && /\d/u.test(part)) ?? '';
  return { name: parts.filter((part) => part !== address && part !== digits).join(' '), address, digits };
}
