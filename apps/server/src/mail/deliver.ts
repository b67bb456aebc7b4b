import { randomUUID } from 'node:crypto';
import type { SendMailOptions, Transporter } from 'nodemailer';
import type { Ctx } from '../context.ts';
import type { RenderedMail } from './layout.ts';
import { addressed, writeMessage } from './message.ts';

/** Loaded with the first mail: a start does without. */
const library = () => import('nodemailer');

const TIMES = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };
/**
 * A connection is used again while mails follow each other; servers end an idle one after minutes at the earliest (RFC 5321 §4.5.3.2.7), this
 * side after seconds. One that was cut all the same is replaced at once where not a byte of the mail had gone over it; any later, its fate is unknown,
 * and the next try is the queue's. Nothing waits for a connection: there are more than places that send.
 */
const KEPT = { pool: true, idleTimeout: 5_000, maxConnections: 200, maxRequeues: 3 };

type Library = Awaited<ReturnType<typeof library>>;

const kept = new Map<string, Transporter>();

function keptTransport(nodemailer: Library, url: string): Transporter {
  const known = kept.get(url) ?? transportFor(nodemailer, url, { ...TIMES, ...KEPT });
  kept.set(url, known);
  return known;
}

function transportFor({ createTransport }: Library, url: string, options: Readonly<Record<string, number | boolean>>): Transporter {
  const address = new URL(url);
  // Options stand in the address's query: beside an address nodemailer takes no others.
  for (const [name, value] of Object.entries(options)) {
    if (!address.searchParams.has(name)) address.searchParams.set(name, String(value));
  }
  return createTransport(address.href);
}

/** Ends the connections that are kept, and hold a program: nothing is sent any more. */
export function endDelivery({ smtpUrl }: Pick<Ctx['config'], 'smtpUrl'>): void {
  if (!smtpUrl) return;
  kept.get(smtpUrl)?.close();
  kept.delete(smtpUrl);
}

type Delivering = Pick<Ctx, 'config' | 'publicUrl'>;

type Delivered = RenderedMail & { id: string; to: string };

/** Hands a mail to the configured server. `id` makes the same mail the same, however often it is sent; `signal` ends the attempt. */
export async function deliver(ctx: Delivering, mail: Delivered, signal?: AbortSignal): Promise<void> {
  const { smtpUrl } = ctx.config;
  if (!smtpUrl) throw new Error('no SMTP server is configured');
  await keptTransport(await library(), smtpUrl).sendMail({ ...messageOf(ctx, mail), ...(signal && { signal }) });
}

function messageOf({ config, publicUrl }: Delivering, { id, to, subject, html, text, fromName, replyTo }: Delivered) {
  const from = addressIn(config.mailFrom);
  const name = fromName ?? nameIn(config.mailFrom);
  const messageId = `<${id}@${new URL(publicUrl).hostname}>`;
  const raw = writeMessage({
    id: messageId,
    from: { name, address: from },
    to,
    replyTo: replyTo ?? null,
    subject,
    text,
    html,
    at: new Date(),
  });
  return { envelope: { from: addressed(from), to: [addressed(to)] }, raw, messageId } as const satisfies SendMailOptions;
}

/** Of `Lavra <nao-responda@exemplo.com.br>`, or of an address alone. */
function addressIn(mailFrom: string): string {
  return /<([^<>]+)>\s*$/.exec(mailFrom)?.[1] ?? mailFrom;
}

/** Of `Lavra <nao-responda@exemplo.com.br>` the name; null of an address alone. */
function nameIn(mailFrom: string): string | null {
  const [, name = ''] = /^\s*"?(.*?)"?\s*<[^<>]+>\s*$/.exec(mailFrom) ?? [];
  return name === '' ? null : name;
}

/** Why a mail was not taken, by a word; `status`: what the server said, without its words, which name the recipient. */
export interface DeliveryFault {
  reason: 'notConfigured' | 'unreachable' | 'timedOut' | 'encryption' | 'signIn' | 'refused';
  status: number | null;
}

/** The same at once, over a connection of its own and without another try, for whoever wants to know whether it works. */
export async function deliverNow(ctx: Delivering, to: string, mail: RenderedMail): Promise<DeliveryFault | null> {
  const { smtpUrl } = ctx.config;
  if (!smtpUrl) return { reason: 'notConfigured', status: null };
  // A library that cannot be loaded is no server's fault.
  const nodemailer = await library();
  try {
    await transportFor(nodemailer, smtpUrl, TIMES).sendMail(messageOf(ctx, { id: randomUUID(), to, ...mail }));
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
