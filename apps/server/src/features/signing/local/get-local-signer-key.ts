import type { getLocalSignerKey as call, Reply } from '@lavra/api';
import type { Visitor } from '../../../access/actor.ts';
import type { Ctx } from '../../../context.ts';
import { localSignerKey } from './local-signer-request.ts';

/** By which LAVRA_SIGNER knows this installation's requests. */
export async function getLocalSignerKey(ctx: Ctx, _actor: Visitor): Promise<Reply<typeof call>> {
  return { key: localSignerKey(ctx) };
}
