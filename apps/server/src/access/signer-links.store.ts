import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../context.ts';
import type { Write } from '../db/at-once.ts';
import { keptStatement } from '../db/kept-statement.ts';
import type { LinkChannel } from './actor.ts';

/** What a key opens. */
export interface OpenedLink {
  signerId: string;
  channel: LinkChannel;
  /** Another one took its place. */
  isEnded: boolean;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** What a key opens, as a query: for a statement that reads more. */
export function selectLink(db: Ctx['db'], { key }: { key: string }) {
  return db.selectFrom('signer_link').select(['signer_id as signerId', 'channel', 'ended_at as endedAt']).where('key', '=', key);
}

const link = keptStatement((db, given: { key: string }) => selectLink(db, given));

/** False where nobody was given such a key. */
export const isLinkKey = (key: unknown): key is string => typeof key === 'string' && UUID.test(key);

/** Null where nobody was given such a key. */
export async function findLink(ctx: Ctx, key: string): Promise<OpenedLink | null> {
  if (!isLinkKey(key)) return null;
  const [row] = await link(ctx.db, { key });
  return row ? { signerId: row.signerId, channel: row.channel, isEnded: row.endedAt !== null } : null;
}

/** The keys that stand in mails to these signers. */
export async function mailedKeys(ctx: Ctx, signerIds: readonly string[]): Promise<Map<string, string>> {
  if (signerIds.length === 0) return new Map();
  const rows = await ctx.db
    .selectFrom('signer_link')
    .select(['signer_id as signerId', 'key'])
    .where('signer_id', 'in', signerIds)
    .where('channel', '=', 'mailed')
    .where('ended_at', 'is', null)
    .execute();
  return new Map(rows.map(({ signerId, key }) => [signerId, key]));
}

/** The keys that hold as SQL, JSON by signer, for a statement that reads more on its way; `signerIds`: SQL too. */
export function mailedKeysOf(signerIds: RawBuilder<unknown>) {
  return sql<Record<string, string>>`(
    select coalesce(json_object_agg(signer_id, key), '{}') from signer_link
    where signer_id in (${signerIds}) and channel = 'mailed' and ended_at is null)`;
}

/** The keys that stood in mails before and have been replaced, as SQL. */
export function replacedKeysOf(signerIds: RawBuilder<unknown>) {
  return sql<{ signerId: string; key: string }[]>`(
    select coalesce(json_agg(json_build_object('signerId', signer_id, 'key', key)), '[]') from signer_link
    where signer_id in (${signerIds}) and channel = 'mailed' and ended_at is not null)`;
}

/** Ends all links of a signer, and makes the one that is mailed next. */
export async function replaceLinks(tx: Ctx, signerId: string): Promise<void> {
  await tx.db
    .updateTable('signer_link')
    .set({ ended_at: tx.clock.now(), code_hash: null })
    .where('signer_id', '=', signerId)
    .where('ended_at', 'is', null)
    .execute();
  await insertLink(tx, signerId, 'mailed');
}

/** The key of the link that the sender hands over themselves; the same however often it is asked for. */
export async function handedOverKey(tx: Ctx, signerId: string): Promise<string> {
  const row = await tx.db
    .selectFrom('signer_link')
    .select('key')
    .where('signer_id', '=', signerId)
    .where('channel', '=', 'handedOver')
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return row?.key ?? insertLink(tx, signerId, 'handedOver');
}

/** Makes a link, and answers its key. */
export async function insertLink(tx: Ctx, signerId: string, channel: LinkChannel): Promise<string> {
  const key = randomUUID();
  await tx.db.insertInto('signer_link').values({ key, signer_id: signerId, channel }).execute();
  return key;
}

/** Whether this link has not been replaced; asked under the lock of the process that it acts on. */
export async function isLinkOpen(tx: Ctx, key: string): Promise<boolean> {
  const link = await findLink(tx, key);
  return link !== null && !link.isEnded;
}

/** The same as part of the statement of an act. */
export function openLinkWrites(ctx: Ctx, key: string, otherwise: () => Error): Write[] {
  const query = ctx.db.selectFrom('signer_link').select('key').where('key', '=', key).where('ended_at', 'is', null);
  return [{ as: 'link', query, rows: 1, otherwise }];
}

/** The code that was mailed for a link that the sender handed over. */
export interface LinkCode {
  hash: string;
  until: Date;
}

/** A new code takes the place of the one before. */
export async function setLinkCode(tx: Ctx, key: string, { hash, until }: LinkCode): Promise<void> {
  await tx.db.updateTable('signer_link').set({ code_hash: hash, code_until: until, code_tries: 0 }).where('key', '=', key).execute();
}

/** Counts a try of a code that still holds, and answers its hash; null where there is none, or it was tried too often. */
export async function tryLinkCode(ctx: Ctx, key: string, mostTries: number): Promise<string | null> {
  const row = await ctx.db
    .updateTable('signer_link')
    .set((eb) => ({ code_tries: eb('code_tries', '+', 1) }))
    .where('key', '=', key)
    .where('ended_at', 'is', null)
    .where('code_until', '>', ctx.clock.now())
    .where('code_tries', '<', mostTries)
    .returning('code_hash')
    .executeTakeFirst();
  return row?.code_hash ?? null;
}

/** Uses a code up; false: somebody else just did. */
export async function useLinkCode(tx: Ctx, key: string, hash: string): Promise<boolean> {
  const used = await tx.db
    .updateTable('signer_link')
    .set({ code_hash: null })
    .where('key', '=', key)
    .where('code_hash', '=', hash)
    .where('ended_at', 'is', null)
    .executeTakeFirst();
  return Number(used.numUpdatedRows) === 1;
}
