import { PadesError } from '../../errors.ts';
import { openPdf } from '../../open-pdf.ts';
import { memorySource } from '../../source.ts';
import { verifyPdf } from '../../verify/verify-pdf.ts';
import type { VerificationOptions } from '../../verify/verify-pdf.ts';
import type { Indication, ReasonCode, SubIndication, VerificationReport } from '../../verify/report.ts';
import type { Variant } from './variant.ts';

/** What the verifier says of the attacked signature. */
export interface Outcome {
  /** NOT_LISTED: no signature is shown for the field. REFUSED: the file is none that can be verified. */
  readonly indication: Indication | 'NOT_LISTED' | 'REFUSED';
  readonly subIndication: SubIndication | null;
  readonly reasons: readonly ReasonCode[];
  /** `level/kind`, each once. */
  readonly changes: readonly string[];
  /** Where the attacked signature's bytes end. */
  readonly end: number;
}

const nothing = { subIndication: null, reasons: [], changes: [], end: 0 };

export async function outcomeOf(bytes: Uint8Array, target: Variant['target'], options: VerificationOptions): Promise<Outcome> {
  try {
    const report = await verifyPdf(await openPdf(memorySource(bytes)), options);
    return targetOf(report, target ?? { field: 'ana' }) ?? { ...nothing, indication: 'NOT_LISTED' };
  } catch (error) {
    if (error instanceof PadesError) return { ...nothing, indication: 'REFUSED' };
    throw error;
  }
}

function targetOf(report: VerificationReport, { field, timestamp }: NonNullable<Variant['target']>): Outcome | null {
  const signature = report.signatures.find(({ fields }) => fields.includes(field));
  const found = signature ?? report.documentTimestamps.find((one) => one.field === field) ?? null;
  const judged = timestamp === true ? (signature?.timestamps[0] ?? null) : found;
  if (judged === null || found === null) return null;
  const { indication, subIndication, reasons } = judged;
  const changes = timestamp === true ? [] : [...new Set(found.changes.map(({ level, kind }) => `${level}/${kind}`))];
  return { indication, subIndication, reasons, changes, end: found.end };
}
