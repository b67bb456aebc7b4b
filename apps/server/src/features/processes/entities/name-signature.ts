import { DomainError } from '@lavra/domain';
import type { Person } from '../../../access/actor.ts';
import type { Ctx } from '../../../context.ts';
import { getRecord } from '../../../entities/records.ts';
import { listProcessDocuments } from '../../documents/process-documents.ts';
import { continueDraft } from '../creation/continue-draft.ts';
import { insertSignatures } from '../creation/creation.store.ts';
import { findSignatureId, setSignature } from './drafts.store.ts';
import { signerRows } from './records.store.ts';

/** Whose signature of which document. */
export interface NamedSignature {
  /** One that is there and becomes this; null: a new one. */
  id: string | null;
  signerId: string;
  documentId: string;
}

/**
 * Names a signature of a draft before its start, which makes all that are not named yet; signing it is another call's.
 * @throws DomainError signer.notFound, process.notDraft, document.notFound: not of the signer's process, record.exists
 */
export function nameSignature(ctx: Ctx, actor: Person, { id, signerId, documentId }: NamedSignature): Promise<string> {
  return ctx.transaction(async (tx) => {
    const { signatureProcess } = await getRecord(tx, actor, signerRows, signerId);
    await continueDraft(tx, actor, signatureProcess.id);
    const documents = await listProcessDocuments(tx, signatureProcess.id);
    if (!documents.some((document) => document.id === documentId)) throw new DomainError('document.notFound', { field: 'document' });
    if (id !== null) await setSignature(tx, { id, signerId, documentId });
    else {
      if (await findSignatureId(tx, signerId, documentId)) throw new DomainError('record.exists', { field: 'document' });
      await insertSignatures(tx, signatureProcess.id, [{ signerId, documentId }]);
    }
    const named = id ?? (await findSignatureId(tx, signerId, documentId));
    return named ?? Promise.reject(new DomainError('request.conflict'));
  });
}
