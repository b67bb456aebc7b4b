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

/** Everybody who has left a company that kept files for some days only. */
export async function* everyPastRetention(ctx: Ctx): AsyncGenerator<MemberRetention> {
  for (let after: number | null = null; ;) {
    const found: Awaited<ReturnType<typeof store.listPastRetentions>> = await store.listPastRetentions(ctx, { after, limit: AT_ONCE });
    yield* found;
    if (found.length < AT_ONCE) return;
    after = found.at(-1)?.id ?? null;
  }
}

/** How long the companies of an account, that which it belongs to and those which it has left, keep what it sent. */
export async function listRetentionsOf(ctx: Ctx, ownerId: string): Promise<MemberRetention[]> {
  return [...(await store.listRetentions(ctx, { ownerId })), ...(await store.listPastRetentions(ctx, { ownerId }))];
}

/** Everybody who belongs to the company of an account; nobody where it belongs to none. */
export async function colleaguesOf(ctx: Ctx, userId: string): Promise<string[]> {
  const member = await store.findMember(ctx, userId);
  return member ? (await store.listMembers(ctx, member.companyId)).map((one) => one.userId) : [];
}
