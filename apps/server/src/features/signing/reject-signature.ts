import { assertMayAct, cleanLine, DomainError, limits } from '@lavra/domain';
import type { SignerLink } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { announceEnd } from '../processes/life/announce-end.ts';
import { loadProcess } from '../processes/load-process.ts';
import { lockSignatureProcess } from '../processes/load-process.ts';
import { finishByRejection } from '../processes/life/finish-process.ts';
import { recordEvent } from '../processes/life/record-event.ts';
import { closeSigner } from './signing.store.ts';

/**
 * One refusal ends the process.
 * @throws DomainError text.invisible; signer.rejectCauseRequired, rejectCauseTooLong, notYourTurn …, process.notInProgress
 */
export async function rejectSignature(ctx: Ctx, actor: SignerLink, input: { signatureProcessId: string; cause: string }): Promise<void> {
  const cause = cleanLine(input.cause, 'rejectCause');
  if (cause === '') throw new DomainError('signer.rejectCauseRequired', { field: 'rejectCause' });
  if (cause.length > limits.rejectCauseMax)
    throw new DomainError('signer.rejectCauseTooLong', { field: 'rejectCause', params: { max: limits.rejectCauseMax } });
  await ctx.transaction(async (tx) => {
    await lockSignatureProcess(tx, input.signatureProcessId);
    const { state, signers } = await loadProcess(tx, input.signatureProcessId);
    assertMayAct(state, actor.signerId, tx.clock.now());
    await closeSigner(tx, actor.signerId, 'REJECTED', cause);
    if (!(await finishByRejection(tx, input.signatureProcessId))) throw new DomainError('process.notInProgress');
    const name = signers.find(({ id }) => id === actor.signerId)?.name ?? '';
    await recordEvent(tx, {
      signatureProcessId: input.signatureProcessId,
      type: 'signer.rejected',
      signerId: actor.signerId,
      data: { name, cause, ip: actor.from.ip },
    });
    await announceEnd(tx, input.signatureProcessId);
  });
}
