import { instantOfAct, isSameName } from '@lavra/domain';
import { holderOf, parseCertificate } from '@lavra/pades';
import type { Ctx } from '../../context.ts';
import type { StoredPage } from '../documents/signature-page.ts';
import { evidencesBySigner } from '../signing/list-evidence.ts';
import { toldEvent } from '../../language/event-sentence.ts';
import { findLetterhead } from '../processes/life/find-letterhead.ts';
import { isChainIntact, type RecordedEvent } from '../processes/life/event-chain.ts';
import type { LoadedProcess } from '../processes/signature-process.ts';
import type { FinishedDocument } from './seal-documents.ts';
import type { ToReport } from './sealing.store.ts';
import type { EvidenceReport, ReportedSigner } from '../../paper/evidence-report.worker.ts';

/** How a process ends: its last events are not recorded yet. */
interface Finish {
  at: Date;
  events: readonly RecordedEvent[];
  documents: readonly FinishedDocument[];
  pages: readonly StoredPage[];
}

/** What the evidence report tells of a process as it stands, and as it will when it has ended. */
export async function collectEvidenceReport(
  ctx: Ctx,
  loaded: LoadedProcess,
  { recorded, finish }: { recorded: ToReport; finish: Finish },
): Promise<EvidenceReport> {
  const events = [...recorded.events, ...finish.events];
  const { localesDir, dataDir, s3 } = ctx.config;
  return {
    processId: loaded.id,
    title: loaded.title,
    modality: loaded.modality,
    verificationUrl: `${ctx.publicUrl}/validateLogin`,
    letterhead: await findLetterhead(ctx, loaded),
    createdAt: loaded.createdAt,
    finishedAt: finish.at,
    documents: loaded.documents.map(({ id, name, hash, openedFrom, pageCount }) => ({
      id,
      name,
      pageCount,
      originalHash: hash,
      openedFrom,
      signedHash: finish.documents.find(({ after }) => after.documentId === id)?.after.parts.at(-1)?.fileHash ?? null,
      pageHash: finish.pages.find(({ documentId }) => documentId === id)?.sha256 ?? null,
    })),
    signers: await collectSigners(ctx, evidencesBySigner(loaded, recorded.evidences)),
    events: events.map((event) => ({ at: instantOfAct(event, event.at), hash: event.hash, ...toldEvent(event) })),
    isChainIntact: isChainIntact(events),
    locale: loaded.langKey,
    localesDir,
    storage: { dataDir, s3 },
  };
}

async function collectSigners(ctx: Ctx, evidences: ReturnType<typeof evidencesBySigner>): Promise<ReportedSigner[]> {
  // The worker reads them again and believes nothing either; here the fault is told.
  for (const { evidence } of evidences) if (evidence.imageHash) await ctx.storage.check(evidence.imageHash);
  return evidences.map(({ signer, evidence }) => ({
    order: signer.order,
    name: evidence.name,
    invitedName: isSameName(evidence.name, signer.name) ? null : signer.name,
    cpf: evidence.cpf,
    cpfConfirmed: confirmedOf(evidence),
    cnpj: signer.cnpj,
    email: signer.email,
    signedAt: signer.finalizedAt,
    ip: evidence.ip,
    isLinkConfirmed: evidence.channel === 'confirmed',
    userAgent: evidence.userAgent,
    place:
      evidence.latitude === null
        ? null
        : { latitude: evidence.latitude, longitude: evidence.longitude ?? 0, accuracy: evidence.accuracy ?? 0 },
    consentText: evidence.consentText,
    consentHash: evidence.consentHash,
    certificateFingerprint: evidence.certificateFingerprint,
    certificateType: evidence.certificate === null ? null : (holderOf(parseCertificate(new Uint8Array(evidence.certificate))).type ?? null),
    imageHash: evidence.imageHash,
  }));
}

type SignedEvidence = ReturnType<typeof evidencesBySigner>[number]['evidence'];

function confirmedOf({ cpfConfirmedBy: by, cpfAssurance: assurance, cpfConfirmedAt: at }: SignedEvidence): ReportedSigner['cpfConfirmed'] {
  return by === null || at === null ? null : { by, assurance, at };
}
