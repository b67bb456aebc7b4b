import type { Ctx } from '../../context.ts';
import { putBytes } from '../../storage/blob-store.ts';
import { instantOfAct } from '../clock/clock-watch.ts';
import { appendRevisions } from '../documents/document-file.ts';
import { recordSignaturePage, type StoredPage } from '../documents/signature-page.ts';
import { announceEnd } from '../processes/life/announce-end.ts';
import { collectEvidenceReport } from './collect-evidence-report.ts';
import type { drawEvidenceReport } from '../../paper/evidence-report.worker.ts';
import type { LoadedProcess } from '../processes/load-process.ts';
import { finishWithSuccess } from '../processes/life/finish-process.ts';
import { appendPrepared, chained, chainEnd, type NewEvent, type RecordedEvent } from '../processes/life/record-event.ts';
import { type FinishedDocument, sealPdf, type SealLevel } from './seal-documents.ts';

const drawing = new URL('../../paper/evidence-report.worker.ts', import.meta.url);

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
 * needs the events and its seal needs the network: both are made first, on the chain as it stands, and the transaction takes
 * them only if the chain still ends there. Killed anywhere before its commit, nothing has happened but bytes that nobody
 * refers to; after it, everything has.
 */
export async function recordFinished(ctx: Ctx, loaded: LoadedProcess, made: Made): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const end = await chainEnd(ctx, loaded.row.id);
    const at = await instantOfAct(ctx, end.at);
    const events = chained(end, at, lastEvents(loaded.row.id, made));
    const report = await sealedReport(ctx, loaded.row, { at, events, ...made });
    if (await record(ctx, loaded.row.id, at, made, events, report)) return;
  }
  throw new Error('the process did not hold still while its evidence report was drawn');
}

function lastEvents(signatureProcessId: string, { level, documents, pages }: Made): NewEvent[] {
  const changed = documents.filter(({ before, after }) => after.parts.length > before.parts.length);
  const isSealed = changed.some(({ before, after }) => after.parts.slice(before.parts.length).some(({ kind }) => kind === 'seal'));
  const told = changed.map(({ after }) => ({ id: after.documentId, name: after.name, sha256: after.parts.at(-1)?.fileHash }));
  return [
    ...(changed.length > 0
      ? [
          {
            signatureProcessId,
            type: isSealed ? ('process.sealed' as const) : ('process.extended' as const),
            data: { level, documents: told },
          },
        ]
      : []),
    {
      signatureProcessId,
      type: 'process.finalized',
      ...(pages.length > 0 ? { data: { signaturePages: pages.map(({ documentId, sha256 }) => ({ id: documentId, sha256 })) } } : {}),
    },
  ];
}

/** False when somebody else has written to the process meanwhile: nothing is recorded then. */
function record(
  ctx: Ctx,
  signatureProcessId: string,
  at: Date,
  { documents, pages }: Made,
  events: readonly RecordedEvent[],
  report: { sha256: string; size: number },
): Promise<boolean> {
  return ctx.transaction(async (tx) => {
    if (!(await appendPrepared(tx, events))) return false;
    await appendRevisions(
      tx,
      documents.flatMap(({ before, after: { documentId, parts } }) =>
        parts.slice(before.parts.length).map(({ signerId: _none, ...part }) => ({ documentId, ...part })),
      ),
    );
    for (const page of pages) await recordSignaturePage(tx, page);
    if (!(await finishWithSuccess(tx, signatureProcessId, at, { hash: report.sha256, size: report.size })))
      throw new Error('process ended while it was being sealed');
    await announceEnd(tx, signatureProcessId);
    return true;
  });
}

/** The evidence report of the process as it will stand, sealed like the documents. */
async function sealedReport(
  ctx: Ctx,
  { id, owner_id: owner }: LoadedProcess['row'],
  finish: { at: Date; events: readonly RecordedEvent[] } & Made,
): Promise<{ sha256: string; size: number }> {
  const facts = await collectEvidenceReport(ctx, id, finish);
  const drawn = await ctx.workers.run<typeof drawEvidenceReport>(drawing, 'drawEvidenceReport', facts, { caller: owner });
  const seal = await sealPdf(ctx, { parts: [], tail: drawn }, { name: 'lavra_selo' }, owner);
  return putBytes(ctx.storage, Buffer.concat([drawn, seal.bytes]));
}
