import { assertMayAct, type Cpf, DomainError, parseCpf } from '@lavra/domain';
import type { Ctx } from '../../../context.ts';
import type { SignerLink } from '../../../access/actor.ts';
import { countAttempt, limitRate, limitRateByAddress } from '../../../access/limits.store.ts';
import { loadProcess } from '../../processes/load-process.ts';

export interface AskedFor {
  signatureProcessId: string;
  cpf: string;
}

const WINDOW_SECONDS = 900;
/** A signer has one CPF, and may mistype it. */
const CPFS_OF_SIGNER = 5;
const CPFS_WINDOW_SECONDS = 24 * 3600;

/**
 * Providers tell whether somebody has a certificate, and ring their telephone: they are asked for a signer whose turn it is
 * alone, for the CPF that the creator registered when there is one, for few CPFs where there is none, and not often.
 * @throws DomainError request.tooMany, signer.*, process.notInProgress, process.otherModality, evidence.cpfInvalid, certificate.otherHolder
 */
export async function assertMayAsk(ctx: Ctx, actor: SignerLink, asked: AskedFor): Promise<{ cpf: Cpf; documents: number }> {
  // Guessed ids are counted as well, and leave nothing but their address's counter.
  await limitRateByAddress(ctx, 'psc-address', actor.from.ip, 120, WINDOW_SECONDS);
  const { row, state, signers, documents } = await loadProcess(ctx, asked.signatureProcessId);
  const signer = signers.find(({ id }) => id === actor.signerId);
  if (!signer) throw new DomainError('signer.notFound');
  assertMayAct(state, signer.id, ctx.clock.now());
  if (row.modality !== 'digital') throw new DomainError('process.otherModality');
  await limitRate(ctx, 'psc-signer', signer.id, 30, WINDOW_SECONDS);
  const cpf = parseCpf(asked.cpf);
  if (!cpf) throw new DomainError('evidence.cpfInvalid', { field: 'cpf' });
  if (signer.legal_identifier && signer.legal_identifier !== cpf) throw new DomainError('signer.otherCpf', { field: 'cpf' });
  await limitCpfs(ctx, signer.id, cpf);
  return { cpf, documents: documents.length };
}

/** One CPF is one, however often it is asked for; one too many is not counted as asked for, whoever asks at the same time. */
function limitCpfs(ctx: Ctx, signerId: string, cpf: Cpf): Promise<void> {
  return ctx.transaction(async (tx) => {
    const isNew = (await countAttempt(tx, 'psc-signer-cpf', `${signerId} ${cpf}`, CPFS_WINDOW_SECONDS)) === 1;
    if (isNew) await limitRate(tx, 'psc-signer-cpfs', signerId, CPFS_OF_SIGNER, CPFS_WINDOW_SECONDS);
  });
}
