import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../context.ts';
import { MovedOn, type Write, writeAtOnce } from '../db/at-once.ts';
import { unforced } from '../db/unforced.ts';

/** Nothing of what it said. */
const emptied = { subject: '', html: '', text: '', sealed: null, of_link: null };

interface KeptMail {
  id: string;
  to: string;
  sealed: Buffer;
  ofLink: string | null;
}

/** Answers the ids of those that were not there already. */
export async function insertMails(tx: Ctx, mails: readonly KeptMail[]): Promise<string[]> {
  if (mails.length === 0) return [];
  const { rows } = await inserting(tx, mails).execute(tx.db);
  return rows.map(({ id }) => id);
}

/** The same of one or more, with what belongs to it, in one statement, whose commit waits for no disk. */
export async function insertMailsAnd(ctx: Ctx, mails: readonly KeptMail[], writes: readonly Write[]): Promise<string[]> {
  const kept = { as: 'kept', query: inserting(ctx, mails) };
  const ids = sql`array(select id::text from kept) as ids, ${unforced} as unforced`;
  return (await writeAtOnce<{ ids: string[] }>(ctx.db, [kept, ...writes], ids)).ids;
}

/** The same of one or more as a part of a statement, which is forced as its act is, and refused (`MovedOn`) where one of them is there already. */
export function mailsWrite(ctx: Ctx, mails: readonly KeptMail[]): Write {
  return { as: 'kept', query: inserting(ctx, mails), rows: mails.length, otherwise: () => new MovedOn() };
}

function inserting(ctx: Ctx, mails: readonly KeptMail[]): RawBuilder<{ id: string }> {
  const [ids, addresses] = [mails.map(({ id }) => id), mails.map(({ to }) => to)];
  const [sealed, links] = [mails.map((mail) => mail.sealed), mails.map(({ ofLink }) => ofLink)];
  return sql`
    insert into mail (id, to_address, sealed, of_link, created_at)
    select id, "to", sealed, of_link, ${ctx.clock.now()}::timestamptz
      from unnest(${ids}::uuid[], ${addresses}::text[], ${sealed}::bytea[], ${links}::uuid[]) as m (id, "to", sealed, of_link)
    on conflict (id) do nothing returning id`;
}

export async function findUnsentMail(ctx: Ctx, id: string) {
  return ctx.db
    .selectFrom('mail')
    .select(['id', 'to_address as to', 'subject', 'html', 'text', 'sealed', 'of_link as ofLink'])
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .where('failed_at', 'is', null)
    .executeTakeFirst();
}

/**
 * Delivered mails keep nothing of what they said: they carried links that open documents and accounts. Forgotten by a power cut, they go
 * out once more, as after a crash between the server's answer and this note. Jobs that were queued for the case that they are not
 * delivered go with them. `writes`: what is written with it.
 */
export async function markMailsSent(ctx: Ctx, ids: readonly string[], writes: readonly Write[] = []): Promise<void> {
  const spared = sql`delete from pgboss.job where name = 'send-mail' and singleton_key = any(${ids}::text[]) and state = 'created'`;
  const sent = sql`
    update "mail" set subject = '', html = '', text = '', sealed = null, of_link = null, sent_at = ${ctx.clock.now()}, failed_at = null, error = null
    where id = any(${ids}::uuid[])`;
  await writeAtOnce(ctx.db, [{ as: 'spared', query: spared }, { as: 'sent', query: sent }, ...writes], unforced);
}

/** What is still to be sent of these is sent by its job now, and not when whoever kept it should have sent it. */
export async function hastenMails(ctx: Ctx, ids: readonly string[]): Promise<void> {
  await sql`
    update pgboss.job set start_after = pgboss.job_now()
    where name = 'send-mail' and singleton_key = any(${ids}::text[]) and state = 'created' and start_after > pgboss.job_now()`.execute(
    ctx.db,
  );
}

export async function removeUnsent(ctx: Ctx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await ctx.db.deleteFrom('mail').where('id', 'in', ids).where('sent_at', 'is', null).where('failed_at', 'is', null).execute();
}

/** Nor does one that nobody will send any more. */
export async function markMailFailed(ctx: Ctx, id: string, error: string): Promise<void> {
  await ctx.db
    .updateTable('mail')
    .set({ ...emptied, failed_at: ctx.clock.now(), error: error.slice(0, 500) })
    .where('id', '=', id)
    .execute();
}

/** Mails that nobody has delivered nor refused, queued before then. */
export async function listUndelivered(ctx: Ctx, before: Date) {
  return ctx.db
    .selectFrom('mail')
    .select(['id', 'created_at as createdAt'])
    .where('sent_at', 'is', null)
    .where('failed_at', 'is', null)
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(1000)
    .execute();
}

/** Waiting mails that an older version left in clear. */
export async function listClearMails(ctx: Ctx) {
  return ctx.db
    .selectFrom('mail')
    .select(['id', 'subject', 'html', 'text'])
    .where('sent_at', 'is', null)
    .where('failed_at', 'is', null)
    .where('sealed', 'is', null)
    .limit(1000)
    .execute();
}

export async function replaceClear(ctx: Ctx, id: string, sealed: Buffer): Promise<void> {
  await ctx.db
    .updateTable('mail')
    .set({ ...emptied, sealed })
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .execute();
}

export async function removeOldMails(ctx: Ctx, before: Date): Promise<void> {
  await ctx.db
    .deleteFrom('mail')
    .where((eb) => eb.fn.coalesce('sent_at', 'failed_at'), '<', before)
    .execute();
}

/** What went to an address, and when; what it said is gone by then. */
export async function listMailsTo(ctx: Ctx, email: string) {
  return ctx.db
    .selectFrom('mail')
    .select(['created_at as createdAt', 'sent_at as sentAt', 'failed_at as failedAt'])
    .where('to_address', '=', email)
    .orderBy('created_at')
    .execute();
}

/**
 * That mails went to an address; what is still to be delivered there is. Their ids stay their days (`removeOldMails`), naming nobody: a job that
 * runs twice knows by them what it has queued.
 */
export async function forgetMailsTo(tx: Ctx, email: string): Promise<void> {
  await tx.db
    .updateTable('mail')
    .set({ to_address: '', error: null })
    .where('to_address', '=', email)
    .where((eb) => eb.or([eb('sent_at', 'is not', null), eb('failed_at', 'is not', null)]))
    .execute();
}
