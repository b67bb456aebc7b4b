import type { Ctx } from '../../context.ts';
import type { DocumentFile } from '../documents/document-file.ts';
import type { Turn } from '../documents/stored-pdf.ts';
import { openDocumentFile } from '../documents/document-file.ts';
import { type StoredFileVerdicts, verifyStoredFile } from '../verification/verify-stored-file.ts';
import type { LoadedProcess } from '../processes/signature-process.ts';
import type { FinishedDocument, SealLevel } from './seal-documents.ts';

/** Why a document is not handed out as finished. */
export interface Finding {
  /** The document's. */
  name: string;
  reasons: readonly string[];
}

interface Verdict {
  indication: string;
  reasons: readonly string[];
}

/**
 * The INDETERMINATE that a level has by nature (docs/decisions/018); everything else must be TOTAL-PASSED. It is that of a
 * digital signature without long-term proofs (B-B): its authority cannot be asked this moment, or its certificate has run out
 * while the others signed. It was judged when it was used; nobody can prove that later from the file, which is what B-B says.
 */
function isKnown(modality: 'digital' | 'electronic', level: SealLevel, { indication, reasons }: Verdict): boolean {
  if (indication !== 'INDETERMINATE' || reasons.length === 0) return false;
  const known = modality === 'digital' && level === 'B-B' ? ['REVOCATION_UNKNOWN', 'CERTIFICATE_EXPIRED'] : [];
  return reasons.every((reason) => known.includes(reason));
}

const turnOf = ({ ownerId }: LoadedProcess): Turn => ({ lane: 'signing', caller: ownerId });

/** What speaks against announcing these documents as finished; null: nothing. Verified from the stored bytes, like an outsider. */
export async function judgeFinished(
  ctx: Ctx,
  loaded: LoadedProcess,
  level: SealLevel,
  documents: readonly FinishedDocument[],
): Promise<Finding | null> {
  const { modality } = loaded;
  for (const { after } of documents) {
    const verdicts = await verifyStoredFile(ctx, after, turnOf(loaded));
    const own = verdicts.seals.filter(({ kind }) => kind !== 'other');
    const faults = [
      ...signersFaults(loaded, level, verdicts),
      ...(modality === 'electronic' && !own.some(({ kind }) => kind === 'seal') ? ['SEAL_MISSING'] : []),
      ...(level === 'B-LTA' && !own.some(({ kind }) => kind === 'timestamp') ? ['TIMESTAMP_MISSING'] : []),
      ...own.filter((verdict) => !isGood(modality, level, verdict)).flatMap(reasonsOf),
      ...(await brokenByUs(ctx, after, verdicts, turnOf(loaded))),
    ];
    if (faults.length > 0) return { name: after.name, reasons: [...new Set(faults)] };
  }
  return null;
}

/** The same of what the signers made, before anything is added to it. */
export async function judgeSigned(ctx: Ctx, loaded: LoadedProcess, files: readonly DocumentFile[]): Promise<Finding | null> {
  for (const file of files) {
    const faults = signersFaults(loaded, 'B-B', await verifyStoredFile(ctx, file, turnOf(loaded))).filter(
      (reason) => !passing.includes(reason),
    );
    if (faults.length > 0) return { name: file.name, reasons: [...new Set(faults)] };
  }
  return null;
}

/** What long-term proofs, or a list that is at hand again, may cure. */
const passing = ['REVOCATION_UNKNOWN'];

function signersFaults(loaded: LoadedProcess, level: SealLevel, verdicts: StoredFileVerdicts): string[] {
  return loaded.signers.flatMap((_signer, index) => {
    const verdict = verdicts.ofSigner(index);
    if (!verdict) return ['SIGNATURE_MISSING'];
    return isGood(loaded.modality, level, verdict) ? [] : reasonsOf(verdict);
  });
}

function isGood(modality: 'digital' | 'electronic', level: SealLevel, verdict: Verdict): boolean {
  return verdict.indication === 'TOTAL-PASSED' || isKnown(modality, level, verdict);
}

function reasonsOf({ indication, reasons }: Verdict): string[] {
  return reasons.length > 0 ? [...reasons] : [indication];
}

/** Signatures that came with the upload need not be of anybody's we know; but none that held before may be broken now. */
async function brokenByUs(ctx: Ctx, after: DocumentFile, verdicts: StoredFileVerdicts, turn: Turn): Promise<string[]> {
  const broken = verdicts.seals.filter(({ kind, indication }) => kind === 'other' && indication === 'TOTAL-FAILED');
  if (broken.length === 0) return [];
  const original = await verifyStoredFile(ctx, await openDocumentFile(ctx, after.documentId, 'original'), turn);
  const brokenBefore = original.seals.filter(({ indication }) => indication === 'TOTAL-FAILED').length;
  return broken.length > brokenBefore ? broken.flatMap(reasonsOf) : [];
}
