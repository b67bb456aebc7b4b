import { encoded } from '../asn1/der.ts';
import { oids } from '../asn1/oids.ts';
import { latin1Text } from '../pdf/objects.ts';
import { parseSignedData } from '../cms/read-signed-data.ts';

/** Certificates embedded in a CMS and in its signature timestamps, DER, without repetition. Throws CMS_INVALID. */
export function certificatesIn(contents: Uint8Array): Uint8Array[] {
  const found = new Map<string, Uint8Array>();
  const visit = (bytes: Uint8Array, isToken: boolean): void => {
    const { certificates, signers } = parseSignedData(bytes);
    for (const { der } of certificates) found.set(latin1Text(der), der);
    if (isToken) return;
    for (const token of signers.flatMap(({ unsigned }) => unsigned.get(oids.signatureTimestamp) ?? []).flat()) visit(encoded(token), true);
  };
  visit(contents, false);
  return [...found.values()];
}
