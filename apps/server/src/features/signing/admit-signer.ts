import { assertMayAct, DomainError, type Modality } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import type { SignerLink } from '../../access/actor.ts';
import { limitRate, limitRateByAddress } from '../../access/limits.store.ts';
import { loadProcess } from '../processes/load-process.ts';

/**
 * Who asks to sign is looked up before anything is counted, decoded or stored for them: an invented process or signer costs
 * a question to the database and leaves nothing. Whoever may act is counted, by signer and by address.
 * @throws DomainError process.notFound, signer.*, process.notInProgress, process.otherModality, request.tooMany
 */
export async function admitSigner(ctx: Ctx, actor: SignerLink, asked: { signatureProcessId: string; modality: Modality }): Promise<void> {
  const { row, state, signers } = await loadProcess(ctx, asked.signatureProcessId);
  if (!signers.some(({ id }) => id === actor.signerId)) throw new DomainError('signer.notFound');
  assertMayAct(state, actor.signerId, ctx.clock.now());
  if (row.modality !== asked.modality) throw new DomainError('process.otherModality');
  await limitRate(ctx, 'sign', actor.signerId);
  await limitRateByAddress(ctx, 'sign-address', actor.from.ip);
}
