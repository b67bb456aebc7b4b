import { rateLimits } from '@lavra/api';
import { assertMayAct, type Cpf, DomainError, parseCpf } from '@lavra/domain';
import type { Ctx } from '../../../context.ts';
import type { SignerLink } from '../../../access/actor.ts';
import { countAttempt, limitRate } from '../../../access/limits.store.ts';
import { loadProcess } from '../../processes/load-process.ts';

export interface AskedFor {
  signatureProcessId: string;
  cpf: string;
}

/**
 * Providers tell whether somebody has a certificate, and ring their telephone: they are asked for a signer whose turn it is
 * alone, for the CPF that the creator registered when there is one, for few CPFs where there is none, and not often.
 * @throws DomainError request.tooMany, signer.*, process.notInProgress, process.otherModality, evidence.cpfInvalid, certificate.otherHolder
 */
export async function assertMayAsk(ctx: Ctx, actor: SignerLink, asked: AskedFor): Promise<{ cpf: Cpf; documents: number }> {
  const { row, state, signers, documents } = await loadProcess(ctx, asked.signatureProcessId);
  const signer = signers.find(({ id }) => id === actor.signerId);
  if (!signer) throw new DomainError('signer.notFound');
  assertMayAct(state, signer.id, ctx.clock.now());
  if (row.modality !== 'digital') throw new DomainError('process.otherModality');
  await limitRate(ctx, 'psc-signer', signer.id);
  const cpf = parseCpf(asked.cpf);
  if (!cpf) throw new DomainError('evidence.cpfInvalid', { field: 'cpf' });
  if (signer.legal_identifier && signer.legal_identifier !== cpf) throw new DomainError('signer.otherCpf', { field: 'cpf' });
  await limitCpfs(ctx, signer.id, cpf);
  return { cpf, documents: documents.length };
}

/** One CPF is one, however often it is asked for; one too many is not counted as asked for, whoever asks at the same time. */
function limitCpfs(ctx: Ctx, signerId: string, cpf: Cpf): Promise<void> {
  return ctx.transaction(async (tx) => {
    const isNew = (await countAttempt(tx, 'psc-signer-cpf', `${signerId} ${cpf}`, rateLimits['psc-signer-cpfs'].seconds)) === 1;
    if (isNew) await limitRate(tx, 'psc-signer-cpfs', signerId);
  });
}
