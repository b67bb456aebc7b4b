import type { Ctx } from '../../../context.ts';
import type { MailContent } from '../../../mail/layout.ts';
import type { Locale } from '../../../language/translator.ts';
import { formatInstant } from '../../../language/format-instant.ts';
import { processLink } from './signer-link.ts';

interface Invitation {
  name: string;
  creator: string;
  title: string;
  documents: readonly string[];
  due: Date | null;
  link: string;
  /** The sender's address where they have no history here: their words stay out of the subject. */
  newSender: string | null;
}

/** The invitation, and with `reminder` the same again for someone who still waits. */
export function invitationMail(ctx: Ctx, locale: Locale, values: Invitation, reminder = false): MailContent {
  const t = (key: string) =>
    ctx.translate(locale, key, {
      name: values.name,
      creator: values.creator,
      title: values.title,
      documents: values.documents.join(', '),
      due: values.due ? formatInstant(values.due) : '',
    });
  const subject = reminder ? 'mail.reminder.subject' : 'mail.invite.subject';
  const { newSender } = values;
  return {
    subject: t(newSender === null ? subject : `${subject}OfNewSender`),
    heading: t('mail.invite.heading'),
    paragraphs: [t(reminder ? 'mail.reminder.text' : 'mail.invite.text'), ...(values.due ? [t('mail.invite.due')] : [])],
    button: { label: t('mail.invite.button'), url: values.link },
    notes: [t('mail.invite.note'), ...(newSender === null ? [] : [ctx.translate(locale, 'mail.invite.newSender', { email: newSender })])],
  };
}

export type EndKind = 'finished' | 'rejected' | 'canceled' | 'expired';

interface EndOfProcess {
  to: string;
  title: string;
  creator: string;
  name: string;
  cause: string;
  link: string | null;
  /** Told to somebody else about a process of a sender without history. */
  fromNewSender: boolean;
  otherNames: readonly { invited: string; name: string }[];
}

export function endMail(ctx: Ctx, locale: Locale, kind: EndKind, values: EndOfProcess): MailContent {
  const { otherNames, fromNewSender, ...texts } = values;
  const t = (key: string) => ctx.translate(locale, key, { ...texts, link: '' });
  const label = ctx.translate(locale, kind === 'finished' ? 'mail.finished.button' : 'mail.see.button');
  return {
    subject: t(`mail.${kind}.subject${fromNewSender ? 'OfNewSender' : ''}`),
    heading: ctx.translate(locale, 'mail.invite.heading', { name: values.to }),
    // Interested parties have no link of their own to the documents.
    paragraphs: [
      t(`mail.${kind}.text`),
      ...otherNames.map((names) => ctx.translate(locale, 'mail.finished.otherName', names)),
      ...(kind === 'finished' && !values.link ? [t('mail.finished.ask')] : []),
    ],
    ...(values.link ? { button: { label, url: values.link } } : {}),
  };
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
  };
}
