import { DomainError, fullName, type TurnFacts } from '@lavra/domain';
import { type Ahead, byId } from '../../access/first-reading.store.ts';
import type { Ctx } from '../../context.ts';
import { isAbout } from '../../tracing/under-way.ts';
import {
  findLoaded,
  findTold,
  findToPrepare,
  findTurn,
  type HeldLoaded,
  keysOf,
  loadedOf,
  processReadings,
  selectLoaded,
  selectMailedKeys,
  selectSignerIds,
  type ReadTold,
  type ToPrepare,
} from './aggregate.store.ts';
import * as store from './processes.store.ts';
import type { LoadedProcess } from './signature-process.ts';

export type { HeldLoaded, HeldProcess, MailedKeys, ReadTold, ToldProcess, ToPrepare } from './aggregate.store.ts';

const filesAhead = byId(processReadings.files, 'body.processId');

/** What calls about a process read first, by where its id stands in what was sent. */
export const processAhead = {
  /** The draft that a signer is added to. */
  continued: byId(processReadings.alone, 'body.signer.signatureProcess.id'),
  started: byId(processReadings.toPrepare, 'params.id'),
  shown: byId(processReadings.facts, 'params.processId'),
  /** Whoever comes as an account is handed their link first, which is an act of its own. */
  signed: { askedBy: (asking) => (asking.isByLink ? filesAhead.askedBy(asking) : null) },
} as const satisfies Record<string, Ahead>;

/**
 * A process as it stands, with its documents.
 * @throws DomainError process.notFound
 */
export async function loadProcess(ctx: Ctx, id: string): Promise<LoadedProcess> {
  return (await loadHeld(ctx, id)).signatureProcess;
}

/**
 * The same, where its chain ends, and the newest instant that the database has seen (`assertClock`): for those who are about to act on it. `files`: so that
 * `openDocumentFile` asks nothing more.
 * @throws DomainError process.notFound
 */
export async function loadHeld(ctx: Ctx, id: string, files?: 'files'): Promise<HeldLoaded> {
  isAbout(id);
  const found = await findLoaded(ctx, id, files);
  if (!found) throw new DomainError('process.notFound');
  return found;
}

/** The same with what its preparation and its invitations are made of. @throws DomainError process.notFound */
export async function loadToPrepare(ctx: Ctx, id: string): Promise<ToPrepare> {
  isAbout(id);
  const found = await findToPrepare(ctx, id);
  if (!found) throw new DomainError('process.notFound');
  return found;
}

/**
 * Only what decides whose turn it is: for what is asked every three seconds by whoever waits.
 * @throws DomainError process.notFound
 */
export async function loadTurn(ctx: Ctx, id: string): Promise<TurnFacts> {
  isAbout(id);
  const found = await findTurn(ctx, id);
  if (!found) throw new DomainError('process.notFound');
  return found;
}

/** A process as a query, for a statement that reads more on its way, and what its row says; its signers, for what is read of theirs, and the keys in their mails. */
export const processParts = { select: selectLoaded, of: loadedOf, signerIds: selectSignerIds, keys: selectMailedKeys, keysOf };

/** A process for those who tell of it: with the keys that stand in mails, and under which names they signed. @throws DomainError process.notFound */
export async function loadTold(ctx: Ctx, id: string): Promise<ReadTold> {
  isAbout(id);
  const found = await findTold(ctx, id);
  if (!found) throw new DomainError('process.notFound');
  return found;
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
export function ownerOf({ sender }: Pick<LoadedProcess, 'sender'>) {
  return sender && { email: sender.email, name: fullName(sender), locale: sender.langKey };
}

/** Whether somebody with this e-mail signs a process that was started. */
export function hasSigner(ctx: Ctx, signatureProcessId: string, email: string): Promise<boolean> {
  return store.hasSigner(ctx, signatureProcessId, email);
}
