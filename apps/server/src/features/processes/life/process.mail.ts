import type { Ctx } from '../../../context.ts';
import type { MailContent, MailSender } from '../../../mail/layout.ts';
import type { Locale } from '../../../language/translator.ts';
import { formatInstant } from '../../../language/format-instant.ts';
import { draftLink, processLink } from './signer-link.ts';

interface Invitation {
  name: string;
  sender: MailSender;
  title: string;
  documents: readonly string[];
  due: Date | null;
  link: string;
}

/** The invitation, and with `reminder` the same again for someone who still waits. */
export function invitationMail(ctx: Ctx, locale: Locale, values: Invitation, reminder = false): MailContent {
  const t = (key: string) =>
    ctx.translate(locale, key, {
      name: values.name,
      creator: values.sender.name,
      email: values.sender.email,
      title: values.title,
      documents: values.documents.join(', '),
      due: values.due ? formatInstant(values.due) : '',
    });
  const fact = (name: string) => ({ label: t(`mail.fact.${name}`), value: t(`mail.invite.${name}`) });
  const subject = reminder ? 'mail.reminder.subject' : 'mail.invite.subject';
  const { sender } = values;
  return {
    // Who has no history here has no word in what a mail program lists.
    subject: t(sender.isNew ? `${subject}OfNewSender` : subject),
    heading: t('mail.invite.heading'),
    paragraphs: [t(reminder ? 'mail.reminder.text' : 'mail.invite.text')],
    facts: [fact('from'), fact('documents'), ...(values.due ? [fact('due')] : [])],
    button: { label: t('mail.invite.button'), url: values.link },
    notes: [t('mail.invite.note'), ...(sender.isNew ? [t('mail.invite.newSender')] : [])],
    why: { as: 'signer', sender },
  };
}

export type EndKind = 'finished' | 'rejected' | 'canceled' | 'expired';

interface EndOfProcess {
  to: string;
  as: 'owner' | 'signer' | 'interested';
  title: string;
  sender: MailSender;
  /** Through whom it ended, where it did so through signers. */
  name: string;
  /** Whether it is they. */
  isOwn: boolean;
  cause: string;
  link: string | null;
  otherNames: readonly { invited: string; name: string }[];
}

export function endMail(ctx: Ctx, locale: Locale, kind: EndKind, values: EndOfProcess): MailContent {
  const { otherNames, sender, as, to, title, name, cause } = values;
  const t = (key: string) => ctx.translate(locale, key, { to, title, name, cause, creator: sender.name });
  const label = ctx.translate(locale, kind === 'finished' ? 'mail.finished.button' : 'mail.see.button');
  return {
    subject: t(`mail.${kind}.subject${sender.isNew && as !== 'owner' ? 'OfNewSender' : ''}`),
    heading: ctx.translate(locale, 'mail.invite.heading', { name: values.to }),
    // Interested parties have no link of their own to the documents.
    paragraphs: [
      t(endText(kind, values)),
      ...otherNames.map((names) => ctx.translate(locale, 'mail.finished.otherName', names)),
      ...(kind === 'finished' && !values.link && sender.email !== '' ? [t('mail.finished.ask')] : []),
    ],
    ...(values.link ? { button: { label, url: values.link } } : {}),
    // Of an account that was erased there is nobody left to name.
    why: as === 'owner' ? 'owner' : sender.email === '' ? 'process' : { as, sender },
  };
}

function endText(kind: EndKind, { name, isOwn }: EndOfProcess): string {
  if (isOwn) return `mail.${kind}.ownText`;
  // A deadline of one signer's own.
  return kind === 'expired' && name !== '' ? 'mail.expired.theirText' : `mail.${kind}.text`;
}

/** `params` fill the problem's own sentence: its `name` is the document's, not the owner's. */
export function problemMail(
  ctx: Ctx,
  locale: Locale,
  values: { id: string; name: string; title: string; problem: string; params: Readonly<Record<string, string | number>> },
): MailContent {
  const { name, title } = values;
  const problem = ctx.translate(locale, values.problem, values.params);
  return {
    subject: ctx.translate(locale, 'mail.problem.subject', { name, title }),
    heading: ctx.translate(locale, 'mail.invite.heading', { name }),
    paragraphs: [ctx.translate(locale, 'mail.problem.text', { title, problem })],
    button: { label: ctx.translate(locale, 'mail.see.button'), url: processLink(ctx, values.id) },
    why: 'owner',
  };
}

/** Of a draft that does not start by itself, while there is time to correct it. */
export function unsentMail(
  ctx: Ctx,
  locale: Locale,
  { id, name, title, until, problem, params }: Parameters<typeof problemMail>[2] & { until: Date },
): MailContent {
  const t = (key: string, values: Readonly<Record<string, string>>) => ctx.translate(locale, key, values);
  return {
    subject: t('mail.problem.subject', { name, title }),
    heading: t('mail.invite.heading', { name }),
    paragraphs: [
      t('mail.unsent.text', { title, problem: ctx.translate(locale, problem, params) }),
      t('mail.unsent.until', { until: formatInstant(until) }),
    ],
    button: { label: t('mail.see.button', {}), url: draftLink(ctx, id) },
    why: 'owner',
  };
}
