import { type Appearance, memorySource, openPdf, preparePdf, readAll, withRevision } from '@lavra/pades';
import { fieldNames } from './field-names.ts';
import { drawSignaturePages, type SignaturePageInput } from './signature-page.worker.ts';

/** All that a signature page tells when it is a file of its own: everybody has signed. */
export interface SignaturePageApart {
  pages: SignaturePageInput;
  /** In the order of the signers. */
  blocks: readonly (Appearance & { text: string })[];
}

/** The same drawing as the appended one, its blocks filled with the looks that signing fills them with there. Tagged, as the evidence report is. */
export async function drawSignaturePageApart({ pages, blocks }: SignaturePageApart): Promise<Uint8Array> {
  const drawn = await drawSignaturePages({ ...pages, standard: { tagged: true, partOne: false } });
  const source = memorySource(drawn.pdf);
  const names = fieldNames(pages.documentId);
  const textFields = drawn.blocks.map(({ appendedPage, rect }, index) => {
    const appearance = blocks[index];
    if (!appearance) throw new Error('a signer without evidence');
    const tooltip = pages.signers[index]?.name ?? '';
    return { name: names.evidence(index), at: { page: appendedPage, rect }, tooltip, value: appearance.text, appearance };
  });
  return readAll(withRevision(source, await preparePdf(await openPdf(source), { textFields })));
}
