import { createHash } from 'node:crypto';
import { revocationListKey } from '@lavra/api';
import type { Certificate } from '@lavra/pades';
import type { Ctx } from '../context.ts';
import { LeastRecent } from '../storage/least-recent.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** ICP-Brasil has some 170 authorities that issue; more than this is nobody's need. */
const LISTED = 1000;

export interface ListAddress {
  key: string;
  url: string;
  /** DER. */
  issuer: Uint8Array;
}

/** What this program has written down lately, and when: the newest of each installation. */
const written = new WeakMap<Ctx['config'], LeastRecent<Date>>();

/**
 * Writes down that this authority's list was had there: who asks for it by key is given it. Once an hour, however often it was had: a
 * job asks for the same six times.
 */
export async function rememberListAddress(ctx: Ctx, { issuer, url }: { issuer: Certificate; url: string }): Promise<void> {
  const now = ctx.clock.now();
  const lately = written.get(ctx.config) ?? new LeastRecent(LISTED);
  written.set(ctx.config, lately);
  const what = `${createHash('sha256').update(issuer.der).digest('base64')} ${url}`;
  const last = lately.get(what);
  if (last && last <= now && now.getTime() - last.getTime() < HOUR_MS) return;
  await ctx.db
    .insertInto('revocation_list_address')
    .values({ key: await revocationListKey(issuer, url), url, issuer: Buffer.from(issuer.der), seen_at: now })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({ seen_at: now })
        .where('revocation_list_address.seen_at', '<', new Date(now.getTime() - DAY_MS)),
    )
    .execute();
  lately.set(what, now, 1);
}

export async function findListAddress(ctx: Ctx, key: string): Promise<ListAddress | null> {
  const row = await ctx.db.selectFrom('revocation_list_address').select(['key', 'url', 'issuer']).where('key', '=', key).executeTakeFirst();
  return row ? { ...row, issuer: new Uint8Array(row.issuer) } : null;
}

/** Those that were used last come first. */
export async function listListAddresses(ctx: Ctx): Promise<ListAddress[]> {
  const rows = await ctx.db
    .selectFrom('revocation_list_address')
    .select(['key', 'url', 'issuer'])
    .orderBy('seen_at', 'desc')
    .orderBy('key')
    .limit(LISTED)
    .execute();
  return rows.map((row) => ({ ...row, issuer: new Uint8Array(row.issuer) }));
}

export async function forgetOldAddresses(ctx: Ctx, before: Date): Promise<void> {
  await ctx.db.deleteFrom('revocation_list_address').where('seen_at', '<', before).execute();
}
