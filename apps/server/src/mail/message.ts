import { domainToASCII } from 'node:url';
import { MARK_ID, mark } from './mark.ts';

/** Who writes, or who is written to. */
export interface Mailbox {
  name: string | null;
  address: string;
}

export interface Message {
  id: string;
  from: Mailbox;
  to: string;
  replyTo: string | null;
  subject: string;
  text: string;
  html: string;
  at: Date;
}

/** Of an encoded-word: a line with it and a header's name has 76 letters at most (RFC 2047 §2). */
const WORD_BYTES = 39;
/** What a header may have as it is, with room for its name in a line (RFC 5322 §2.1.1). */
const PLAIN_LETTERS = 60;
/** Of a line of a body (RFC 2045 §6.7, §6.8). */
const LINE = 76;

/**
 * A mail as it is sent (RFC 5322, MIME): its text and the same in HTML, with the product's mark where that shows it. Put together at once: the
 * library makes a mail by a stream for each part, which took as long as all else that is done for it.
 */
export function writeMessage({ id, from, to, replyTo, subject, text, html, at }: Message): Buffer {
  const headers = [
    `From: ${mailbox(from)}`,
    `To: ${addressed(to)}`,
    ...(replyTo === null ? [] : [`Reply-To: ${addressed(replyTo)}`]),
    `Subject: ${words(subject)}`,
    `Message-ID: ${id}`,
    `Date: ${at.toUTCString().replace('GMT', '+0000')}`,
    'Auto-Submitted: auto-generated',
    'MIME-Version: 1.0',
  ];
  const page = part('text/html; charset=utf-8', quotedPrintable(html));
  const shown = html.includes(`cid:${MARK_ID}`) ? several('related', [page, picture()]) : page;
  const body = several('alternative', [part('text/plain; charset=utf-8', quotedPrintable(text)), shown]);
  return Buffer.from(`${headers.join('\r\n')}\r\n${body}\r\n`);
}

/** Of a domain with letters of any writing, what servers know it by (RFC 5890). */
export function addressed(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = domainToASCII(address.slice(at + 1)) || address.slice(at + 1);
  return `${address.slice(0, at + 1)}${domain}`.replace(/[\s<>,;]/g, '');
}

function mailbox({ name, address }: Mailbox): string {
  if (name === null || name === '') return addressed(address);
  const angled = `<${addressed(address)}>`;
  return isPlainText(name) ? `"${name.replace(/["\\]/g, '\\$&')}" ${angled}` : `${words(name)}\r\n ${angled}`;
}

const isPlainText = (text: string) => text.length <= PLAIN_LETTERS && /^[ -~]*$/.test(text) && !text.includes('=?');

/** What people wrote, in a header: a sign that would end it is no letter of it any more. */
function words(text: string): string {
  if (isPlainText(text)) return text;
  const encoded: string[] = [];
  let bytes: Buffer[] = [];
  let size = 0;
  const end = () => {
    encoded.push(`=?UTF-8?B?${Buffer.concat(bytes).toString('base64')}?=`);
    bytes = [];
    size = 0;
  };
  // No letter is cut in two (RFC 2047 §5).
  for (const letter of text) {
    const written = Buffer.from(letter);
    if (size + written.length > WORD_BYTES) end();
    bytes.push(written);
    size += written.length;
  }
  end();
  return encoded.join('\r\n ');
}

const part = (type: string, body: string) => `Content-Type: ${type}\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${body}`;

/** No line of a body that is quoted-printable or base64 begins so: `_` and `=` stand together in neither. */
const boundaries = { alternative: '--_=lavra-alternative', related: '--_=lavra-related' } as const;

function several(kind: keyof typeof boundaries, parts: readonly string[]): string {
  const boundary = boundaries[kind];
  const of = kind === 'related' ? ';\r\n type="text/html"' : '';
  const written = parts.map((one) => `--${boundary}\r\n${one}\r\n`).join('');
  return `Content-Type: multipart/${kind}; boundary="${boundary}"${of}\r\n\r\n${written}--${boundary}--`;
}

let drawn: string | undefined;

/** The same in every mail. */
function picture(): string {
  drawn ??= [
    'Content-Type: image/png; name=lavra.png',
    `Content-ID: <${MARK_ID}>`,
    'Content-Disposition: inline; filename=lavra.png',
    'Content-Transfer-Encoding: base64',
    '',
    mark.toString('base64').replace(/.{76}(?=.)/g, '$&\r\n'),
  ].join('\r\n');
  return drawn;
}

/** RFC 2045 §6.7. */
function quotedPrintable(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map(quotedLine)
    .join('\r\n');
}

function quotedLine(line: string): string {
  const quoted = line.replace(/[^\t -<>-~]+/g, quotedBytes).replace(/[\t ]$/, quotedBytes);
  if (quoted.length <= LINE) return quoted;
  const lines: string[] = [];
  let at = 0;
  while (quoted.length - at > LINE) {
    let end = at + LINE - 1;
    // A byte's three signs stay together.
    if (quoted[end - 1] === '=') end -= 1;
    else if (quoted[end - 2] === '=') end -= 2;
    lines.push(`${quoted.slice(at, end)}=`);
    at = end;
  }
  return [...lines, quoted.slice(at)].join('\r\n');
}

function quotedBytes(letters: string): string {
  return Buffer.from(letters).toString('hex').toUpperCase().replace(/../g, '=$&');
}
