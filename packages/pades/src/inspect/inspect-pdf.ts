import { undrawableForm } from '../appearance/form/form-looks.ts';
import { PadesError } from '../errors.ts';
import type { PadesErrorCode } from '../errors.ts';
import { canBeKept, readConformance } from '../pdf/conformance.ts';
import type { Conformance } from '../pdf/conformance.ts';
import { listOpenFields } from '../pdf/open-fields.ts';
import type { OpenField } from '../pdf/open-fields.ts';
import { countPages, findPage, listPages } from '../pdf/pages.ts';
import type { PageInfo } from '../pdf/pages.ts';
import type { Pdf } from '../pdf/pdf.ts';
import { readPermissions } from '../pdf/permissions.ts';
import type { CertificationLevel, SignatureFieldInfo } from '../pdf/permissions.ts';
import { isTagged } from '../pdf/structure-editor.ts';
import { pdfVersion } from '../pdf/version.ts';
import { xfaUseOf } from '../pdf/xfa.ts';
import type { XfaUse } from '../pdf/xfa.ts';
import type { OwnerPermissions } from '../pdf/security/file-security.ts';

/** What a product needs to know about a file before it accepts it. */
export interface PdfInspection {
  /** e.g. "1.7"; the catalog's when that is higher than the header's. */
  readonly version: string;
  readonly size: number;
  readonly pageCount: number;
  /** Geometry of the first pages, `maxPages` of them at most. */
  readonly pages: PageInfo[];
  readonly encrypted: boolean;
  /** What the owner of an encrypted file leaves to others; null: not encrypted, or locked. */
  readonly owner: OwnerPermissions | null;
  /** PDF/A and PDF/UA, as the file's metadata claim them. */
  readonly conformance: Conformance;
  /** It has a logical structure (tags), and what is added takes part in it. */
  readonly tagged: boolean;
  /**
   * What is added keeps what the metadata claim. False: they claim a part or level that is not known here, or one that needs a
   * logical structure where there is none that could be added to.
   */
  readonly keepsConformance: boolean;
  /** Whether the form is described in XFA too, or there only: then what a reader shows is not in the pages. */
  readonly xfa: XfaUse;
  /** The cross-reference was broken and has been rebuilt; the first revision repairs it by appending. */
  readonly recovered: boolean;
  readonly certification: CertificationLevel | null;
  readonly signatures: readonly SignatureFieldInfo[];
  /** Fields that anybody may write into, also after others have signed: see `closeFields` of the preparation. */
  readonly openFields: readonly OpenField[];
  /** What may still be added without breaking a signature that is there. */
  readonly permits: {
    readonly pages: boolean;
    readonly textFields: boolean;
    readonly visibleSignatureFields: boolean;
    readonly signatures: boolean;
    /** Signature fields at all, invisible ones too. */
    readonly signatureFields: boolean;
  };
  /** Why this file cannot be signed, or null. */
  readonly refusal: PadesErrorCode | null;
}

/**
 * Reads what matters for accepting a file: pages (at most `maxPages` of them, default 10,000), form, what its signatures still
 * allow (ISO 32000-2 §12.8.2). Throws no code: damage that shows only here is reported as a refusal. What the source throws
 * goes through.
 */
export async function inspectPdf(pdf: Pdf, options: { maxPages?: number } = {}): Promise<PdfInspection> {
  if (pdf.locked) return blank(pdf, 'ENCRYPTED');
  try {
    return await inspectPlain(pdf, options.maxPages ?? 10_000);
  } catch (error) {
    if (error instanceof PadesError) return blank(pdf, error.code);
    throw error;
  }
}

async function inspectPlain(pdf: Pdf, maxPages: number): Promise<PdfInspection> {
  const { signatures, certification, locks } = await readPermissions(pdf);
  const pageCount = await countPages(pdf, maxPages);
  const [conformance, tagged] = [await readConformance(pdf), await isTagged(pdf)];
  const signed = signatures.some((signature) => signature.signed);
  const xfa = await xfaUseOf(pdf, signed);
  const certified = certification !== null;
  const { change, fill } = pdf.security?.permissions ?? { change: true, fill: true };
  const mayFill = certification !== 1 && fill;
  const mayChange = certification !== 1 && change;
  const hasRoom = change || (fill && signatures.some((signature) => !signature.signed));
  return {
    ...blank(pdf, (hasRoom ? null : 'OWNER_FORBIDS') ?? (await refusalOf(pdf, pageCount, xfa, certification))),
    version: await pdfVersion(pdf),
    pageCount,
    pages: await listPages(pdf, maxPages),
    conformance,
    tagged,
    keepsConformance: canBeKept(conformance, tagged),
    xfa,
    certification,
    signatures,
    openFields: (await listOpenFields(pdf)).map(({ ref: _ref, ...field }) => field),
    permits: {
      pages: change && !signed && !certified,
      textFields: change && !signed && !certified,
      visibleSignatureFields: mayChange && !certified && !locks.some(({ action }) => action !== 'Include'),
      signatures: mayFill,
      signatureFields: mayChange,
    },
  };
}

/** A page that is not an object of its own cannot carry a widget. */
async function unusableFirstPage(pdf: Pdf): Promise<PadesErrorCode | null> {
  const found = await findPage(pdf, 1).catch(() => null);
  return found === null ? 'DAMAGED' : null;
}

async function refusalOf(
  pdf: Pdf,
  pageCount: number,
  xfa: XfaUse,
  certification: CertificationLevel | null,
): Promise<PadesErrorCode | null> {
  if (pageCount === 0) return 'NO_PAGES';
  if (xfa === 'only') return 'XFA_ONLY';
  if (certification === 1) return 'CERTIFIED_NO_CHANGES';
  return tooLarge(pdf) ?? (await unusableFirstPage(pdf)) ?? (await undrawableForm(pdf))?.code ?? null;
}

/** A row of a cross-reference table has ten digits: what is appended behind them cannot be named. */
function tooLarge(pdf: Pdf): PadesErrorCode | null {
  return pdf.xrefForm === 'table' && pdf.source.size > 9_999_000_000 ? 'TOO_COMPLEX' : null;
}

function blank(pdf: Pdf, refusal: PadesErrorCode | null): PdfInspection {
  return {
    version: pdf.headerVersion,
    size: pdf.source.size,
    pageCount: 0,
    pages: [],
    encrypted: pdf.encrypted || refusal === 'ENCRYPTED',
    owner: pdf.security?.permissions ?? null,
    conformance: { pdfA: null, pdfUa: null },
    tagged: false,
    keepsConformance: true,
    xfa: 'none',
    recovered: pdf.recovered,
    certification: null,
    signatures: [],
    openFields: [],
    permits: { pages: false, textFields: false, visibleSignatureFields: false, signatures: false, signatureFields: false },
    refusal,
  };
}
