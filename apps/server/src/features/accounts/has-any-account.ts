import type { Ctx } from '../../context.ts';
import { hasAnyUser } from './accounts.store.ts';

/** False on an empty installation, whose first account becomes the administrator. */
export function hasAnyAccount(ctx: Ctx): Promise<boolean> {
  return hasAnyUser(ctx);
}
