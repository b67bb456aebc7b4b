import type { BenchedProduct } from './product.ts';

/** A process that waits for one signer, over one PDF; the key is of their link. */
export async function sentToSigner(
  { call, linkKey }: BenchedProduct,
  pdf: Uint8Array,
  type: 'ELETRONIC_SIGNATURE' | 'DIGITAL_SIGNATURE' = 'ELETRONIC_SIGNATURE',
): Promise<{ processId: string; key: string }> {
  const form = new FormData();
  form.append('files', new Blob([pdf as Uint8Array<ArrayBuffer>], { type: 'application/pdf' }), 'contrato.pdf');
  const files = await call<{ id: string }[]>('POST', 'api/documents', form);
  const { id } = await call<{ id: string }>('POST', 'api/signature-processes', {
    title: 'Contrato',
    dueDate: null,
    reminderIn: null,
    type,
    files: files.map((file) => ({ id: file.id })),
    geolocation: 'optional',
  });
  const signer = await call<{ id: string }>('POST', 'api/signers', {
    signer: { name: 'Bia Lima', email: 'bia@exemplo.com.br', order: 0, signatureProcess: { id } },
    signatureVisibleActive: false,
    visibleSignature: [],
  });
  await call('POST', `api/signature-processes/${id}/start`);
  return { processId: id, key: await linkKey(signer.id) };
}
