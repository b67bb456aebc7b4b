import { assertMayAct, type Cpf, DomainError, type Modality } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import type { SignerLink } from '../../access/actor.ts';
import { limitRateOfBoth } from '../../access/limits.store.ts';
import { type HeldLoaded, loadHeld } from '../processes/load-process.ts';
import type { LoadedProcess, ProcessSigner } from '../processes/signature-process.ts';

/** Who may sign now, and what: title, modality, places and CPF of a process do not change once it runs. */
export interface Admitted {
  read: HeldLoaded;
  signatureProcess: LoadedProcess;
  signer: ProcessSigner;
}

/**
 * Who asks to sign is looked up before anything is counted, decoded or stored for them: an invented process or signer costs
 * a question to the database and leaves nothing. Whether they still may is decided again, under the process's lock, where the act
 * is written down. `files`: with what its documents' files are made of.
 * @throws DomainError process.notFound, signer.*, process.notInProgress, process.otherModality
 */
export async function admitSigner(
  ctx: Ctx,
  actor: SignerLink,
  asked: { signatureProcessId: string; modality: Modality },
  files?: 'files',
): Promise<Admitted> {
  const read = await loadHeld(ctx, asked.signatureProcessId, files);
  const { signatureProcess } = read;
  const signer = signatureProcess.signers.find(({ id }) => id === actor.signerId);
  if (!signer) throw new DomainError('signer.notFound');
  assertMayAct(signatureProcess, signer.id, ctx.clock.now());
  if (signatureProcess.modality !== asked.modality) throw new DomainError('process.otherModality');
  return { read, signatureProcess, signer };
}

/** Acts of whoever was admitted are counted, by signer and by address. @throws DomainError request.tooMany */
export async function countAct(ctx: Ctx, actor: SignerLink): Promise<void> {
  await limitRateOfBoth(ctx, { name: 'sign', subject: actor.signerId }, { name: 'sign-address', ip: actor.from.ip });
}

/** Where the creator registered a CPF, only that one signs. @throws DomainError signer.otherCpf */
export function assertOwnCpf(signer: ProcessSigner, cpf: Cpf): void {
  if (signer.cpf && signer.cpf !== cpf) throw new DomainError('signer.otherCpf', { field: 'cpf' });
}
