import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ctx } from '../context.ts';
import type { Write } from '../db/at-once.ts';
import { DatabaseAwayError } from '../db/database-away.ts';
import { defineJob, type JobEnd } from '../jobs/queue.ts';
import { loggerFor } from '../loggers.ts';
import { deliver } from './deliver.ts';
import { type MailContent, type RenderedMail, renderMail } from './layout.ts';
import {
  findUnsentMail,
  insertMails,
  insertMailsAnd,
  listClearMails,
  listUndelivered,
  markMailFailed,
  hastenMails,
  mailsWrite,
  markMailsSent,
  removeUnsent,
  replaceClear,
} from './mail.store.ts';
import { namedUuid } from '../named-uuid.ts';
import { openMail, sealMail } from './sealed-mail.ts';
import type { Locale } from '../language/translator.ts';

/**
 * Transactional outbox: keeps a mail and queues its sending; call inside the transaction of the act it tells about. `once`
 * names what it tells: a job that runs twice queues it once.
 * A crash between the server's answer and our note may send it twice: the Message-ID is the same both times,
 * and most mail programs show such a pair once.
 */
export function queueMail(tx: Ctx, to: string, locale: Locale, content: MailContent, once?: string): Promise<void> {
  return queueMails(tx, [{ to, locale, content, ...(once === undefined ? {} : { once }) }]);
}

/**
 * A mail to be written, and to whom; `once`: see `queueMail`. `ofLink`: the key of the signer's link that it invites to. What could not be sent at once is not
 * sent any more when that link has ended or its signer is waited for no longer.
 */
export interface QueuedMail {
  to: string;
  locale: Locale;
  content: MailContent;
  once?: string;
  ofLink?: string;
}

/** The same of several, in two statements however many. */
export async function queueMails(tx: Ctx, mails: readonly QueuedMail[]): Promise<void> {
  const written = mails.map((mail) => write(tx, mail));
  const fresh = await insertMails(tx, written);
  await tx.jobs.sendEach(
    sendMailJob,
    fresh.map((id) => asJob({ id })),
  );
}

/** As many are sent by the job that wrote them; more wait in the queue, where they take turns with everybody's. */
const MOST_AT_ONCE = 4;
/** A run that wrote mails has sent them by then, or does not go on. */
const SENDING_SECONDS = 60;
const GIVES_UP_MS = 55_000;
/** So long one that was taken waits for the others of its act, and is noted with them. */
const TOGETHER_MS = 250;

/**
 * What a job has to tell, kept by one statement and sent at once. The jobs that send it are queued there too, for when this
 * run will have sent it, and go with the note that it was (`markMailsSent`): they are left to what cannot be sent now, and to a program that
 * dies meanwhile. Sent once, or twice under one Message-ID. The commit waits for no disk: forgotten, the job's own end is forgotten with
 * it (db/unforced.ts). `ends`: the job that tells it, which has nothing else to do: what is left of it is the mails', in that statement too.
 */
export async function tellByMail(ctx: Ctx, mails: readonly QueuedMail[], ends?: JobEnd): Promise<void> {
  if (mails.length === 0) return;
  const isNow = mails.length <= MOST_AT_ONCE;
  const written = mails.map((mail) => write(ctx, mail));
  // One that was kept before has its job, or is done with: then a job more finds nothing to send.
  const later = await ctx.jobs.writtenEach(sendMailJob, written.map(asJob), isNow ? SENDING_SECONDS : 0);
  const fresh = new Set(await insertMailsAnd(ctx, written, [...later, ...((await ends?.()) ?? [])]));
  const now = isNow ? written.filter(({ id }) => fresh.has(id)) : [];
  // Kept by an act, or a run before this one, which may have ended before it sent them.
  const before = written.flatMap(({ id }) => (fresh.has(id) ? [] : [id]));
  if (before.length > 0) await hastenMails(ctx, before);
  if (now.length > 0) await sendTogether(ctx, now);
}

/** Those of these names (`QueuedMail.once`) that were kept and have not been sent are not sent any more: their jobs find nothing. */
export function withdrawMails(ctx: Ctx, names: readonly string[]): Promise<void> {
  return removeUnsent(ctx, names.map(namedUuid));
}

/** Mails that are kept by the statement of their act, for the job that sends them: it is begun by that statement. */
export type KeptMails = readonly Written[];

/**
 * The same as parts of the statement of the act that they tell of: who is handed what is `kept` has only to send it (`sendKept`). The statement is
 * refused (`MovedOn`) where one of them is there already. Null where there are none, or more than are sent at once.
 */
export async function mailParts(ctx: Ctx, mails: readonly QueuedMail[]): Promise<{ kept: KeptMails; writes: Write[] } | null> {
  if (mails.length === 0 || mails.length > MOST_AT_ONCE) return null;
  const kept = mails.map((mail) => write(ctx, mail));
  const later = await ctx.jobs.writtenEach(sendMailJob, kept.map(asJob), SENDING_SECONDS);
  return { kept, writes: [mailsWrite(ctx, kept), ...later] };
}

/** Sends them; `ends`: as of `tellByMail`. */
export function sendKept(ctx: Ctx, kept: KeptMails, ends?: JobEnd): Promise<void> {
  return sendTogether(ctx, kept, ends);
}

/** Notes what was taken by one statement, and by itself what the server keeps hanging: none that was taken waits for that. */
async function sendTogether(ctx: Ctx, mails: readonly Written[], ends?: JobEnd): Promise<void> {
  const taken: string[] = [];
  let isTogether = true;
  const each = mails.map(async (mail) => {
    if (!(await isTakenOrLeft(ctx, mail))) return;
    if (isTogether) taken.push(mail.id);
    else await markMailsSent(ctx, [mail.id]);
  });
  await Promise.race([Promise.allSettled(each), sleep(TOGETHER_MS, undefined, { ref: false })]);
  isTogether = false;
  if (taken.length > 0) await markMailsSent(ctx, taken, await ends?.());
  await Promise.all(each);
}

/** Hands over a mail, or leaves it to the job that is queued for it. */
async function isTakenOrLeft(ctx: Ctx, { id, to, words }: Written): Promise<boolean> {
  try {
    return await isTaken(ctx, { id, to }, words, AbortSignal.timeout(GIVES_UP_MS));
  } catch (error) {
    if (error instanceof DatabaseAwayError) throw error;
    loggerFor(ctx.log, 'jobs').warn({ err: error, mail: id }, 'a mail could not be sent at once, and waits for another try');
    return false;
  }
}

interface Written {
  id: string;
  to: string;
  words: RenderedMail;
  sealed: Buffer;
  ofLink: string | null;
}

function write(ctx: Ctx, { to, locale, content, once, ofLink }: QueuedMail): Written {
  const words = renderMail(content, locale, ctx);
  return { id: once === undefined ? randomUUID() : namedUuid(once), to, words, sealed: sealMail(ctx, words), ofLink: ofLink ?? null };
}

const asJob = ({ id }: { id: string }) => ({ data: { mailId: id }, key: id });

/**
 * SMTP says 5xx when trying again is useless. That is of this mail where the server judged its recipient or its words; what it says of the
 * connection, of our sign-in or of our address is of the installation, and may be set right while the mail waits.
 */
function isPermanent(error: unknown): boolean {
  const { responseCode, command, response = '' } = error as { responseCode?: number; command?: string; response?: string };
  if (responseCode === undefined || responseCode < 500) return false;
  // Many servers keep what they have against us until they hear of a recipient (RFC 3463 §3.8: security, policy).
  return command === 'DATA' || (command === 'RCPT TO' && !/^(?:530|\d{3}[ -]5\.7\.)/.test(response));
}

/** What goes to the log and to the job's row: a server's own words, and nodemailer's list beside them, name the recipient. */
function withoutRecipient(error: unknown): unknown {
  const { response, code, command } = error as { response?: string; code?: string; command?: string };
  const [status] = /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?/.exec(response ?? '') ?? [];
  return status === undefined ? error : new Error(`the mail server answered ${status} (${code}, ${command})`);
}

/** Null where a changed secret has left nothing to send. */
function wordsOf(ctx: Ctx, { sealed, subject, html, text }: NonNullable<Awaited<ReturnType<typeof findUnsentMail>>>): RenderedMail | null {
  if (sealed) return openMail(ctx, sealed);
  return text === '' ? null : { subject, html, text };
}

export const sendMailJob = defineJob<{ mailId: string }>({
  name: 'send-mail',
  exclusive: true,
  async run(ctx, { mailId }) {
    const mail = await findUnsentMail(ctx, mailId);
    if (!mail) return;
    if (mail.ofLink !== null && !(await ctx.isStillInvited(ctx, mail.ofLink))) return removeUnsent(ctx, [mailId]);
    const words = wordsOf(ctx, mail);
    if (!words) return markMailFailed(ctx, mailId, 'its words cannot be opened any more');
    if (await isTaken(ctx, mail, words)) await markMailsSent(ctx, [mailId]);
  },
});

/** False, and noted, where the server refuses it for good. */
async function isTaken(ctx: Ctx, { id, to }: { id: string; to: string }, words: RenderedMail, signal?: AbortSignal): Promise<boolean> {
  try {
    await deliver(ctx, { id, to, ...words }, signal);
    return true;
  } catch (error) {
    const told = withoutRecipient(error);
    if (!isPermanent(error)) throw told;
    await markMailFailed(ctx, id, (error as Error).message);
    loggerFor(ctx.log, 'jobs').warn({ err: told, mail: id }, 'a mail was refused for good');
    return false;
  }
}

/** Longer than the tries of one job take. */
const RESUME_AFTER_MS = 20 * 60_000;
/** RFC 5321 §4.5.4.1: a sender gives up after four to five days. */
const GIVE_UP_MS = 5 * 86_400_000;

/** A mail server that was away longer than a job tries loses nothing: what is undelivered is sent again for five days. */
export const resumeMailJob = defineJob<Record<string, never>>({
  name: 'resume-mail',
  cron: '*/15 * * * *',
  async run(ctx) {
    for (const { id, ...words } of await listClearMails(ctx)) if (words.text !== '') await replaceClear(ctx, id, sealMail(ctx, words));
    const now = ctx.clock.now().getTime();
    for (const { id, createdAt } of await listUndelivered(ctx, new Date(now - RESUME_AFTER_MS))) {
      if (now - createdAt.getTime() > GIVE_UP_MS) await markMailFailed(ctx, id, 'not delivered in five days');
      else await ctx.jobs.send(sendMailJob, { mailId: id }, { key: id });
    }
  },
});
