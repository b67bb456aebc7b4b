import type { PdfInspection } from '../inspect/inspect-pdf.ts';
import { latin1Bytes } from '../pdf/objects.ts';
import { openPdf } from '../open-pdf.ts';
import type { FieldPosition, PreparationPlan, SignatureFieldPlan, TextFieldPlan } from '../prepare/plan.ts';
import { memorySource } from '../source.ts';

/** One signer of the plan, and what is filled with their signature. */
interface PlannedSigner {
  readonly field: string;
  readonly fills: readonly string[];
}

const objects = [
  '<</Type/Catalog/Pages 2 0 R>>',
  '<</Type/Pages/Kids[3 0 R]/Count 1>>',
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<<>>>>',
];

/** A page with nothing on it. */
function blankPage(): Uint8Array {
  let text = '%PDF-1.7\n';
  const rows = objects.map((object, index) => {
    const row = `${String(text.length).padStart(10, '0')} 00000 n \n`;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return row;
  });
  const section = `xref\n0 4\n0000000000 65535 f \n${rows.join('')}trailer\n<</Root 1 0 R/Size 4>>\n`;
  return latin1Bytes(`${text}${section}startxref\n${text.length}\n%%EOF\n`);
}

/**
 * All that a file may meet on its way, as far as it allows, with as many fields as the real plan has where there is one, its boxes and
 * its pages: visible signature fields, the last of whose signers fills every box there is (whose they are makes no difference to the
 * file), pages behind it, its own fields closed.
 */
export async function usualPlan(
  { permits, pages }: PdfInspection,
  prefix: string,
  real: PreparationPlan | undefined,
): Promise<{ plan: PreparationPlan; signers: readonly PlannedSigner[] }> {
  const [left, bottom] = pages[0]?.visibleBox ?? [0, 0];
  const first: FieldPosition = { page: 1, rect: { x: left + 9, y: bottom + 9, width: 90, height: 24 } };
  const usual: FieldPosition[] = [first, { appendedPage: 1, rect: { x: 60, y: 60, width: 400, height: 80 } }];
  const wanted = real ? [...(real.signatureFields ?? []), ...(real.textFields ?? [])].flatMap(({ at }) => (at ? [at] : [])) : usual;
  const places = wanted.filter((at) => permits.textFields && (permits.pages || 'page' in at));
  const seen = permits.visibleSignatureFields ? visiblePlaces(real, first, permits.textFields) : [undefined, undefined];
  const signatureFields = seen.map((at, index): SignatureFieldPlan => ({ name: `${prefix}s${index}`, ...(at ? { at } : {}) }));
  const last = signatureFields.at(-1)?.name ?? '';
  // Two sign, in front of the fields of all; where those stand there is a box.
  const waiting = (real?.signatureFields ?? []).map((_, index): SignatureFieldPlan => ({ name: `${prefix}w${index}` }));
  const textFields = places.map((at, index): TextFieldPlan => ({ name: `${prefix}x${index}`, signer: last, at }));
  const plan: PreparationPlan = {
    signatureFields: [...signatureFields, ...waiting],
    textFields,
    ...(permits.pages ? { appendPages: real?.appendPages ?? (await openPdf(memorySource(blankPage()))) } : {}),
    closeFields: permits.textFields,
    dropXfa: permits.textFields,
  };
  return {
    plan,
    signers: signatureFields.map(({ name }) => ({ field: name, fills: name === last ? textFields.map((field) => field.name) : [] })),
  };
}

/**
 * Whether a plan asks of a file nothing that a rehearsal without a plan has not done to it already: two signatures at most (a seal is one),
 * with boxes on pages that come with the plan and nothing on the file's own. Pages with a structure join that of a tagged file (§14.7), which
 * the blank page of a rehearsal has not done.
 */
export function isUsual({ tagged }: Pick<PdfInspection, 'tagged'>, { signatureFields = [], textFields = [] }: PreparationPlan): boolean {
  if (tagged) return false;
  const isNew = (at: FieldPosition | undefined) => at === undefined || 'appendedPage' in at;
  const most = 2;
  return signatureFields.length <= most && textFields.length <= most && [...signatureFields, ...textFields].every(({ at }) => isNew(at));
}

/** Signing for all would cost the file as often; where boxes cannot stand for signatures, one on each of some pages does. */
const maxPages = 6;

/** Where signatures of the rehearsal stand: on the first page, then there too or, where they are all that is allowed, on each page of the plan. */
function visiblePlaces(real: PreparationPlan | undefined, first: FieldPosition, mayFill: boolean): FieldPosition[] {
  const own = (real?.signatureFields ?? []).flatMap(({ at }) => (at ? [at] : []));
  const byPage = new Map(own.map((at) => ['page' in at ? at.page : 0, at]));
  const others = [...byPage.values()].slice(0, mayFill ? 1 : maxPages);
  return [first, ...(others.length > 0 ? others : [first])];
}
