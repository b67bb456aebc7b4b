import { cleanLine, DomainError, limits } from '@lavra/domain';
import type { SignerLink } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { assertLinkOpen } from './assert-link-open.ts';
import { actOnProcess } from '../processes/life/act-on-process.ts';

/**
 * One refusal ends the process.
 * @throws DomainError text.invisible; signer.rejectCauseRequired, rejectCauseTooLong, notYourTurn …, process.notInProgress
 */
export async function rejectSignature(ctx: Ctx, actor: SignerLink, input: { signatureProcessId: string; cause: string }): Promise<void> {
  const cause = cleanLine(input.cause, 'rejectCause');
  if (cause === '') throw new DomainError('signer.rejectCauseRequired', { field: 'rejectCause' });
  if (cause.length > limits.rejectCauseMax)
    throw new DomainError('signer.rejectCauseTooLong', { field: 'rejectCause', params: { max: limits.rejectCauseMax } });
  const facts = { ip: actor.from.ip, link: actor.channel };
  await ctx.transaction(async (tx) => {
    await actOnProcess(tx, input.signatureProcessId, { kind: 'reject', signerId: actor.signerId, cause, facts });
    await assertLinkOpen(tx, actor);
  });
}
