import { markInvisible, readableOn } from '@lavra/domain';
import type { Ctx } from '../context.ts';
import { languageTag, type Locale } from '../language/translator.ts';
import { darkPalette, palette } from '../paper/palette.ts';
import { MARK_ID } from './mark.ts';
import { withoutLinks } from './without-links.ts';

/** What a mail says, in the recipient's language already. Plain text everywhere: the layout escapes. */
export interface MailContent {
  subject: string;
  heading: string;
  paragraphs: readonly string[];
  /** What is looked up rather than read: from whom, which documents, until when. */
  facts?: readonly MailFact[];
  /** The one thing to do. */
  button?: { label: string; url: string };
  /** Small print under the button. */
  notes?: readonly string[];
  /** Why it came; left out: to whoever has an account. */
  why?: MailReason;
  /** The looks of the company that writes; left out: the product's own. */
  brand?: MailBrand | undefined;
}

export interface MailFact {
  label: string;
  value: string;
}

/** Whoever made somebody write: a person, and not “somebody”. */
export interface MailSender {
  name: string;
  email: string;
  /** Without history here: no word of theirs stands where a mail program shows who writes. */
  isNew: boolean;
}

/** Why somebody gets a mail: it is said in each, for a mail that does not say it reads like fraud. */
export type MailReason =
  | 'account'
  | 'address'
  | 'administrator'
  | 'owner'
  | 'process'
  | { as: 'signer' | 'interested' | 'invited'; sender: MailSender };

export interface MailBrand {
  name: string;
  /** `#rrggbb`. */
  color: string | null;
  accent: string | null;
  logoUrl: string | null;
}

export interface RenderedMail {
  subject: string;
  html: string;
  text: string;
  /** Beside the installation's address, who writes; left out: as the installation is named. */
  fromName?: string | undefined;
  replyTo?: string | undefined;
}

const escape = (value: string): string =>
  value.replace(/[&<>"']/g, (found) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[found] ?? found);

/** HTML (tables and inline styles: what mail programs understand) and the same in text. */
export function renderMail(
  given: MailContent,
  locale: Locale,
  { translate, publicUrl }: Pick<Ctx, 'translate' | 'publicUrl'>,
): RenderedMail {
  const content = plain(given);
  const { why = 'account' } = given;
  const sender = typeof why === 'string' ? null : why.sender;
  const footer = reasonLines(why, given.button !== undefined, new URL(publicUrl).host, (key, values) => translate(locale, key, values));
  const linkHint = translate(locale, 'mail.linkHint');
  return {
    subject: content.subject,
    html: html(content, locale, footer, linkHint),
    text: text(content, footer),
    ...(sender && !sender.isNew
      ? { fromName: translate(locale, 'mail.from', { sender: withoutLinks(markInvisible(sender.name)) }), replyTo: sender.email }
      : {}),
  };
}

/** Why it came, what to do about a stranger's, and how to know that it is ours. */
function reasonLines(
  why: MailReason,
  hasLink: boolean,
  host: string,
  t: (key: string, values: Record<string, string>) => string,
): string[] {
  if (typeof why === 'string') return [t(`mail.why.${why}`, { host }), t('mail.safe', { host })];
  const values = { sender: withoutLinks(why.sender.name), email: withoutLinks(why.sender.email), host };
  // Who is only told has no link to be careful with.
  const careful = why.as === 'interested' || !hasLink ? [] : [t('mail.unknownSender', values)];
  return [t(`mail.why.${why.as}`, values), ...careful, t('mail.safe', values)];
}

/** The button is the only way out of a mail: what people wrote is read, not followed. */
function plain(content: MailContent): MailContent {
  return {
    ...content,
    subject: withoutLinks(content.subject),
    heading: withoutLinks(content.heading),
    paragraphs: content.paragraphs.map(withoutLinks),
    ...(content.facts ? { facts: content.facts.map(({ label, value }) => ({ label, value: withoutLinks(value) })) } : {}),
    ...(content.notes ? { notes: content.notes.map(withoutLinks) } : {}),
    ...(content.brand ? { brand: { ...content.brand, name: withoutLinks(content.brand.name) } } : {}),
  };
}

/** Over the inline styles, for programs that know a dark theme; the others stay light. */
const darkStyle = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.m-ground{background:${darkPalette.paper}!important;color:${darkPalette.ink}!important}
.m-sheet{background:${darkPalette.surface}!important;border-color:${darkPalette.line}!important}
.m-line{border-color:${darkPalette.line}!important}
.m-muted{color:${darkPalette.muted}!important}
.m-link{color:${darkPalette.link}!important}
}`;

function html(content: MailContent, locale: Locale, footer: readonly string[], linkHint: string): string {
  const paragraph = (value: string) => `<p style="margin:0 0 16px">${escape(value)}</p>`;
  const small = (value: string) => `<p class="m-muted" style="margin:0 0 8px;font-size:14px;color:${palette.muted}">${escape(value)}</p>`;
  const [preview = ''] = content.paragraphs;
  return `<!doctype html>
<html lang="${languageTag(locale)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escape(content.subject)}</title><style>${darkStyle}</style></head>
<body class="m-ground" style="margin:0;background:${palette.paper};color:${palette.ink};font-family:'Source Sans 3',Arial,sans-serif;font-size:17px;line-height:1.5">
<div style="display:none;max-height:0;overflow:hidden">${escape(preview)}</div>
<table role="presentation" class="m-ground" width="100%" cellpadding="0" cellspacing="0" style="background:${palette.paper}"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" class="m-sheet" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;background:${palette.white};border:1px solid ${palette.line};border-radius:12px">
<tr><td style="${onColor(content.brand?.color ?? null, palette.deep, palette.cream)};border-radius:12px 12px 0 0;padding:16px 28px;font-family:'Source Serif 4',Georgia,serif;font-size:21px;font-weight:600">${head(content.brand)}</td></tr>
<tr><td style="padding:28px">
<h1 style="margin:0 0 16px;font-family:'Source Serif 4',Georgia,serif;font-size:24px;line-height:1.25">${escape(content.heading)}</h1>
${content.paragraphs.map(paragraph).join('\n')}
${factTable(content.facts ?? [])}
${content.button ? button(content.button, content.brand?.accent ?? null, linkHint) : ''}
${(content.notes ?? []).map(small).join('\n')}
</td></tr></table>
<div style="max-width:560px;margin:16px auto;text-align:left">${footer.map(small).join('\n')}</div>
</td></tr></table></body></html>`;
}

function button({ label, url }: { label: string; url: string }, accent: string | null, linkHint: string): string {
  return `<p style="margin:24px 0"><a href="${escape(url)}" style="display:inline-block;${onColor(accent, palette.jade, palette.white)};padding:14px 28px;border-radius:8px;font-weight:600;text-decoration:none">${escape(label)}</a></p>
<p class="m-muted" style="margin:0 0 16px;font-size:13px;color:${palette.muted}">${escape(linkHint)}<br><a class="m-link" href="${escape(url)}" style="color:${palette.jade};word-break:break-all">${escape(url)}</a></p>`;
}

function factTable(facts: readonly MailFact[]): string {
  if (facts.length === 0) return '';
  const row = ({ label, value }: MailFact) =>
    `<tr><td class="m-muted m-line" style="padding:8px 16px 8px 0;border-top:1px solid ${palette.line};color:${palette.muted};vertical-align:top;white-space:nowrap">${escape(label)}</td><td class="m-line" style="padding:8px 0;border-top:1px solid ${palette.line};overflow-wrap:anywhere">${escape(value)}</td></tr>`;
  return `<table width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 16px;font-size:16px">${facts.map(row).join('')}</table>`;
}

/** A company's colour with what is read best on it, or ours. */
function onColor(color: string | null, own: string, words: string): string {
  return color === null ? `background:${own};color:${words}` : `background:${color};color:${readableOn(color)}`;
}

/** Whose mail it is. Pictures are often not fetched, and ours travels with the mail: the name stands beside them. */
function head(brand: MailBrand | undefined): string {
  const picture = (source: string, size: string) =>
    `<img src="${escape(source)}" alt="" ${size} style="vertical-align:middle;margin-right:12px;border:0">`;
  if (!brand) return `${picture(`cid:${MARK_ID}`, 'width="32" height="32"')}Lavra`;
  return `${brand.logoUrl ? picture(brand.logoUrl, 'height="40"') : ''}${escape(brand.name)}`;
}

function text(content: MailContent, footer: readonly string[]): string {
  const facts = (content.facts ?? []).map(({ label, value }) => `${label}: ${value}`).join('\n');
  const lines = [...(content.brand ? [content.brand.name] : []), content.heading, ...content.paragraphs, ...(facts ? [facts] : [])];
  if (content.button) lines.push(`${content.button.label}:\n${content.button.url}`);
  return [...lines, ...(content.notes ?? []), ['--', 'Lavra', ...footer].join('\n')].join('\n\n');
}
