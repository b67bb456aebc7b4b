import { child, children, contentOf, encoded, isOid, readDer } from '../asn1/der.ts';
import { oids } from '../asn1/oids.ts';

/** What a signature or document timestamp covers and says, cut out of the file by its ByteRange alone. */
export interface ExtractedSignature {
  readonly content: Uint8Array;
  /** The CMS without its padding. */
  readonly cms: Uint8Array;
  readonly timestamp: boolean;
}

/** Every signature of a file in the order of its bytes, found without this package's reader. */
export function extractSignatures(file: Uint8Array): ExtractedSignature[] {
  const text = Buffer.from(file).toString('latin1');
  return [...text.matchAll(/\/SubFilter \/(\S+)\s+\/ByteRange \[0 (\d+) (\d+) (\d+)\s*\]/g)].map(([, subFilter, ...numbers]) => {
    const [first = 0, second = 0, length = 0] = numbers.map(Number);
    const padded = Uint8Array.from(Buffer.from(text.slice(first + 1, second - 1), 'hex'));
    const content = Buffer.concat([file.subarray(0, first), file.subarray(second, second + length)]);
    return { content, cms: encoded(readDer(padded)), timestamp: subFilter === 'ETSI.RFC3161' };
  });
}

/** The parts of the one SignerInfo, as encoded; signed attributes with the tag of SET OF. */
export function signerInfoOf(cms: Uint8Array): {
  digestAlgorithm: Uint8Array;
  signedAttributes: Uint8Array;
  signatureAlgorithm: Uint8Array;
  signatureValue: Uint8Array;
  unsignedAttributes: Uint8Array | null;
} {
  const signedData = child(child(readDer(cms), 1, 0xa0), 0, 0x30);
  const infos = children(signedData).at(-1);
  if (infos === undefined) throw new Error('no signer');
  const [, , digestAlgorithm, attributes, signatureAlgorithm, value, unsigned] = children(child(infos, 0, 0x30));
  if (!digestAlgorithm || !attributes || !signatureAlgorithm || !value) throw new Error('no signed attributes');
  const signedAttributes = encoded(attributes);
  signedAttributes[0] = 0x31;
  return {
    digestAlgorithm: encoded(digestAlgorithm),
    signedAttributes,
    signatureAlgorithm: encoded(signatureAlgorithm),
    signatureValue: contentOf(value),
    unsignedAttributes: unsigned ? encoded(unsigned) : null,
  };
}

/** The value of a signed attribute's messageDigest. */
export function messageDigestOf(signedAttributes: Uint8Array): Uint8Array {
  const found = children(readDer(signedAttributes)).find((item) => isOid(children(item)[0], oids.messageDigest));
  if (found === undefined) throw new Error('no message digest');
  return contentOf(child(child(found, 1, 0x31), 0, 0x04));
}
