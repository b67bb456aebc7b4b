import type { getValidation as call, Reply } from '@lavra/api';
import { instantOfAct, maskCpf, maskEmail } from '@lavra/domain';
import { readAll } from '@lavra/pades';
import type { Ctx } from '../../context.ts';
import type { Visitor } from '../../access/actor.ts';
import { eventSentence, toldEvent } from '../../language/event-sentence.ts';
import { formatInstant } from '../../language/format-instant.ts';
import { listProcessEvents } from '../processes/life/event-chain.ts';
import { listEvidenceOfProcess } from '../signing/list-evidence.ts';
import { openDocumentFile } from '../documents/document-file.ts';
import { findRemoved } from '../documents/removed-files.ts';
import { signaturePageOf } from '../documents/signature-page.ts';
import { admitTicket, type Ticketed } from './open-verified.ts';
import { verifyOnce } from './verify-once.ts';

/** What is larger is fetched by `downloadValidated`: an answer is made whole in memory. */
const INLINE_BYTES = 4 * 1024 * 1024;

/** What a visitor learns of a document: who signed, what the engine says of each signature in the stored bytes, the hashes, the log, the signed file. Of a
 * file that is kept no longer: what it was, and nothing about bytes that nobody looked at. */
export async function getValidation(ctx: Ctx, { from: { ip, langKey } }: Visitor, asked: Ticketed): Promise<Reply<typeof call>> {
  const { loaded, document } = await admitTicket(ctx, asked);
  const file = loaded.filesRemovedAt === null ? await openDocumentFile(ctx, document.id) : null;
  const removed = file ? null : await findRemoved(ctx, document.id);
  const { status, modality, signers } = loaded;
  const [evidences, events, verdicts] = await Promise.all([
    listEvidenceOfProcess(ctx, loaded),
    listProcessEvents(ctx, loaded.id),
    file && file.parts.length > 1 ? verifyOnce(ctx, file, ip) : null,
  ]);
  const finished = status === 'FINALIZED_WITH_SUCCESS';
  return {
    nameDocument: document.name,
    processTitle: loaded.title,
    status: status,
    type: modality === 'digital' ? 'DIGITAL_SIGNATURE' : 'ELETRONIC_SIGNATURE',
    originalHash: document.hash,
    signedHash: finished ? ((file ? file.parts.at(-1)?.fileHash : removed?.fileHash) ?? null) : null,
    filesRemovedDate: loaded.filesRemovedAt?.toISOString() ?? null,
    signers: signers.map((signer, index) => {
      const verdict = signer.status === 'SIGNED' ? verdicts?.ofSigner(index) : undefined;
      const evidence = evidences.find((one) => one.signer.id === signer.id)?.evidence;
      return {
        name: evidence?.name ?? signer.name,
        legalIdentifier: evidence ? maskCpf(evidence.cpf) : null,
        email: maskEmail(signer.email),
        status: signer.status,
        signedAt: signer.status === 'SIGNED' ? (signer.finalizedAt?.toISOString() ?? null) : null,
        indication: verdict?.indication ?? null,
        reasons: verdict?.reasons ?? [],
        level: verdict?.level ?? null,
        provenTime: verdict?.provenTime ?? null,
        certificate: modality === 'digital' ? (verdict?.certificate ?? null) : null,
        end: verdict?.end ?? null,
        coversWholeFile: verdict?.coversWholeFile ?? false,
        notes: verdict?.notes ?? [],
        changes: verdict?.changes ?? [],
      };
    }),
    seals: verdicts?.seals ?? [],
    signaturePage: signaturePageOf(removed ? { name: document.name, signaturePage: removed.page } : document),
    logsProcess: events.map((event) => {
      const at = instantOfAct(event, event.at);
      return { timestamp: formatInstant(at, true), at: at.toISOString(), message: eventSentence(ctx.translate, langKey, toldEvent(event)) };
    }),
    signedDocumentWithEvidencePage:
      finished && file && file.size <= INLINE_BYTES ? Buffer.from(await readAll(file.source)).toString('base64') : null,
  };
}
