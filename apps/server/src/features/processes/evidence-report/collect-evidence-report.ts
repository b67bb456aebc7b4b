import { isSameName } from '@lavra/domain';
import type { Ctx } from '../../../context.ts';
import { openDocumentFile } from '../../documents/document-file.ts';
import { listEvidenceOfProcess } from '../../signing/list-evidence.ts';
import { toldEvent } from '../event-sentence.ts';
import { loadProcess } from '../load-process.ts';
import { listProcessEvents } from '../process-lookups.ts';
import { isChainIntact } from '../record-event.ts';
import type { EvidenceReport, ReportedSigner } from './evidence-report.worker.ts';

/** What the evidence report tells, as the transaction sees the process. */
export async function collectEvidenceReport(tx: Ctx, signatureProcessId: string): Promise<EvidenceReport> {
  const { row, documents } = await loadProcess(tx, signatureProcessId);
  const events = await listProcessEvents(tx, signatureProcessId);
  const { localesDir, dataDir, s3 } = tx.config;
  return {
    processId: row.id,
    title: row.title,
    modality: row.modality,
    createdAt: row.created_at,
    finishedAt: tx.clock.now(),
    documents: await collectDocuments(tx, documents),
    signers: await collectSigners(tx, signatureProcessId),
    events: events.map((event) => ({ at: event.at, hash: event.hash, ...toldEvent(event) })),
    isChainIntact: isChainIntact(events),
    locale: row.lang_key,
    localesDir,
    storage: { dataDir, s3 },
  };
}

async function collectDocuments(
  tx: Ctx,
  documents: readonly { id: string; name: string; hash: string; page_count: number }[],
): Promise<EvidenceReport['documents']> {
  const collected: EvidenceReport['documents'][number][] = [];
  for (const { id, name, hash, page_count } of documents) {
    const file = await openDocumentFile(tx, id);
    collected.push({ id, name, pageCount: page_count, originalHash: hash, signedHash: file.parts.at(-1)?.fileHash ?? null });
  }
  return collected;
}

async function collectSigners(tx: Ctx, signatureProcessId: string): Promise<ReportedSigner[]> {
  const evidences = await listEvidenceOfProcess(tx, signatureProcessId);
  // The worker reads them again and believes nothing either; here the fault is told.
  for (const { evidence } of evidences) if (evidence.image_hash) await tx.storage.check(evidence.image_hash);
  return evidences.map(({ signer, evidence }) => ({
    order: signer.order,
    name: evidence.name,
    invitedName: isSameName(evidence.name, signer.name) ? null : signer.name,
    cpf: evidence.cpf,
    email: signer.email,
    signedAt: signer.finalized_at,
    ip: evidence.ip,
    userAgent: evidence.user_agent,
    place:
      evidence.latitude === null
        ? null
        : { latitude: evidence.latitude, longitude: evidence.longitude ?? 0, accuracy: evidence.accuracy ?? 0 },
    consentText: evidence.consent_text,
    consentHash: evidence.consent_hash,
    certificateFingerprint: evidence.certificate_fingerprint,
    imageHash: evidence.image_hash,
  }));
}
