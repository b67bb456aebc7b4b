import { PadesError } from '../errors.ts';

const signatureTimestampOid = '1.2.840.113549.1.9.16.2.14';

/** Certificates embedded in a CMS and in its signature timestamps, DER, without repetition. */
export async function certificatesIn(contents: Uint8Array): Promise<Uint8Array[]> {
  // Only extension needs a full ASN.1 decoder: signatures made elsewhere may be BER.
  const { Certificate, ContentInfo, SignedData } = await import('pkijs');
  const found = new Map<string, Uint8Array>();
  const visit = (contentInfo: InstanceType<typeof ContentInfo>, depth: number): void => {
    const signedData = new SignedData({ schema: contentInfo.content });
    for (const item of signedData.certificates ?? []) {
      if (!(item instanceof Certificate)) continue;
      const der = new Uint8Array(item.toSchema(false).toBER(false));
      found.set(der.join(), der);
    }
    for (const attribute of signedData.signerInfos.flatMap((info) => info.unsignedAttrs?.attributes ?? [])) {
      if (attribute.type !== signatureTimestampOid || depth > 0) continue;
      for (const value of attribute.values) visit(new ContentInfo({ schema: value }), depth + 1);
    }
  };
  try {
    visit(ContentInfo.fromBER(contents.slice().buffer), 0);
  } catch (error) {
    throw new PadesError('CMS_INVALID', 'a signature cannot be read', {}, error);
  }
  return [...found.values()];
}
