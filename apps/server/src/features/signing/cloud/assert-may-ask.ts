import { rateLimits } from '@lavra/api';
import { type Cpf, DomainError, parseCpf } from '@lavra/domain';
import type { Ctx } from '../../../context.ts';
import type { SignerLink } from '../../../access/actor.ts';
import { countAttempt, limitRate } from '../../../access/limits.store.ts';
import { type Admitted, admitSigner, assertOwnCpf } from '../admit-signer.ts';

export interface AskedFor {
  signatureProcessId: string;
  cpf: string;
}

/**
 * Providers tell whether somebody has a certificate, and ring their telephone: they are asked for a signer whose turn it is
 * alone, for the CPF that the creator registered when there is one, for few CPFs where there is none, and not often.
 * @throws DomainError request.tooMany, signer.*, process.notInProgress, process.otherModality, evidence.cpfInvalid, certificate.otherHolder
 */
export async function assertMayAsk(ctx: Ctx, actor: SignerLink, asked: AskedFor): Promise<{ cpf: Cpf; admitted: Admitted }> {
  const admitted = await admitSigner(ctx, actor, { signatureProcessId: asked.signatureProcessId, modality: 'digital' });
  await limitRate(ctx, 'psc-signer', admitted.signer.id);
  const cpf = parseCpf(asked.cpf);
  if (!cpf) throw new DomainError('evidence.cpfInvalid', { field: 'cpf' });
  assertOwnCpf(admitted.signer, cpf);
  await limitCpfs(ctx, admitted.signer.id, cpf);
  return { cpf, admitted };
}

/** One CPF is one, however often it is asked for; one too many is not counted as asked for, whoever asks at the same time. */
function limitCpfs(ctx: Ctx, signerId: string, cpf: Cpf): Promise<void> {
  return ctx.transaction(async (tx) => {
    const isNew = (await countAttempt(tx, 'psc-signer-cpf', `${signerId} ${cpf}`, rateLimits['psc-signer-cpfs'].seconds)) === 1;
    if (isNew) await limitRate(tx, 'psc-signer-cpfs', signerId);
  });
}
