import type { SignedData } from '../cms/read-signed-data.ts';
import type { HashName } from '../crypto.ts';
import { timestampContext } from './document-context.ts';
import type { DocumentContext } from './document-context.ts';
import { earliestOf, timestampsOver } from './existence.ts';
import type { ProvenTime } from './existence.ts';
import type { FoundSignature } from './find-signatures.ts';
import { permissionOf, checkChanges } from './judge-changes.ts';
import { judgeTimestamp } from './judge-timestamp.ts';
import { notesOn } from './cms-notes.ts';
import { VerdictBuilder } from './report.ts';
import type { DocumentTimestampReport } from './report.ts';

/** Judges a document timestamp (EN 319 142-1 §5.4.3): a timestamp token over the ByteRange. */
export async function judgeDocumentTimestamp(
  found: FoundSignature,
  cms: SignedData | null,
  proofs: readonly ProvenTime[],
  context: DocumentContext,
): Promise<DocumentTimestampReport> {
  const out = new VerdictBuilder();
  if (found.fault !== null) out.fail('FORMAT_FAILURE', found.fault);
  const told = await checkChanges(found, await permissionOf(found, context), context, out);
  const claim = {
    kind: 'document-timestamp' as const,
    field: found.fields[0] ?? null,
    token: found.contents,
    digest: (hash: HashName) => context.digestOf(found, hash),
    proven: earliestOf(timestampsOver(found.range?.end ?? Number.POSITIVE_INFINITY, proofs)),
  };
  const report = await judgeTimestamp(claim, timestampContext(context, proofs), out);
  return {
    ...report,
    kind: 'document-timestamp',
    notes: notesOn(cms),
    end: found.range?.end ?? 0,
    coversWholeFile: await context.coversWhole(found),
    ...told,
  };
}
