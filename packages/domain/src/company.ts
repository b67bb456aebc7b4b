import { type Cnpj, parseCnpj } from './cnpj.ts';
import { parseEmail } from './email.ts';
import { DomainError, type DomainErrorCode } from './errors.ts';
import { limits } from './limits.ts';
import { cleanLine } from './one-line.ts';

/** What somebody is in their company. */
export type CompanyRole = 'admin' | 'member';

/** A company as it is kept. Null: not said; of `maxDocSize` and `maxTime`: the installation's own bound, and no end. */
export interface CompanyValues {
  name: string;
  cnpj: Cnpj | null;
  /** `#rrggbb`: the head of mails. */
  brandColor: string | null;
  /** `#rrggbb`: the buttons of mails. */
  accentColor: string | null;
  /** Megabytes of one file. */
  maxDocSize: number | null;
  /** Days that a finished process keeps its files. */
  maxTime: number | null;
}

/** As entered; what is left out stays as it is. */
export type EnteredCompany = { name: string } & {
  readonly [Field in Exclude<keyof CompanyValues, 'name'>]?: string | number | null | undefined;
};

/**
 * A company fit to be kept; fields that were left out are left out.
 * @throws DomainError text.invisible; record.nameRequired, nameTooLong; company.cnpjInvalid, colorInvalid, retentionInvalid
 */
export function checkedCompany(entered: EnteredCompany): Partial<CompanyValues> & { name: string } {
  const name = cleanLine(entered.name, 'name');
  if (name === '') throw new DomainError('record.nameRequired', { field: 'name' });
  if (name.length > limits.companyNameMax)
    throw new DomainError('record.nameTooLong', { field: 'name', params: { max: limits.companyNameMax } });
  return {
    name,
    ...given('cnpj', entered.cnpj, cnpjOf),
    ...given('brandColor', entered.brandColor, (value) => colorOf('brandColor', value)),
    ...given('accentColor', entered.accentColor, (value) => colorOf('accentColor', value)),
    ...given('maxDocSize', entered.maxDocSize, (value) => boundOf('maxDocSize', value)),
    ...given('maxTime', entered.maxTime, (value) => boundOf('maxTime', value)),
  };
}

type Field = Exclude<keyof CompanyValues, 'name'>;

function given<F extends Field, T>(
  field: F,
  value: string | number | null | undefined,
  read: (text: string) => T,
): { [K in F]?: T | null } {
  if (value === undefined) return {};
  const text = String(value ?? '').trim();
  return { [field]: text === '' ? null : read(text) } as { [K in F]?: T | null };
}

function cnpjOf(text: string): Cnpj {
  const cnpj = parseCnpj(text);
  if (cnpj === null) throw new DomainError('company.cnpjInvalid', { field: 'cnpj' });
  return cnpj;
}

function colorOf(field: Field, text: string): string {
  if (!/^#[0-9a-f]{6}$/i.test(text)) throw new DomainError('company.colorInvalid', { field });
  return text.toLowerCase();
}

function boundOf(field: 'maxDocSize' | 'maxTime', text: string): number {
  const max = field === 'maxDocSize' ? limits.companyDocSizeMaxMb : limits.companyRetentionMaxDays;
  const value = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  // Section 5: they count only when they are positive.
  if (value < 1 || value > max) throw new DomainError('company.retentionInvalid', { field, params: { max } });
  return value;
}

/** Mailboxes that anybody gets for nothing: whoever has one there has not shown to belong to a company. */
const FREE_MAIL = new Set(
  `gmail.com googlemail.com hotmail.com hotmail.com.br outlook.com outlook.com.br live.com live.com.br msn.com passport.com
  yahoo.com yahoo.com.br ymail.com rocketmail.com icloud.com me.com mac.com aol.com uol.com.br bol.com.br terra.com.br ig.com.br
  globo.com globomail.com r7.com zipmail.com.br oi.com.br pop.com.br folha.com.br superig.com.br ibest.com.br click21.com.br
  proton.me protonmail.com pm.me gmx.com gmx.net gmx.de mail.com email.com zoho.com yandex.com yandex.ru mail.ru inbox.com
  fastmail.com tutanota.com tuta.io hey.com yopmail.com mailinator.com guerrillamail.com 10minutemail.com tempmail.com
  hotmail.es hotmail.fr hotmail.it outlook.es outlook.pt yahoo.es yahoo.com.ar yahoo.com.mx sapo.pt`
    .split(/\s+/)
    .filter((host) => host !== ''),
);

/** Why an address cannot be invited into a company (section 5); null: it can. */
export function invitedEmailFault(given: string): Extract<DomainErrorCode, 'company.emailInvalid' | 'company.emailFree'> | null {
  const email = parseEmail(given);
  if (email === null) return 'company.emailInvalid';
  return FREE_MAIL.has(email.slice(email.lastIndexOf('@') + 1)) ? 'company.emailFree' : null;
}

/** The addresses of a pasted list, each as it stands there: between commas, semicolons, blanks and line breaks; `Nome <a@b.c>` gives its address. */
export function pastedEmails(text: string): string[] {
  const named = text.replace(/[^,;\n<>]*<([^<>]*)>/g, ' $1 ');
  return named.split(/[\s,;]+/).filter((one) => one !== '');
}

/** Black or white, whichever is read better on a colour (WCAG 2, relative luminance). One of them always has 4.5 to 1. */
export function readableOn(color: string): '#000000' | '#ffffff' {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return (luminance + 0.05) / 0.05 >= 1.05 / (luminance + 0.05) ? '#000000' : '#ffffff';
}

/** What the rule of the last administrator looks at: everybody's role, one of them among it. */
export interface Membership {
  readonly userId: string;
  readonly role: CompanyRole;
  /** Whose account is shut administers nothing, and misses nobody who does. */
  readonly isActive: boolean;
}

/** Whether somebody can administer a company now. */
const isAdministered = (members: readonly Membership[]): boolean => members.some(({ role, isActive }) => isActive && role === 'admin');

/**
 * What somebody becomes who accepts an invitation into a company: its administrator where it has none. Where its administrators' accounts
 * are shut, only by the word of the installation, which gives it another; they themselves had invited a member.
 */
export function roleOfInvited(members: readonly Membership[], { isByInstallation }: { isByInstallation: boolean }): CompanyRole {
  const isNobodys = members.every(({ role }) => role !== 'admin');
  return isNobodys || (isByInstallation && !isAdministered(members)) ? 'admin' : 'member';
}

/**
 * A company with members always has somebody who administers it; who is alone in it may go, and have their account shut.
 * @throws DomainError company.lastAdministrator
 */
export function assertStaysAdministered(members: readonly Membership[], userId: string, becomes: 'member' | 'gone'): void {
  const others = members.filter((member) => member.userId !== userId && member.isActive);
  if (isAdministered(others) || (becomes === 'gone' && others.length === 0)) return;
  if (members.some((member) => member.userId === userId && member.role === 'admin')) throw new DomainError('company.lastAdministrator');
}
