import { certificateParts } from '../../x509/certificate-parts.ts';
import { octetString, oid, sequence, setOf, smallInteger, tlv } from '../../asn1/der.ts';
import { digestOids, ecdsaOids, oids } from '../../asn1/oids.ts';
import { digestOf, platformCrypto } from '../../crypto.ts';
import { latin1Bytes } from '../../pdf/objects.ts';
import type { CmsFacts, CmsMaker } from './forge-signature.ts';

type AttributeName = 'contentType' | 'messageDigest' | 'signingCertificate';

/** What is wrong with a CMS; everything else about it is in order, the signature value too. */
export interface CmsFault {
  readonly signedAttributes?: false;
  readonly content?: 'same' | 'other' | 'empty';
  readonly signers?: 0 | 2;
  readonly digestAlgorithm?: 'sha512' | 'ecdsa';
  readonly drop?: AttributeName;
  readonly twice?: AttributeName;
  readonly digestOfNothing?: true;
  readonly contentType?: string;
  readonly certificate?: 'twin' | 'none' | 'other';
  readonly corruptValue?: true;
  /** TimeStampToken put beside the value. */
  readonly timestamp?: Uint8Array;
  /** Made over the imprint of the content, and signed along. */
  readonly contentTimestamp?: (imprint: Uint8Array) => Promise<Uint8Array>;
}

const otherContent = latin1Bytes('outro');

export function attackCms(fault: CmsFault): CmsMaker {
  return async (facts) => {
    const attributes = await attributesOf(facts, fault);
    const value = await facts.signer.sign(fault.signedAttributes === false ? facts.signed : setOf(attributes), 'sha256');
    if (fault.corruptValue) value[value.length - 1] = (value.at(-1) ?? 0) ^ 1;
    const info = signerInfo(facts, fault, attributes, value);
    const count = fault.signers ?? 1;
    const certificates = certificatesOf(facts, fault);
    const signedData = sequence(
      smallInteger(1),
      setOf([digestAlgorithm(fault)]),
      sequence(oid(oids.data), ...contentOf(facts, fault)),
      ...(certificates.length > 0 ? [setOf(certificates, 0xa0)] : []),
      setOf(Array.from({ length: count }, () => info)),
    );
    return sequence(oid(oids.signedData), tlv(0xa0, signedData));
  };
}

async function attributesOf({ signer, messageDigest }: CmsFacts, fault: CmsFault): Promise<Uint8Array[]> {
  const extra: Uint8Array[] = [];
  const sha256 = (bytes: Uint8Array): Promise<Uint8Array> => digestOf(platformCrypto, 'sha256', bytes);
  const stated =
    fault.content === 'other' ? await sha256(otherContent) : fault.digestOfNothing ? await sha256(new Uint8Array()) : messageDigest;
  const all: Record<AttributeName, Uint8Array> = {
    contentType: attribute(oids.contentType, oid(fault.contentType ?? oids.data)),
    messageDigest: attribute(oids.messageDigest, octetString(stated)),
    signingCertificate: attribute(oids.signingCertificateV2, sequence(sequence(sequence(octetString(await sha256(signer.certificate)))))),
  };
  if (fault.contentTimestamp) extra.push(attribute('1.2.840.113549.1.9.16.2.20', await fault.contentTimestamp(messageDigest)));
  const second = attribute(oids.messageDigest, octetString(await sha256(otherContent)));
  return [
    ...Object.entries(all).flatMap(([name, value]) => (name === fault.drop ? [] : [value])),
    ...(fault.twice ? [second] : []),
    ...extra,
  ];
}

function attribute(type: string, value: Uint8Array): Uint8Array {
  return sequence(oid(type), setOf([value]));
}

function digestAlgorithm({ digestAlgorithm: named }: CmsFault): Uint8Array {
  return sequence(oid(named === 'sha512' ? digestOids.sha512 : named === 'ecdsa' ? ecdsaOids.sha256 : digestOids.sha256));
}

function signerInfo({ signer }: CmsFacts, fault: CmsFault, attributes: Uint8Array[], value: Uint8Array): Uint8Array {
  const { issuer, serial } = certificateParts(fault.certificate === 'twin' ? signer.twin : signer.certificate);
  return sequence(
    smallInteger(1),
    sequence(issuer, serial),
    digestAlgorithm(fault),
    ...(fault.signedAttributes === false ? [] : [setOf(attributes, 0xa0)]),
    sequence(oid(ecdsaOids.sha256)),
    octetString(value),
    ...(fault.timestamp ? [setOf([attribute(oids.signatureTimestamp, fault.timestamp)], 0xa1)] : []),
  );
}

function certificatesOf({ signer, stranger }: CmsFacts, { certificate }: CmsFault): Uint8Array[] {
  if (certificate === 'none') return [];
  return [certificate === 'twin' ? signer.twin : certificate === 'other' ? stranger : signer.certificate];
}

function contentOf({ signed }: CmsFacts, { content }: CmsFault): Uint8Array[] {
  if (content === undefined) return [];
  const bytes = content === 'same' ? signed : content === 'other' ? otherContent : new Uint8Array();
  return [tlv(0xa0, octetString(bytes))];
}
