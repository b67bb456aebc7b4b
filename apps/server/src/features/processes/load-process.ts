import { DomainError, fullName } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import { isAbout } from '../../tracing/under-way.ts';
import { findAccount } from '../accounts/find-account.ts';
import { findLoaded } from './aggregate.store.ts';
import * as store from './processes.store.ts';
import type { LoadedProcess } from './signature-process.ts';

/**
 * A process as it stands, with its documents.
 * @throws DomainError process.notFound
 */
export async function loadProcess(ctx: Ctx, id: string): Promise<LoadedProcess> {
  return (await loadProcessAndMark(ctx, id)).loaded;
}

/**
 * The same, and the newest instant that the database has seen (`assertClock`), for those who are about to sign or seal.
 * @throws DomainError process.notFound
 */
export async function loadProcessAndMark(ctx: Ctx, id: string): Promise<{ loaded: LoadedProcess; seen: Date }> {
  isAbout(id);
  const found = await findLoaded(ctx, id);
  if (!found) throw new DomainError('process.notFound');
  return { loaded: found.signatureProcess, seen: found.seen };
}

/** The process that a signer was added to. @throws DomainError signer.notFound */
export async function processIdOfSigner(ctx: Ctx, signerId: string): Promise<string> {
  const id = await store.findProcessIdOfSigner(ctx, signerId);
  if (id === null) throw new DomainError('signer.notFound');
  return id;
}

/** The boxes of all signers of a process: whose signature is not seen in the documents has none. */
export async function listProcessPlacements(ctx: Ctx, { id, signers }: Pick<LoadedProcess, 'id' | 'signers'>): Promise<store.SignerBox[]> {
  return signers.some(({ visible }) => visible) ? store.listPlacements(ctx, id) : [];
}

/** Whom to tell about a process. */
export async function findProcessOwner(ctx: Ctx, { ownerId }: Pick<LoadedProcess, 'ownerId'>) {
  const owner = await findAccount(ctx, ownerId);
  return owner ? { email: owner.email, name: fullName(owner), locale: owner.langKey } : null;
}

/** Whether somebody with this e-mail signs a process that was started. */
export function hasSigner(ctx: Ctx, signatureProcessId: string, email: string): Promise<boolean> {
  return store.hasSigner(ctx, signatureProcessId, email);
}
