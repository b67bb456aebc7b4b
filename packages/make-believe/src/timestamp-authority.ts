import { createHash, createSign, type KeyObject, randomBytes } from 'node:crypto';
import * as asn1 from 'asn1js';
import { encode, integer, nothing, octets, oid, parse, sequence, set, tagged } from './der.ts';

const OID = {
  signedData: '1.2.840.113549.1.7.2',
  tstInfo: '1.2.840.113549.1.9.16.1.4',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  sha256: '2.16.840.1.101.3.4.2.1',
  ecdsaSha256: '1.2.840.10045.4.3.2',
  rsaSha256: '1.2.840.113549.1.1.11',
  /** A policy of our own, under the example arc. */
  policy: '1.3.6.1.4.1.99999.1.1',
} as const;

export interface AuthorityIdentity {
  certificate: Uint8Array;
  /** Intermediates, put into tokens when the request asks for certificates. */
  chain: readonly Uint8Array[];
  key: KeyObject;
}

/** What every token says of its maker, read once. */
interface ReadIdentity {
  issuerAndSerial: asn1.BaseBlock;
  certificates: readonly asn1.BaseBlock[];
}

interface Request {
  imprint: asn1.BaseBlock;
  nonce: asn1.BaseBlock | null;
  certReq: boolean;
}

/** An RFC 3161 timestamp authority as a function: DER TimeStampReq in, DER TimeStampResp out. */
export function timestampAuthority(identity: AuthorityIdentity, now: () => Date = () => new Date()) {
  const read: ReadIdentity = {
    issuerAndSerial: issuerAndSerial(parse(identity.certificate) as asn1.Sequence),
    certificates: [identity.certificate, ...identity.chain].map(parse),
  };
  return (request: Uint8Array): Uint8Array => {
    let parsed: Request;
    try {
      parsed = readRequest(request);
    } catch {
      // PKIStatus rejection (2), PKIFailureInfo badDataFormat (bit 5).
      return encode(sequence(sequence(integer(2), new asn1.BitString({ valueHex: new Uint8Array([0x04]).buffer, unusedBits: 2 }))));
    }
    const token = sign(identity, read, tstInfo(parsed, now()), parsed.certReq, now());
    return encode(sequence(sequence(integer(0)), token));
  };
}

function readRequest(der: Uint8Array): Request {
  const request = parse(der);
  if (!(request instanceof asn1.Sequence)) throw new Error('not a TimeStampReq');
  const [version, imprint, ...rest] = request.valueBlock.value;
  if (!(version instanceof asn1.Integer) || !(imprint instanceof asn1.Sequence)) throw new Error('not a TimeStampReq');
  return {
    imprint,
    nonce: rest.find((block) => block instanceof asn1.Integer) ?? null,
    certReq: rest.some((block) => block instanceof asn1.Boolean && block.valueBlock.value),
  };
}

/** RFC 3161 §2.4.2; accuracy one second. */
function tstInfo(request: Request, at: Date): Uint8Array {
  const serial = new asn1.Integer({ valueHex: Uint8Array.from([0x01, ...randomBytes(15)]).buffer });
  const fields: asn1.BaseBlock[] = [
    integer(1),
    oid(OID.policy),
    request.imprint,
    serial,
    new asn1.GeneralizedTime({ valueDate: at }),
    sequence(integer(1)),
  ];
  if (request.nonce) fields.push(request.nonce);
  return encode(sequence(...fields));
}

function attribute(type: string, value: asn1.BaseBlock): { block: asn1.BaseBlock; der: Uint8Array } {
  const block = sequence(oid(type), set(value));
  return { block, der: encode(block) };
}

function sign(identity: AuthorityIdentity, read: ReadIdentity, content: Uint8Array, withCertificates: boolean, at: Date): asn1.BaseBlock {
  const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
  const attributes = [
    attribute(OID.contentType, oid(OID.tstInfo)),
    attribute(OID.signingTime, new asn1.UTCTime({ valueDate: at })),
    attribute(OID.messageDigest, octets(sha256(content))),
    attribute(OID.signingCertificateV2, sequence(sequence(sequence(octets(sha256(identity.certificate)))))),
  ]
    .toSorted((a, b) => Buffer.compare(a.der, b.der))
    .map(({ block }) => block);
  const signer = createSign('sha256').update(encode(set(...attributes)));
  const isEc = identity.key.asymmetricKeyType === 'ec';
  const sha256Algorithm = sequence(oid(OID.sha256));
  const signerInfo = sequence(
    integer(1),
    read.issuerAndSerial,
    sha256Algorithm,
    tagged(0, ...attributes),
    isEc ? sequence(oid(OID.ecdsaSha256)) : sequence(oid(OID.rsaSha256), nothing()),
    octets(signer.sign(identity.key)),
  );
  const certificates = withCertificates ? [tagged(0, ...read.certificates)] : [];
  const signedData = sequence(
    integer(3),
    set(sequence(oid(OID.sha256))),
    sequence(oid(OID.tstInfo), tagged(0, octets(content))),
    ...certificates,
    set(signerInfo),
  );
  return sequence(oid(OID.signedData), tagged(0, signedData));
}

/** Issuer name and serial number as they stand in the certificate, byte for byte (RFC 5280 §4.1). */
function issuerAndSerial(certificate: asn1.Sequence): asn1.BaseBlock {
  const tbs = certificate.valueBlock.value[0] as asn1.Sequence;
  const fields = tbs.valueBlock.value;
  const first = fields[0] instanceof asn1.Integer ? 0 : 1;
  return sequence(fields[first + 2] as asn1.BaseBlock, fields[first] as asn1.BaseBlock);
}
