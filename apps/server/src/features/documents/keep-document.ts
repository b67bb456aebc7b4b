import { randomUUID } from 'node:crypto';
import type { UploadedDocument } from '@lavra/api';
import { checkedFileName, documentNotices, documentRefusal, DomainError } from '@lavra/domain';
import { PadesError, type PdfInspection } from '@lavra/pades';
import type { Person } from '../../access/actor.ts';
import { namedAccount } from '../../access/named-account.store.ts';
import type { Ctx } from '../../context.ts';
import type { StoredPage } from '../../db/process-tables.ts';
import { MovedOn, type Write } from '../../db/at-once.ts';
import { namedUuid } from '../../named-uuid.ts';
import { countDocument, usageParts } from '../plans/count-usage.ts';
import { findUploaded, insertDocument, type NewDocument } from './documents.store.ts';
import { admitStoredPdf } from './stored-pdf.ts';
import { type Beginning, endParts } from './upload-parts.ts';

/** Geometry is kept and answered for this many pages; boxes can be placed on these. */
export const PAGES_KEPT = 2000;

/** A file whose bytes are in the storage already, by their hash. */
export interface StoredUpload {
  fileName: string;
  sha256: string;
  size: number;
  /** SHA-256 of the file with a password that this one was opened from; null: none. */
  openedFrom: string | null;
  /** Pieces that came before the request and end with it; null: none. */
  beginning: Beginning | null;
}

/** `isNew`: kept by this call. */
interface Kept {
  document: UploadedDocument;
  isNew: boolean;
}

/**
 * Inspects stored bytes, rehearses the signing, and keeps them as a document of their owner, not yet part of a process. Of a call that
 * is done once for its key, the one that was kept by who did it before, or does it beside, is found; `position`: among the call's files.
 * @throws DomainError document.* with `params.name`, the reason a file cannot be signed; contract.documentsUsedUp, contract.storageUsedUp
 */
export async function keepDocument(ctx: Ctx, actor: Person, upload: StoredUpload, position: number): Promise<Kept> {
  const name = checkedFileName(upload.fileName);
  if (upload.size === 0) throw new DomainError('document.empty', { params: { name } });
  const id = ctx.onceFor === undefined ? randomUUID() : namedUuid(JSON.stringify([ctx.onceFor, position, name, upload.sha256]));
  const document = await inspected(ctx, actor, upload, { id, name });
  try {
    if (upload.beginning || !(await keepAtOnce(ctx, document))) await keepInspected(ctx, document, upload.beginning);
    return { document: answerOf(document), isNew: true };
  } catch (error) {
    const known = ctx.onceFor === undefined ? undefined : await findUploaded(ctx, id);
    if (!known) throw error;
    return { document: answerOf(known), isNew: false };
  }
}

function answerOf({
  id,
  name,
  hash,
  size,
  openedFrom,
  pageCount,
  pages,
  priorSignatures,
  notices,
  createdAt,
}: Omit<NewDocument, 'ownerId'>) {
  const facts = { id, name, hash, size, openedFrom, pageCount, pages, priorSignatures, notices: [...notices] };
  return { ...facts, createdDate: createdAt.toISOString() };
}

async function inspected(ctx: Ctx, actor: Person, upload: StoredUpload, { id, name }: { id: string; name: string }): Promise<NewDocument> {
  const inspection = await admit(ctx, actor, upload, name);
  const now = ctx.clock.now();
  const pages = inspection.pages.map((page): StoredPage => ({ box: [...page.visibleBox], rotate: page.rotate, userUnit: page.userUnit }));
  return {
    id,
    ownerId: actor.userId,
    name,
    hash: upload.sha256,
    size: upload.size,
    openedFrom: upload.openedFrom,
    pageCount: inspection.pageCount,
    pages,
    priorSignatures: inspection.signatures.filter((signature) => signature.signed).length,
    notices: documentNotices({
      openFields: inspection.openFields.length,
      besideXfa: inspection.xfa === 'beside',
      mayClose: inspection.permits.textFields,
      mayAppend: inspection.permits.pages,
      mayShow: inspection.permits.visibleSignatureFields,
      conformance: inspection.conformance,
      keepsConformance: inspection.keepsConformance,
    }),
    createdAt: now,
  };
}

/**
 * A document of bytes that are stored and were inspected, with its first revision, counted on the contract that covers its owner.
 * @throws DomainError contract.documentsUsedUp, contract.storageUsedUp, request.invalid: the pieces of its beginning became another
 */
export function keepInspected(ctx: Ctx, document: NewDocument, beginning: Beginning | null = null): Promise<void> {
  return ctx.transaction(async (tx) => {
    // First: it waits for another request that ends the same upload.
    if (beginning) await endParts(tx, document.ownerId, beginning);
    await insertDocument(tx, document);
    await countDocument(tx, document.ownerId, document);
  });
}

/** The same in one statement, outside of a transaction; false, and nothing kept, where the plan does not take it. */
async function keepAtOnce(ctx: Ctx, document: NewDocument): Promise<boolean> {
  const owner: Write = { as: 'owner', query: namedAccount(document.ownerId), isRead: true };
  try {
    await insertDocument(ctx, document, [owner, ...usageParts.document(ctx, document.ownerId, document)]);
    return true;
  } catch (error) {
    if (error instanceof MovedOn) return false;
    throw error;
  }
}

async function admit(ctx: Ctx, actor: Person, { sha256, size }: StoredUpload, name: string): Promise<PdfInspection> {
  const parts = [{ blobHash: sha256, size, offset: 0 }];
  try {
    return await admitStoredPdf(ctx, { parts }, PAGES_KEPT, { lane: 'strangers', caller: actor.userId });
  } catch (error) {
    if (!(error instanceof PadesError)) throw error;
    throw new DomainError(documentRefusal(error.code), { params: { name } });
  }
}
