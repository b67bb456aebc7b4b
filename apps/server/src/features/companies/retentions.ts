import type { Ctx } from '../../context.ts';
import * as store from './members.store.ts';

export type MemberRetention = store.MemberRetention;

const AT_ONCE = 500;

/** Everybody whose company keeps files for some days only. */
export async function* everyRetention(ctx: Ctx): AsyncGenerator<MemberRetention> {
  for (let after: string | null = null; ;) {
    const found: MemberRetention[] = await store.listRetentions(ctx, { after, limit: AT_ONCE });
    yield* found;
    if (found.length < AT_ONCE) return;
    after = found.at(-1)?.ownerId ?? null;
  }
}

/** How long the company of an account keeps what it sends; undefined: without end, or there is no company. */
export async function findRetention(ctx: Ctx, ownerId: string): Promise<MemberRetention | undefined> {
  return (await store.listRetentions(ctx, { ownerId }))[0];
}

/** Everybody who belongs to the company of an account; nobody where it belongs to none. */
export async function colleaguesOf(ctx: Ctx, userId: string): Promise<string[]> {
  const member = await store.findMember(ctx, userId);
  return member ? (await store.listMembers(ctx, member.companyId)).map((one) => one.userId) : [];
}
