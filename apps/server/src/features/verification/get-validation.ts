import type { getValidation as call, Reply } from '@lavra/api';
import { maskCpf, maskEmail } from '@lavra/domain';
import { readAll } from '@lavra/pades';
import type { Ctx } from '../../context.ts';
import type { Visitor } from '../../access/actor.ts';
import { eventSentence, toldEvent } from '../../language/event-sentence.ts';
import { formatInstant } from '../../language/format-instant.ts';
import { listProcessEvents } from '../processes/life/event-chain.ts';
import { listEvidenceOfProcess } from '../signing/list-evidence.ts';
import { openVerified, type Ticketed } from './open-verified.ts';
import { verifyOnce } from './verify-once.ts';

/** What is larger is fetched by `downloadValidated`: an answer is made whole in memory. */
const INLINE_BYTES = 4 * 1024 * 1024;

/** What a visitor learns of a document: who signed, what the engine says of each signature in the stored bytes, the hashes, the log, the signed file. */
export async function getValidation(ctx: Ctx, { from: { ip, langKey } }: Visitor, asked: Ticketed): Promise<Reply<typeof call>> {
  const { loaded, file, page } = await openVerified(ctx, asked);
  const { status, modality, signers } = loaded;
  const [evidences, events, verdicts] = await Promise.all([
    listEvidenceOfProcess(ctx, loaded.id),
    listProcessEvents(ctx, loaded.id),
    file.parts.length > 1 ? verifyOnce(ctx, file, ip) : null,
  ]);
  const finished = status === 'FINALIZED_WITH_SUCCESS';
  return {
    nameDocument: file.name,
    processTitle: loaded.title,
    status: status,
    type: modality === 'digital' ? 'DIGITAL_SIGNATURE' : 'ELETRONIC_SIGNATURE',
    originalHash: file.originalHash,
    signedHash: finished ? (file.parts.at(-1)?.fileHash ?? null) : null,
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
    signaturePage: page,
    logsProcess: events.map((event) => ({
      timestamp: formatInstant(event.at, true),
      message: eventSentence(ctx.translate, langKey, toldEvent(event)),
    })),
    signedDocumentWithEvidencePage:
      finished && file.size <= INLINE_BYTES ? Buffer.from(await readAll(file.source)).toString('base64') : null,
  };
}
