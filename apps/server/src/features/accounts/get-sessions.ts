import type { AccountSession } from '@lavra/api';
import type { Person } from '../../access/actor.ts';
import { findOpenSessions } from '../../access/sessions.store.ts';
import type { Ctx } from '../../context.ts';

/** Where the actor's account is signed in. */
export async function getSessions(ctx: Ctx, actor: Person): Promise<{ sessions: AccountSession[] }> {
  const open = await findOpenSessions(ctx, actor.userId);
  const sessions = open.map(({ id, userAgent, createdAt, lastUsedAt, expiresAt }) => ({
    id,
    current: id === actor.sessionId,
    userAgent,
    createdDate: createdAt.toISOString(),
    lastUsedDate: (lastUsedAt ?? createdAt).toISOString(),
    expiresDate: expiresAt.toISOString(),
  }));
  return { sessions };
}
