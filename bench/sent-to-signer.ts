import type { BenchedProduct } from './product.ts';

/** A process that waits for one signer, over one PDF; the key is of their link. */
export async function sentToSigner(
  product: BenchedProduct,
  pdf: Uint8Array,
  type: 'ELETRONIC_SIGNATURE' | 'DIGITAL_SIGNATURE' = 'ELETRONIC_SIGNATURE',
): Promise<{ processId: string; key: string }> {
  const { processId, keys } = await sentToSigners(product, [pdf], 1, type);
  return { processId, key: keys[0] ?? '' };
}

/** The same over several PDFs for several signers, who may all sign at once. */
export async function sentToSigners(
  { call, linkKey }: BenchedProduct,
  pdfs: readonly Uint8Array[],
  signers: number,
  type: 'ELETRONIC_SIGNATURE' | 'DIGITAL_SIGNATURE' = 'ELETRONIC_SIGNATURE',
): Promise<{ processId: string; keys: string[] }> {
  const form = new FormData();
  for (const [index, pdf] of pdfs.entries())
    form.append('files', new Blob([pdf as Uint8Array<ArrayBuffer>], { type: 'application/pdf' }), `contrato-${index + 1}.pdf`);
  const files = await call<{ id: string }[]>('POST', 'api/documents', form);
  const { id } = await call<{ id: string }>('POST', 'api/signature-processes', {
    title: 'Contrato',
    dueDate: null,
    reminderIn: null,
    type,
    files: files.map((file) => ({ id: file.id })),
    geolocation: 'optional',
  });
  const ids: string[] = [];
  for (let n = 0; n < signers; n += 1) {
    const email = n === 0 ? 'bia@exemplo.com.br' : `bia-${n}@exemplo.com.br`;
    const signer = await call<{ id: string }>('POST', 'api/signers', {
      signer: { name: 'Bia Lima', email, order: 0, signatureProcess: { id } },
      signatureVisibleActive: false,
      visibleSignature: [],
    });
    ids.push(signer.id);
  }
  await call('POST', `api/signature-processes/${id}/start`);
  return { processId: id, keys: await Promise.all(ids.map(linkKey)) };
}
