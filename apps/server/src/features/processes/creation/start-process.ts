import { canContinueDraft, DomainError } from '@lavra/domain';
import type { Person, System } from '../../../access/actor.ts';
import type { Ctx } from '../../../context.ts';
import { loggerFor } from '../../../loggers.ts';
import { actOnHeld, type Beside, type Foreseen, foreseeOn, fulfilAlone, holdNewestLoaded } from '../life/act-on-process.ts';
import { assertMayCall, callingParts } from '../life/sender-standing.ts';
import { type AccountFacts, holdAccount } from '../../accounts/find-account.ts';
import { holdPlan, reserveSignatures, usageParts } from '../../plans/count-usage.ts';
import { type HeldLoaded, loadToPrepare, type ToPrepare } from '../load-process.ts';
import type { LoadedProcess } from '../signature-process.ts';
import { insertSignatures, signatureWrites } from './creation.store.ts';

/**
 * Closes the creation sequence: checks the whole and queues the preparation, after which the first signers
 * are invited. Starting a started process is answered with success (the closing may be repeated).
 * @throws DomainError process.notFound, signersRequired, documentsRequired, deadline codes, reminderConflict, tooManyInvitations, contractSuspended; contract.digitalSignaturesUsedUp, electronicSignaturesUsedUp
 */
export async function startProcess(ctx: Ctx, actor: Person | System, id: string): Promise<void> {
  const toPrepare = await loadToPrepare(ctx, id);
  const { read } = toPrepare;
  if (!isToStart(actor, read)) return;
  const started = (await startAtOnce(ctx, actor, toPrepare)) ? read.signatureProcess : await startHeld(ctx, actor, id);
  if (!started) return;
  const { documents, signers, modality } = started;
  loggerFor(ctx.log, 'processes').info({ process: id, documents: documents.length, signers: signers.length, modality }, 'process started');
}

/** @throws DomainError process.notFound */
function isToStart(actor: Person | System, { signatureProcess: { ownerId, status } }: HeldLoaded): boolean {
  const currentIsOwner = actor.kind === 'system' || actor.userId === ownerId;
  if (!currentIsOwner) throw new DomainError('process.notFound');
  return canContinueDraft({ status, currentIsOwner });
}

/**
 * In one statement, on the draft as it was read; false, and nothing written, when it has been changed meanwhile, or the plan or the people
 * called do not allow it.
 */
async function startAtOnce(ctx: Ctx, actor: Person | System, { read, keys }: ToPrepare): Promise<boolean> {
  const { id, ownerId, modality, signers, stakeholders, sender } = read.signatureProcess;
  const pairs = pairsOf(read.signatureProcess);
  const foreseen = foreseenStart(ctx, actor, read);
  if (!foreseen) return false;
  const writes = [
    ...(sender ? await callingParts(ctx, sender, id, signers.length + stakeholders.length) : []),
    ...signatureWrites(ctx, id, pairs),
    ...usageParts.reservations(ctx, { id, ownerId, modality }, pairs.length, 'made'),
  ];
  const hands: Beside['hands'] = (standing) => ({ prepareDocuments: { read: standing(read), keys } });
  return fulfilAlone(ctx, foreseen, { writes, version: read.version, hands });
}

/** Null: the draft lacks something. Of several refusals the first one is told, in the order of `startHeld`. */
function foreseenStart(ctx: Ctx, actor: Person | System, read: HeldLoaded): Foreseen | null {
  try {
    return foreseeOn(ctx, read, startOf(actor, read.signatureProcess, { owner: read.signatureProcess.sender, now: ctx.clock.now() }));
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

/** The same under the locks, one question after the other: it says which refusal it is. Null: it was started meanwhile. */
function startHeld(ctx: Ctx, actor: Person | System, id: string): Promise<LoadedProcess | null> {
  return ctx.transaction(async (tx) => {
    // First: whatever is being added is in before we look, or is refused after.
    const held = await holdNewestLoaded(tx, id);
    if (!isToStart(actor, held)) return null;
    const { ownerId, modality, signers, stakeholders } = held.signatureProcess;
    const owner = await holdAccount(tx, ownerId);
    if (owner) await assertMayCall(tx, owner, id, signers.length + stakeholders.length);
    // After the account, as whoever else holds both.
    const plan = await holdPlan(tx, ownerId);
    await actOnHeld(tx, held, startOf(actor, held.signatureProcess, { owner, now: tx.clock.now() }));
    const signatureIds = await insertSignatures(tx, id, pairsOf(held.signatureProcess));
    await reserveSignatures(tx, plan, { id, modality, signatureIds });
    return held.signatureProcess;
  });
}

/**
 * What was in time when its client had written it all is not late by the sweep's own clock, which comes a minute or two later; but one
 * that was refused for hours for another reason is judged as it is.
 */
const SWEPT_MS = 10 * 60_000;

function startOf(
  actor: Person | System,
  { title, documents, signers, touchedAt }: LoadedProcess,
  { owner, now }: { owner: AccountFacts | null; now: Date },
) {
  return {
    kind: 'start' as const,
    facts: {
      title,
      by: owner?.email ?? '',
      documents: documents.map(({ id, name, hash }) => ({ id, name, sha256: hash })),
    },
    signers: signers.map(({ name, email, order }) => ({ name, email, order })),
    ...(actor.kind === 'system' ? { closedAt: new Date(Math.max(touchedAt.getTime(), now.getTime() - SWEPT_MS)) } : {}),
  };
}

const pairsOf = ({ signers, documents }: LoadedProcess) =>
  signers.flatMap((signer) => documents.map((document) => ({ signerId: signer.id, documentId: document.id })));
