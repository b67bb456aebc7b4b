import assert from 'node:assert/strict';
import type { LocalSignerRequest } from '@lavra/api';
import { completeSignature, fromBase64, joinRevisions, memorySource, openPdf, prepareSignature, verifyPdf } from '@lavra/pades';
import type { PreparedSignature } from '@lavra/pades';
import { sha256Hex } from '../session.ts';
import { sampleDocument } from './site.ts';

export function onePage(): Uint8Array {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 595 842]>>',
    '<</Type/Page/Parent 2 0 R/Resources<<>>>>',
  ];
  let text = '%PDF-1.7\n';
  const offsets = objects.map((object, index) => {
    const at = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const rows = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  return new TextEncoder().encode(
    `${text}xref\n0 4\n0000000000 65535 f \n${rows}trailer\n<</Size 4/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF\n`,
  );
}

/** A PDF that waits for a signature value. */
export interface Prepared {
  readonly bytes: Uint8Array;
  readonly prepared: PreparedSignature;
}

export async function prepareFor(certificate: Uint8Array, chain: readonly Uint8Array[]): Promise<Prepared> {
  const bytes = onePage();
  const pdf = await openPdf(memorySource(bytes));
  return { bytes, prepared: await prepareSignature(pdf, { field: { name: 'Assinatura' }, certificate, chain, signingTime: new Date() }) };
}

/** The second request for a prepared signature; `changes` are made before it is signed. */
export function signRequest(
  { prepared }: Prepared,
  changes: Partial<LocalSignerRequest['documents'][number]> = {},
): Partial<LocalSignerRequest> {
  const { digest, signedAttributes, certificate } = prepared;
  return {
    kind: 'sign',
    certificate: sha256Hex(fromBase64(certificate)),
    documents: [{ ...sampleDocument, digest, signedAttributes, ...changes }],
  };
}

/** Completes the file with the value, which the engine checks against the certificate, and verifies the result. */
export async function assertSignsPdf({ bytes, prepared }: Prepared, value: string): Promise<void> {
  const revision = await completeSignature(prepared, fromBase64(value));
  const signed = joinRevisions({ offset: 0, bytes }, revision).bytes;
  const report = await verifyPdf(await openPdf(memorySource(signed)), { trust: { anchors: [], intermediates: [] }, at: new Date() });
  assert.equal(report.signatures.length, 1);
  assert.notEqual(report.signatures[0]?.indication, 'TOTAL-FAILED');
}
