import { randomUUID } from 'node:crypto';
import { createTransport, type Transporter } from 'nodemailer';
import type { Ctx } from '../context.ts';
import type { RenderedMail } from './layout.ts';
import { MARK_ID, mark } from './mark.ts';

const transports = new Map<string, Transporter>();

function transportFor(url: string): Transporter {
  const known = transports.get(url);
  if (known) return known;
  const address = new URL(url);
  // Options stand in the address's query: beside an address nodemailer takes no others.
  for (const [name, milliseconds] of Object.entries({ connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 })) {
    if (!address.searchParams.has(name)) address.searchParams.set(name, String(milliseconds));
  }
  const made = createTransport(address.href);
  transports.set(url, made);
  return made;
}

type Delivering = Pick<Ctx, 'config' | 'publicUrl'>;

/** Hands a mail to the configured server. `id` makes the same mail the same, however often it is sent. */
export async function deliver({ config, publicUrl }: Delivering, mail: RenderedMail & { id: string; to: string }): Promise<void> {
  if (!config.smtpUrl) throw new Error('no SMTP server is configured');
  const { id, to, subject, html, text, fromName, replyTo } = mail;
  await transportFor(config.smtpUrl).sendMail({
    from: fromName ? { name: fromName, address: addressIn(config.mailFrom) } : config.mailFrom,
    to,
    ...(replyTo ? { replyTo } : {}),
    subject,
    html,
    text,
    messageId: `<${id}@${new URL(publicUrl).hostname}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    attachments: html.includes(`cid:${MARK_ID}`)
      ? [{ filename: 'lavra.png', content: mark, contentType: 'image/png', contentDisposition: 'inline', cid: MARK_ID }]
      : [],
  });
}

/** Of `Lavra <nao-responda@exemplo.com.br>`, or of an address alone. */
function addressIn(mailFrom: string): string {
  return /<([^<>]+)>\s*$/.exec(mailFrom)?.[1] ?? mailFrom;
}

/** Why a mail was not taken, by a word; `status`: what the server said, without its words, which name the recipient. */
export interface DeliveryFault {
  reason: 'notConfigured' | 'unreachable' | 'timedOut' | 'encryption' | 'signIn' | 'refused';
  status: number | null;
}

/** The same at once and without another try, for whoever wants to know whether it works. */
export async function deliverNow(ctx: Delivering, to: string, mail: RenderedMail): Promise<DeliveryFault | null> {
  if (!ctx.config.smtpUrl) return { reason: 'notConfigured', status: null };
  try {
    await deliver(ctx, { id: randomUUID(), to, ...mail });
    return null;
  } catch (error) {
    const { code, responseCode } = error as { code?: string; responseCode?: number };
    return { reason: reasonOf(code, error), status: responseCode ?? null };
  }
}

/** By nodemailer's words. */
function reasonOf(code: string | undefined, error: unknown): DeliveryFault['reason'] {
  if (code === 'EAUTH' || code === 'ENOAUTH') return 'signIn';
  if (code === 'ETLS' || code === 'EREQUIRETLS' || /certificate|SSL|TLS/.test(String((error as Error).message))) return 'encryption';
  if (code === 'ETIMEDOUT') return 'timedOut';
  if (code === 'EENVELOPE' || code === 'EMESSAGE' || code === 'EPROTOCOL') return 'refused';
  return 'unreachable';
}
