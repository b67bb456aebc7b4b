import { completeLocalSignature, type LAVRA_SIGNER, prepareLocalSignature, type Reply } from '@lavra/api';
import { callApi } from '../../../lib/api-client.ts';
import type { Acting, DigitalRequest } from './appearance.ts';

export type Prepared = Reply<typeof prepareLocalSignature>;

export interface LocalCertificate {
  source: 'file' | typeof LAVRA_SIGNER;
  /** DER, base64. */
  certificate: string;
  chain: string[];
}

/** Has the certificate judged and the documents prepared for it. @throws ApiError (certificate.*, signing.documentBusy) */
export function prepareFor({ source, certificate, chain }: LocalCertificate, request: DigitalRequest): Promise<Prepared> {
  const { processId, signerId, cpf, consentHash, appearance } = request;
  return callApi(prepareLocalSignature, { body: { processId, signerId, cpf, source, certificate, chain, consentHash, appearance } });
}

/** Hands in the values, base64 by document. @throws ApiError (signing.valueInvalid, signing.prepareAgain) */
export async function completeWith(
  { processId, signerId }: Acting,
  attemptId: string,
  signatures: { documentId: string; value: string }[],
): Promise<void> {
  await callApi(completeLocalSignature, { body: { processId, signerId, attemptId, signatures } });
}
