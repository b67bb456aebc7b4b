import { maskEmail } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import type { MailContent } from '../../mail/layout.ts';
import type { Locale } from '../../language/translator.ts';

export function activationMail(ctx: Ctx, locale: Locale, values: { name: string; key: string }): MailContent {
  const t = (key: string) => ctx.translate(locale, key, { name: values.name });
  return {
    subject: t('mail.activation.subject'),
    heading: t('mail.activation.heading'),
    paragraphs: [t('mail.activation.text')],
    button: { label: t('mail.activation.button'), url: `${ctx.publicUrl}/account/activate?key=${values.key}` },
    notes: [t('mail.activation.note')],
  };
}

export function passwordResetMail(ctx: Ctx, locale: Locale, values: { name: string; key: string }): MailContent {
  const t = (key: string) => ctx.translate(locale, key, { name: values.name });
  return {
    subject: t('mail.reset.subject'),
    heading: t('mail.reset.heading'),
    paragraphs: [t('mail.reset.text')],
    button: { label: t('mail.reset.button'), url: `${ctx.publicUrl}/account/reset/finish?key=${values.key}` },
    notes: [t('mail.reset.note')],
  };
}

export function accountMadeMail(ctx: Ctx, locale: Locale, values: { name: string; key: string }): MailContent {
  const t = (key: string) => ctx.translate(locale, key, { name: values.name });
  return {
    subject: t('mail.accountMade.subject'),
    heading: t('mail.accountMade.heading'),
    paragraphs: [t('mail.accountMade.text')],
    button: { label: t('mail.accountMade.button'), url: `${ctx.publicUrl}/account/reset/finish?key=${values.key}` },
    notes: [t('mail.accountMade.note')],
  };
}

/** To the new address: its link says that it is read. */
export function newEmailMail(ctx: Ctx, locale: Locale, values: { name: string; key: string }): MailContent {
  const t = (key: string) => ctx.translate(locale, key, { name: values.name });
  return {
    subject: t('mail.newEmail.subject'),
    heading: t('mail.newEmail.heading'),
    paragraphs: [t('mail.newEmail.text')],
    button: { label: t('mail.newEmail.button'), url: `${ctx.publicUrl}/account/email?key=${values.key}` },
    notes: [t('mail.newEmail.note')],
  };
}

/** To the address of before: another one was asked for, or has taken its place. */
export function formerEmailMail(
  ctx: Ctx,
  locale: Locale,
  values: { what: 'emailAsked' | 'emailChanged'; name: string; email: string },
): MailContent {
  const t = (key: string) => ctx.translate(locale, key, { name: values.name, email: maskEmail(values.email) });
  return {
    subject: t(`mail.${values.what}.subject`),
    heading: t('mail.newEmail.heading'),
    paragraphs: [t(`mail.${values.what}.text`)],
    notes: [t(`mail.${values.what}.note`)],
  };
}
