import type { ProcessAct } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import type { JobEnd } from '../../jobs/queue.ts';
import { loggerFor } from '../../loggers.ts';
import { putFresh, type StoredBlob } from '../../storage/blob-store.ts';
import { appendedRevisions } from '../documents/document-file.ts';
import { signaturePages, type StoredPage } from '../documents/signature-page.ts';
import { collectEvidenceReport } from './collect-evidence-report.ts';
import { sealOrder, withinBounds } from '../documents/stored-pdf.ts';
import { loadHeld } from '../processes/load-process.ts';
import type { LoadedProcess } from '../processes/signature-process.ts';
import { type Beside, type Foreseen, foreseeOn, fulfilAlone } from '../processes/life/act-on-process.ts';
import { type FinishedDocument, OWN_SEAL, sealingWith, type SealLevel } from './seal-documents.ts';
import type { drawSealedReport } from './sealed-report.worker.ts';
import { findToReport, type ToSeal } from './sealing.store.ts';

const drawing = new URL('./sealed-report.worker.ts', import.meta.url);

/** Somebody may ask for their link, or look, while the report is drawn: it is drawn again with that. */
const MOST_ROUNDS = 5;

/** All that the last act has made and stored. */
export interface Made {
  level: SealLevel;
  documents: readonly FinishedDocument[];
  /** Separate signature pages. */
  pages: readonly StoredPage[];
}

/**
 * Records what was sealed: revisions, the last events, the evidence report that tells them, the end and its mails. The report
 * needs the events and its seal needs the network: both are made first, on the chain as it was read, and the statement that records takes
 * them only if the chain still ends there. Killed anywhere before it, nothing has happened but bytes that nobody
 * refers to; after it, everything has.
 */
export async function recordFinished(ctx: Ctx, { read, keys }: Pick<ToSeal, 'read' | 'keys'>, made: Made, ends?: JobEnd): Promise<void> {
  const { id, documents } = read.signatureProcess;
  for (let round = 0, held = read; round < MOST_ROUNDS; round += 1, held = await loadHeld(ctx, id)) {
    const foreseen = foreseeOn(ctx, held, finishOf(made));
    const recorded = await findToReport(ctx, id);
    // Somebody has acted since: nothing needs to be drawn or sealed to find that out.
    if (recorded.events.at(-1)?.hash !== foreseen.records[0]?.previousHash) continue;
    const finish = { at: foreseen.instant.at, events: foreseen.records, ...made };
    const report = await sealedReport(ctx, { ...held.signatureProcess, documents }, { recorded, finish });
    const signed = recorded.events.filter(({ type }) => type === 'signer.signed');
    // The keys were read with the process, before the first round.
    const hands: Beside['hands'] = (standing) => ({ announceEnd: { loaded: standing(held).signatureProcess, keys, signed } });
    if (await record(ctx, foreseen, made, { report, ends, ...(held === read && { hands }) })) {
      return loggerFor(ctx.log, 'processes').info({ process: id, documents: documents.length, level: made.level }, 'process sealed');
    }
  }
  throw new Error('the process did not hold still while its evidence report was drawn');
}

function finishOf({ level, documents, pages }: Made): ProcessAct {
  const changed = documents.filter(({ before, after }) => after.parts.length > before.parts.length);
  const isSealed = changed.some(({ before, after }) => after.parts.slice(before.parts.length).some(({ kind }) => kind === 'seal'));
  const told = changed.map(({ after }) => ({ id: after.documentId, name: after.name, sha256: after.parts.at(-1)?.fileHash }));
  return {
    kind: 'finish',
    added: changed.length > 0 ? { type: isSealed ? 'process.sealed' : 'process.extended', facts: { level, documents: told } } : null,
    facts: pages.length > 0 ? { signaturePages: pages.map(({ documentId, sha256 }) => ({ id: documentId, sha256 })) } : {},
  };
}

/** False when somebody else has written to the process meanwhile: nothing is recorded then. */
function record(
  ctx: Ctx,
  foreseen: Foreseen,
  { documents, pages }: Made,
  { report, ...beside }: Pick<Beside, 'ends' | 'hands'> & { report: StoredBlob },
): Promise<boolean> {
  const revisions = appendedRevisions(
    ctx,
    documents.flatMap(({ before, after: { documentId, parts } }) =>
      parts.slice(before.parts.length).map(({ signerId: _none, ...part }) => ({ documentId, ...part })),
    ),
  );
  const apart = signaturePages(pages);
  return fulfilAlone(ctx, foreseen, {
    report: { hash: report.sha256, size: report.size },
    blobs: [...revisions.blobs, ...apart.blobs, { ...report, kind: 'report' }],
    writes: [...revisions.writes, ...apart.writes],
    ...beside,
  });
}

/** The evidence report of the process as it will stand, sealed like the documents. */
async function sealedReport(ctx: Ctx, standing: LoadedProcess, told: Parameters<typeof collectEvidenceReport>[2]): Promise<StoredBlob> {
  const report = await collectEvidenceReport(ctx, standing, told);
  const { order, services } = sealOrder(await sealingWith(ctx, { name: OWN_SEAL }, null));
  const turn = { lane: 'signing' as const, caller: standing.ownerId, services };
  const drawn = ctx.workers.run<typeof drawSealedReport>(drawing, 'drawSealedReport', { report, order }, turn);
  return putFresh(ctx.storage, await withinBounds(ctx, drawn));
}
