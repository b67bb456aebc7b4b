import type { Person } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { dropEmailKeys } from './email-changes.store.ts';

/** The address stays as it is; the link that was mailed is good for nothing. */
export function cancelEmailChange(ctx: Ctx, actor: Person): Promise<void> {
  return dropEmailKeys(ctx, actor.userId);
}
