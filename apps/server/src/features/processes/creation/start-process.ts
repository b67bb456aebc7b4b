import { canContinueDraft, DomainError } from '@lavra/domain';
import type { Person, System } from '../../../access/actor.ts';
import type { Ctx } from '../../../context.ts';
import { loggerFor } from '../../../loggers.ts';
import { actOnHeld, holdNewestLoaded } from '../life/act-on-process.ts';
import { assertMayCall } from '../life/sender-standing.ts';
import { holdAccount } from '../../accounts/find-account.ts';
import { holdPlan, reserveSignatures } from '../../plans/count-usage.ts';
import { insertSignatures } from './creation.store.ts';

/**
 * Closes the creation sequence: checks the whole and queues the preparation, after which the first signers
 * are invited. Starting a started process is answered with success (the closing may be repeated).
 * @throws DomainError process.notFound, signersRequired, documentsRequired, deadline codes, reminderConflict, tooManyInvitations, contractSuspended; contract.digitalSignaturesUsedUp, electronicSignaturesUsedUp
 */
export async function startProcess(ctx: Ctx, actor: Person | System, id: string): Promise<void> {
  const started = await ctx.transaction(async (tx) => {
    // First: whatever is being added is in before we look, or is refused after.
    const held = await holdNewestLoaded(tx, id);
    const { ownerId, status, title, modality, signers, stakeholders, documents } = held.signatureProcess;
    const currentIsOwner = actor.kind === 'system' || actor.userId === ownerId;
    if (!currentIsOwner) throw new DomainError('process.notFound');
    if (!canContinueDraft({ status, currentIsOwner })) return null;
    const owner = await holdAccount(tx, ownerId);
    if (owner) await assertMayCall(tx, owner, signers.length + stakeholders.length);
    // After the account, as whoever else holds both.
    const plan = await holdPlan(tx, ownerId);
    await actOnHeld(tx, held, {
      kind: 'start',
      facts: {
        title,
        by: owner?.email ?? '',
        documents: documents.map(({ id: documentId, name, hash }) => ({ id: documentId, name, sha256: hash })),
      },
      signers: signers.map(({ name, email, order }) => ({ name, email, order })),
    });
    const signatureIds = await insertSignatures(
      tx,
      id,
      signers.flatMap((signer) => documents.map((document) => ({ signerId: signer.id, documentId: document.id }))),
    );
    await reserveSignatures(tx, plan, { id, modality, signatureIds });
    return { documents: documents.length, signers: signers.length, modality };
  });
  if (started) loggerFor(ctx.log, 'processes').info({ process: id, ...started }, 'process started');
}
