import type { Visitor } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';

/** Never: a recording of visits at a stranger's would have documents, names and CPFs in it (docs/decisions/043). */
export async function clarityEnable(_ctx: Ctx, _actor: Visitor): Promise<boolean> {
  return false;
}
