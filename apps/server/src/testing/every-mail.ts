import { fileURLToPath } from 'node:url';
import type { Ctx } from '../context.ts';
import * as account from '../features/accounts/account.mail.ts';
import { type FactorNews, factorMail } from '../features/accounts/second-factor/second-factor.mail.ts';
import { identityMail } from '../features/accounts/social/social.mail.ts';
import { invitationMail as companyMail } from '../features/companies/company.mail.ts';
import { expiryMail, testMail } from '../features/management/administration.mail.ts';
import { endMail, invitationMail, problemMail, unsentMail } from '../features/processes/life/process.mail.ts';
import { retentionMail } from '../features/retention/retention.mail.ts';
import { linkCodeMail } from '../features/signing/link-code.mail.ts';
import { storageFaultMail } from '../features/stored-files/storage-fault.mail.ts';
import { type Locale, translatorOf } from '../language/translator.ts';
import { type MailContent, type RenderedMail, renderMail } from '../mail/layout.ts';

const at = new Date('2026-11-23T12:30:00Z');
const link = 'https://lavra.test/x';
/** Words that belong to no language. */
const name = 'Kim';
const title = 'XK-7';
const sender = { name: 'Zoe Quo', email: 'zoe@lavra.test', isNew: false };
const strange = { ...sender, isNew: true };

const factorNews: readonly FactorNews[] = [
  'totpAdded',
  'totpRemoved',
  'passkeyAdded',
  'passkeyRemoved',
  'codesRenewed',
  'backupCodeUsed',
  'codesGuessed',
  'factorsReset',
];

/** Every mail that the product sends, in a language, by what it is. */
export function everyMail(locale: Locale): Map<string, RenderedMail> {
  const translate = translatorOf(fileURLToPath(new URL('../../../../locales', import.meta.url)));
  const ctx = { translate, publicUrl: 'https://lavra.test', clock: { now: () => at } } as unknown as Ctx;
  const contents = { ...accountMails(ctx, locale), ...processMails(ctx, locale), ...administratorMails(ctx, locale) };
  return new Map(Object.entries(contents).map(([what, content]) => [what, renderMail(content, locale, ctx)]));
}

function accountMails(ctx: Ctx, locale: Locale): Record<string, MailContent> {
  const keyed = { name, key: 'k' };
  return {
    activation: account.activationMail(ctx, locale, keyed),
    reset: account.passwordResetMail(ctx, locale, keyed),
    noPassword: account.noPasswordMail(ctx, locale, { name, provider: 'Google' }),
    passwordSet: account.passwordSetMail(ctx, locale, { name, providers: ['Google', 'gov.br'], passkeys: ['YK-5'] }),
    accountMade: account.accountMadeMail(ctx, locale, keyed),
    newEmail: account.newEmailMail(ctx, locale, keyed),
    emailAsked: account.formerEmailMail(ctx, locale, { what: 'emailAsked', name, email: sender.email }),
    emailChanged: account.formerEmailMail(ctx, locale, { what: 'emailChanged', name, email: sender.email }),
    linked: identityMail(ctx, locale, 'linked', { name, provider: 'Google' }),
    unlinked: identityMail(ctx, locale, 'unlinked', { name, provider: 'Google' }),
    company: companyMail(ctx, locale, { inviter: sender.name, inviterEmail: sender.email, company: 'QZ', link }),
    ...Object.fromEntries(
      factorNews.map((news) => [`factor ${news}`, factorMail(ctx, { firstName: name, langKey: locale }, news, { passkey: 'YK-5' })]),
    ),
  };
}

function processMails(ctx: Ctx, locale: Locale): Record<string, MailContent> {
  const invitation = { name, sender, title, documents: ['a.pdf', 'b.pdf'], due: at, link };
  const end = { to: name, title, sender, name: 'Bo', isOwn: false, cause: 'X', link, otherNames: [] };
  const params = { name: 'a.pdf' };
  return {
    invitation: invitationMail(ctx, locale, invitation),
    'invitation of a new sender': invitationMail(ctx, locale, { ...invitation, sender: strange, due: null }),
    reminder: invitationMail(ctx, locale, invitation, true),
    'reminder of a new sender': invitationMail(ctx, locale, { ...invitation, sender: strange }, true),
    finished: endMail(ctx, locale, 'finished', { ...end, as: 'owner', otherNames: [{ invited: 'Bo', name: 'Bob' }] }),
    'finished, to an interested party': endMail(ctx, locale, 'finished', { ...end, as: 'interested', link: null }),
    'finished, of a new sender': endMail(ctx, locale, 'finished', { ...end, as: 'signer', sender: strange }),
    rejected: endMail(ctx, locale, 'rejected', { ...end, as: 'owner' }),
    'rejected, to who did': endMail(ctx, locale, 'rejected', { ...end, as: 'signer', isOwn: true, link: null }),
    'rejected, of a new sender': endMail(ctx, locale, 'rejected', { ...end, as: 'signer', sender: strange }),
    canceled: endMail(ctx, locale, 'canceled', { ...end, as: 'signer' }),
    'canceled, of a new sender': endMail(ctx, locale, 'canceled', { ...end, as: 'signer', sender: strange }),
    expired: endMail(ctx, locale, 'expired', { ...end, as: 'signer', name: '' }),
    'expired, by somebody’s own deadline': endMail(ctx, locale, 'expired', { ...end, as: 'owner' }),
    'expired, to who was late': endMail(ctx, locale, 'expired', { ...end, as: 'signer', isOwn: true, link: null }),
    'expired, of a new sender': endMail(ctx, locale, 'expired', { ...end, as: 'signer', sender: strange }),
    'of nobody left': endMail(ctx, locale, 'expired', { ...end, as: 'signer', sender: { name: '', email: '', isNew: false } }),
    problem: problemMail(ctx, locale, { id: 'i', name, title, problem: 'storage.damaged', params }),
    unsent: unsentMail(ctx, locale, { id: 'i', name, title, until: at, problem: 'process.reminderConflict', params: {} }),
    linkCode: linkCodeMail(ctx, locale, { name, sender, title, code: '123456' }),
  };
}

function administratorMails(ctx: Ctx, locale: Locale): Record<string, MailContent> {
  const watched = { subject: 's', name: 'QZ', issuer: null, beginsAt: null, endsAt: at, fingerprint: null, isHistory: false };
  const uses = ['ownAuthority', 'seal', 'timestamps', 'timestampsClient', 'icpBrasil', 'govBr', 'policies'] as const;
  const ends = uses.map((use, index) => ({ ...watched, use, daysLeft: index - 1 }));
  const going = Array.from({ length: 32 }, (_, index) => ({ id: String(index), title, at }));
  const fault = (found: 'missing' | 'damaged' | 'wrongSize') => ({ hash: 'ab', size: 1, fault: found, since: at, foundAt: at });
  const faults = [fault('missing'), fault('damaged'), fault('wrongSize')];
  return {
    expiry: expiryMail(ctx, locale, { name, ends }),
    test: testMail(ctx, locale, name),
    retention: retentionMail(ctx, locale, { name, going, link, why: 'owner' }),
    'retention of one': retentionMail(ctx, locale, { name, going: going.slice(0, 1), link, why: 'process' }),
    storageFault: storageFaultMail(ctx, locale, { name, faults: faults as never }),
  };
}
