import { readableOn } from '@lavra/domain';
import { languageTag, type Locale, type Translator } from '../language/translator.ts';
import { palette } from '../paper/palette.ts';
import { withoutLinks } from './without-links.ts';

/** What a mail says, in the recipient's language already. Plain text everywhere: the layout escapes. */
export interface MailContent {
  subject: string;
  heading: string;
  paragraphs: readonly string[];
  /** The one thing to do. */
  button?: { label: string; url: string };
  /** Small print under the button. */
  notes?: readonly string[];
  /** The looks of the company that writes; left out: the product's own. */
  brand?: MailBrand | undefined;
}

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
}

const escape = (value: string): string =>
  value.replace(/[&<>"']/g, (found) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[found] ?? found);

/** HTML (tables and inline styles: what mail programs understand) and the same in text. */
export function renderMail(given: MailContent, locale: Locale, translate: Translator): RenderedMail {
  const content = plain(given);
  const footer = translate(locale, 'mail.footer');
  const linkHint = translate(locale, 'mail.linkHint');
  return { subject: content.subject, html: html(content, locale, footer, linkHint), text: text(content, footer) };
}

/** The button is the only way out of a mail: what people wrote is read, not followed. */
function plain(content: MailContent): MailContent {
  return {
    ...content,
    subject: withoutLinks(content.subject),
    heading: withoutLinks(content.heading),
    paragraphs: content.paragraphs.map(withoutLinks),
    ...(content.notes ? { notes: content.notes.map(withoutLinks) } : {}),
    ...(content.brand ? { brand: { ...content.brand, name: withoutLinks(content.brand.name) } } : {}),
  };
}

function html(content: MailContent, locale: Locale, footer: string, linkHint: string): string {
  const paragraph = (value: string) => `<p style="margin:0 0 16px">${escape(value)}</p>`;
  const small = (value: string) => `<p style="margin:0 0 8px;font-size:14px;color:${palette.muted}">${escape(value)}</p>`;
  const button = content.button
    ? `<p style="margin:24px 0"><a href="${escape(content.button.url)}" style="display:inline-block;${onColor(content.brand?.accent ?? null, palette.jade, palette.white)};padding:14px 28px;border-radius:8px;font-weight:600;text-decoration:none">${escape(content.button.label)}</a></p>
<p style="margin:0 0 16px;font-size:13px;color:${palette.muted}">${escape(linkHint)}<br><a href="${escape(content.button.url)}" style="color:${palette.jade};word-break:break-all">${escape(content.button.url)}</a></p>`
    : '';
  return `<!doctype html>
<html lang="${languageTag(locale)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(content.subject)}</title></head>
<body style="margin:0;background:${palette.paper};color:${palette.ink};font-family:'Source Sans 3',Arial,sans-serif;font-size:17px;line-height:1.5">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;background:${palette.white};border:1px solid ${palette.line};border-radius:12px">
<tr><td style="${onColor(content.brand?.color ?? null, palette.deep, palette.cream)};border-radius:12px 12px 0 0;padding:16px 28px;font-family:'Source Serif 4',Georgia,serif;font-size:21px;font-weight:600">${head(content.brand)}</td></tr>
<tr><td style="padding:28px">
<h1 style="margin:0 0 16px;font-family:'Source Serif 4',Georgia,serif;font-size:24px;line-height:1.25">${escape(content.heading)}</h1>
${content.paragraphs.map(paragraph).join('\n')}
${button}
${(content.notes ?? []).map(small).join('\n')}
</td></tr></table>
<p style="max-width:560px;font-size:13px;color:${palette.muted};margin:16px auto">${escape(footer)}</p>
</td></tr></table></body></html>`;
}

/** A company's colour with what is read best on it, or ours. */
function onColor(color: string | null, own: string, words: string): string {
  return color === null ? `background:${own};color:${words}` : `background:${color};color:${readableOn(color)}`;
}

/** Whose mail it is. Pictures are often not fetched: the name stands beside them. */
function head(brand: MailBrand | undefined): string {
  if (!brand) return 'Lavra';
  const logo = brand.logoUrl
    ? `<img src="${escape(brand.logoUrl)}" alt="" height="40" style="height:40px;max-width:160px;vertical-align:middle;margin-right:12px;border:0">`
    : '';
  return `${logo}${escape(brand.name)}`;
}

function text(content: MailContent, footer: string): string {
  const lines = [...(content.brand ? [content.brand.name] : []), content.heading, ...content.paragraphs];
  if (content.button) lines.push(`${content.button.label}:\n${content.button.url}`);
  return [...lines, ...(content.notes ?? []), `--\nLavra\n${footer}`].join('\n\n');
}
