import { oid, sequence, smallInteger, tlv } from '../asn1/der.ts';
import { ecdsaOids } from '../asn1/oids.ts';
import type { Signer } from '../sign/sign-pdf.ts';

const algorithm = sequence(oid(ecdsaOids.sha256));
const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const commonName = '2.5.4.3';
const keyUsage = '2.5.29.15';

let made: Promise<Signer> | null = null;

/** A key of this program's own that vouches for itself: trusted by nobody, and what it signs is kept by nobody. Made once: it takes as long as reading a small file. */
export function throwawaySigner(): Promise<Signer> {
  // One that could not be made is tried again by the next rehearsal.
  return (made ??= makeSigner().catch((error: unknown) => {
    made = null;
    throw error;
  }));
}

async function makeSigner(): Promise<Signer> {
  const { publicKey, sign } = await makeKey();
  const name = sequence(tlv(0x31, sequence(oid(commonName), tlv(0x0c, text('Rehearsal')))));
  const days = ['20000101000000Z', '20991231000000Z'].map((time) => tlv(0x18, text(time)));
  const usage = sequence(oid(keyUsage), tlv(0x01, Uint8Array.of(0xff)), tlv(0x04, Uint8Array.of(0x03, 0x02, 0x06, 0xc0)));
  const body = sequence(
    tlv(0xa0, smallInteger(2)),
    smallInteger(1),
    algorithm,
    name,
    sequence(...days),
    name,
    publicKey,
    tlv(0xa3, sequence(usage)),
  );
  const certificate = sequence(body, algorithm, tlv(0x03, Uint8Array.of(0), await sign(body)));
  return { certificate, chain: [], sign };
}

interface ThrowawayKey {
  /** SubjectPublicKeyInfo. */
  readonly publicKey: Uint8Array;
  sign(data: Uint8Array): Promise<Uint8Array>;
}

interface NodeCrypto {
  generateKeyPairSync(kind: 'ec', options: { namedCurve: 'P-256' }): { publicKey: NodeKey; privateKey: NodeKey };
  sign(hash: 'sha256', data: Uint8Array, key: NodeKey): Uint8Array;
}

interface NodeKey {
  export(options: { type: 'spki'; format: 'der' }): Uint8Array;
}

/** In Node at once: what Web Crypto does aside takes longer to wait for than to do. */
function makeKey(): ThrowawayKey | Promise<ThrowawayKey> {
  const host = globalThis as { process?: { getBuiltinModule?: (id: string) => unknown } };
  const node = host.process?.getBuiltinModule?.('node:crypto') as NodeCrypto | undefined;
  if (node === undefined) return makeWebKey();
  const { publicKey, privateKey } = node.generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    publicKey: new Uint8Array(publicKey.export({ type: 'spki', format: 'der' })),
    sign: (data) => Promise.resolve(new Uint8Array(node.sign('sha256', data, privateKey))),
  };
}

async function makeWebKey(): Promise<ThrowawayKey> {
  const { subtle } = globalThis.crypto;
  const { privateKey, publicKey } = await subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify']);
  return {
    publicKey: new Uint8Array(await subtle.exportKey('spki', publicKey)),
    sign: async (data) =>
      derOf(new Uint8Array(await subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, privateKey, data as Uint8Array<ArrayBuffer>))),
  };
}

/** WebCrypto's r‖s as the DER that CMS carries (RFC 3279 §2.2.3). */
function derOf(raw: Uint8Array): Uint8Array {
  const half = raw.length / 2;
  return sequence(integer(raw.subarray(0, half)), integer(raw.subarray(half)));
}

function integer(bytes: Uint8Array): Uint8Array {
  const start = Math.min(
    bytes.findIndex((byte) => byte !== 0),
    bytes.length - 1,
  );
  const digits = bytes.subarray(Math.max(0, start));
  return tlv(0x02, Uint8Array.from((digits[0] ?? 0) & 0x80 ? [0, ...digits] : digits));
}
