import { assertMayAct, DomainError, parseCpf } from '@lavra/domain';
import type { SignerLink } from '../../access/actor.ts';
import { limitRate, limitRateByAddress } from '../../access/limits.store.ts';
import type { Ctx } from '../../context.ts';
import { loadProcess } from '../processes/load-process.ts';
import { assertOwnCpf } from './admit-signer.ts';

/**
 * Tells a signer at the first step that their CPF is not the one that the sender named, and not after they drew their signature.
 * Each try counts by the signer: who holds a link does not learn the number by asking.
 * @throws DomainError process.notFound, signer.*, process.notInProgress, evidence.cpfInvalid, request.tooMany
 */
export async function checkSignerCpf(ctx: Ctx, actor: SignerLink, input: { processId: string; cpf: string }): Promise<void> {
  const signatureProcess = await loadProcess(ctx, input.processId);
  const signer = signatureProcess.signers.find(({ id }) => id === actor.signerId);
  if (!signer) throw new DomainError('signer.notFound');
  assertMayAct(signatureProcess, signer.id, ctx.clock.now());
  const cpf = parseCpf(input.cpf);
  if (!cpf) throw new DomainError('evidence.cpfInvalid', { field: 'cpf' });
  await limitRate(ctx, 'signer-cpf', actor.signerId);
  await limitRateByAddress(ctx, 'sign-address', actor.from.ip);
  assertOwnCpf(signer, cpf);
}
