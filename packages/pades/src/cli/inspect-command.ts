import { openPdf } from '../open-pdf.ts';
import { inspectPdf } from '../inspect/inspect-pdf.ts';
import type { PdfInspection } from '../inspect/inspect-pdf.ts';
import type { Pdf } from '../pdf/pdf.ts';
import { verifyPdf } from '../verify/verify-pdf.ts';
import type { Change } from '../verify/report.ts';
import { describeChanges } from './changes.ts';
import { exitCodes } from './command.ts';
import type { Command } from './command.ts';
import { openInput } from './files.ts';
import type { Texts } from './texts.ts';

/** What a signed field covers. */
interface Coverage {
  readonly fields: readonly string[];
  /** Where the signed bytes end. */
  readonly end: number;
  readonly coversWholeFile: boolean;
  readonly changes: readonly Change[];
}

/** `inspect`: what a file is, what is signed in it, what changed after each signature and what may still be done. */
export const inspectCommand: Command = {
  name: 'inspect',
  options: { pages: { type: 'string' } },
  async run({ options, positionals, now }) {
    await using source = await openInput(positionals);
    const maxPages = Math.max(1, Number.parseInt(options.text('pages') ?? '1', 10) || 1);
    const pdf = await openPdf(source);
    const inspection = await inspectPdf(pdf, { maxPages });
    const coverages = await coveragesOf(pdf, now());
    const revisions = revisionsOf(pdf);
    return {
      lines: (texts) => describe(texts, inspection, revisions, coverages),
      data: { ...inspection, revisions, coverages },
      exitCode: inspection.refusal === null ? exitCodes.done : exitCodes.refused,
    };
  },
};

/** Nobody is trusted: only what the bytes say is taken from the report. */
async function coveragesOf(pdf: Pdf, at: Date): Promise<Coverage[]> {
  if (pdf.locked) return [];
  const { signatures, documentTimestamps } = await verifyPdf(pdf, { trust: { anchors: [], intermediates: [] }, at });
  const stamps = documentTimestamps.map((one) => ({ ...one, fields: one.field === null ? [] : [one.field] }));
  return [...signatures, ...stamps]
    .map(({ fields, end, coversWholeFile, changes }) => ({ fields, end, coversWholeFile, changes }))
    .toSorted((a, b) => a.end - b.end);
}

/**
 * How often the file was saved: one for each cross-reference section that continues an older one. The two of a linearized
 * file (ISO 32000-2, annex F) are one: there the newer stands before the older. Null for a file whose table was rebuilt.
 */
function revisionsOf({ sections }: Pdf): number | null {
  if (sections.length === 0) return null;
  return 1 + sections.filter(({ position }, index) => position > (sections[index + 1]?.position ?? Infinity)).length;
}

function describe(texts: Texts, inspection: PdfInspection, revisions: number | null, coverages: readonly Coverage[]): string[] {
  const { version, pageCount, size, refusal, certification, signatures, permits } = inspection;
  const { inspect: says, certifications, refusals } = texts;
  const kinds = ['pages', 'textFields', 'visibleSignatureFields', 'signatures'] as const;
  const allowed = kinds.filter((kind) => permits[kind]).map((kind) => says.permits[kind]);
  const saved = revisions === null ? says.rebuilt : says.revisions(revisions);
  // Of what cannot be read nobody knows how many pages it has, whatever it says.
  const unread = refusal === 'ENCRYPTED' || refusal === 'DAMAGED' || refusal === 'TOO_COMPLEX';
  return [
    [`PDF ${version}`, ...(unread ? [] : [says.pages(pageCount)]), says.bytes(size), saved].join(', '),
    refusal === null ? says.signable : says.unsignable(`${refusals[refusal]} [${refusal}]`),
    ...(certification === null ? [] : [says.certified(certifications[certification])]),
    ...(allowed.length > 0 ? [says.allowed(allowed.join(', '))] : []),
    ...signatures.flatMap(({ name, signed, kind, subFilter }) => {
      if (!signed) return [says.empty(name)];
      const covers = coverages.find(({ fields }) => fields.includes(name));
      const line = `${says.field(name, kind === 'timestamp')} (${subFilter})${extentOf(texts, covers)}`;
      return [line, ...describeChanges(covers?.changes ?? [], texts)];
    }),
  ];
}

function extentOf({ inspect: says }: Texts, covers: Coverage | undefined): string {
  if (covers === undefined || covers.end === 0) return says.coverUnknown;
  return covers.coversWholeFile ? says.coversAll : says.coversFirst(covers.end);
}
