import { maskEmail } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import type { MailContent } from '../../mail/layout.ts';
import { languageTag, type Locale } from '../../language/translator.ts';

export function activationMail(ctx: Ctx, locale: Locale, values: { name: string; key: string }): MailContent {
  const t = (key: string) => ctx.translate(locale, key, { name: values.name });
  return {
    subject: t('mail.activation.subject'),
    heading: t('mail.activation.heading'),
    paragraphs: [t('mail.activation.text')],
    button: { label: t('mail.activation.button'), url: `${ctx.publicUrl}/account/activate?key=${values.key}` },
    notes: [t('mail.activation.note')],
    why: 'address',
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

/** Asked for a new password, of an account that has none. */
export function noPasswordMail(
  ctx: Pick<Ctx, 'translate' | 'publicUrl'>,
  locale: Locale,
  values: { name: string; provider: string },
): MailContent {
  const t = (key: string) => ctx.translate(locale, key, values);
  return {
    subject: t('mail.noPassword.subject'),
    heading: t('mail.noPassword.heading'),
    paragraphs: [t('mail.noPassword.text')],
    button: { label: t('mail.noPassword.button'), url: `${ctx.publicUrl}/login` },
    notes: [t('mail.noPassword.note')],
  };
}

/** A new password was set by the mailed link: what ended with the old one, and what opens the account beside the new one. */
export function passwordSetMail(
  ctx: Pick<Ctx, 'translate' | 'publicUrl'>,
  locale: Locale,
  values: { name: string; providers: readonly string[]; passkeys: readonly string[] },
): MailContent {
  const t = (key: string, given: Record<string, string> = {}) => ctx.translate(locale, key, { name: values.name, ...given });
  const list = (names: readonly string[]) => new Intl.ListFormat(languageTag(locale)).format(names);
  return {
    subject: t('mail.passwordSet.subject'),
    heading: t('mail.passwordSet.heading'),
    paragraphs: [
      t('mail.passwordSet.text'),
      ...(values.passkeys.length > 0 ? [t('mail.passwordSet.passkeys', { passkeys: list(values.passkeys) })] : []),
      ...(values.providers.length > 0 ? [t('mail.passwordSet.providers', { providers: list(values.providers) })] : []),
    ],
    button: { label: t('mail.passwordSet.button'), url: `${ctx.publicUrl}/account/settings` },
    notes: [t('mail.passwordSet.note')],
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
    why: 'address',
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
    why: 'address',
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
