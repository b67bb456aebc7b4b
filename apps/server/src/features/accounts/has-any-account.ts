import type { Ctx } from '../../context.ts';
import { hasAnyUser } from './accounts.store.ts';

const begun = new WeakSet<Ctx['config']>();

/** False on an empty installation, whose first account becomes the administrator. */
export async function hasAnyAccount(ctx: Ctx): Promise<boolean> {
  // Every visitor's first page asks; an account stays.
  if (begun.has(ctx.config)) return true;
  const has = await hasAnyUser(ctx);
  if (has) begun.add(ctx.config);
  return has;
}
