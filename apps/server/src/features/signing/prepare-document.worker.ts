import {
  inspectPdf,
  isUsual,
  memorySource,
  openPdf,
  type PreparationPlan,
  preparePdf,
  type Rect,
  rehearseSigning,
  type SignatureFieldPlan,
} from '@lavra/pades';
import { openBytes, type PdfBytes } from '../documents/stored-pdf.worker.ts';
import { fieldNames } from '../../paper/field-names.ts';
import { drawSignaturePages, type SignaturePageInput } from '../../paper/signature-page.worker.ts';

/** A place that the creator chose for a signer. */
export interface PlacedBox extends Rect {
  id: string;
  page: number;
  isRealSignature: boolean;
}

/** All that the one revision of preparation is made of. */
export interface PreparationOrder {
  bytes: PdfBytes;
  /** This program has admitted the file (`admitStoredPdf`): what its rehearsal has tried needs no other. */
  isAdmitted: boolean;
  /** In the order of signing. */
  signers: readonly { id: string; name: string; boxes: readonly PlacedBox[] }[];
  /** Drawn when the file allows pages. */
  pages: SignaturePageInput;
}

export interface PreparedRevision {
  revision: Uint8Array;
  signatureFields: { signerId: string; name: string }[];
  boxFields: { placementId: string; name: string }[];
  /** Signatures that were there allow no pages. */
  isPageApart: boolean;
}

/**
 * Every signer's fields and the signature pages, as far as signatures that are there already allow them. Throws, before anybody is
 * invited, what would keep the file from passing when all have signed.
 */
export async function prepareDocument({ bytes, isAdmitted, signers, pages: drawing }: PreparationOrder): Promise<PreparedRevision> {
  const pdf = await openBytes(bytes);
  const { permits, conformance, tagged } = await inspectPdf(pdf, { maxPages: 1 });
  const names = fieldNames(drawing.documentId);
  const signatureFields = signers.map((signer, index): SignatureFieldPlan & { signerId: string } => {
    const real = permits.visibleSignatureFields ? signer.boxes.find((box) => box.isRealSignature) : undefined;
    return {
      signerId: signer.id,
      name: names.signature(index),
      tooltip: signer.name,
      ...(real ? { at: { page: real.page, rect: real } } : {}),
    };
  });
  // A file that already carries signatures allows no new pages and no new text fields: only signatures.
  const boxes = permits.textFields
    ? signers.flatMap((signer, index) =>
        signer.boxes
          .filter((box) => !box.isRealSignature)
          .map((box, number) => ({
            placementId: box.id,
            name: names.box(index, number),
            signer: names.signature(index),
            at: { page: box.page, rect: box },
            tooltip: signer.name,
          })),
      )
    : [];
  const standard = { tagged, partOne: conformance.pdfA?.part === 1 };
  const pages = permits.pages ? await drawSignaturePages({ ...drawing, standard }) : null;
  const evidence = (pages?.blocks ?? []).map((at, index) => ({
    name: names.evidence(index),
    signer: names.signature(index),
    at,
    tooltip: signers[index]?.name ?? '',
  }));
  const plan: PreparationPlan = {
    signatureFields: [
      ...signatureFields.map(({ signerId: _signer, ...field }) => field),
      // No foreign signature is added to documents that are signed with the signers' own certificates.
      ...(drawing.modality === 'electronic' ? [{ name: names.seal, tooltip: 'Lavra' }] : []),
    ],
    textFields: [...boxes.map(({ placementId: _placement, ...field }) => field), ...evidence],
    ...(pages ? { appendPages: await openPdf(memorySource(pages.pdf)) } : {}),
    // What somebody left open to be written into would change under signatures that are there.
    closeFields: permits.textFields,
    // Some readers show a form as its XFA has it, others as its pages do: everybody signs the pages.
    dropXfa: permits.textFields,
    language: drawing.locale,
  };
  // What was rehearsed at upload, now with the places that the creator chose and the pages as they are; a plan without places of theirs is that rehearsal's.
  if (!isAdmitted || !isUsual({ tagged }, plan)) await rehearseSigning(pdf, { plan });
  return {
    revision: (await preparePdf(pdf, plan)).bytes,
    signatureFields: signatureFields.map(({ signerId, name }) => ({ signerId, name })),
    boxFields: boxes.map(({ placementId, name }) => ({ placementId, name })),
    isPageApart: pages === null,
  };
}
