import { sign, webcrypto } from 'node:crypto';
import {
  createRoot,
  issueAuthority,
  issueSignerCertificate,
  issueTimestampCertificate,
  type Issuer,
  privateKeyOf,
  rootRevocationList,
  timestampAuthority,
} from '@lavra/make-believe';
import type { RevocationSource, Signer, TimestampSource } from '@lavra/pades';

const ecdsa = (namedCurve: string) => ({ name: 'ECDSA', namedCurve });
const rsa = (modulusLength: number) => ({
  name: 'RSASSA-PKCS1-v1_5',
  modulusLength,
  publicExponent: Uint8Array.of(1, 0, 1),
  hash: 'SHA-256',
});

/** The keys that `@lavra/pades` signs with. */
export const keyKinds = {
  'RSA-2048': rsa(2048),
  'RSA-3072': rsa(3072),
  'P-256': ecdsa('P-256'),
  'P-384': ecdsa('P-384'),
  'P-521': ecdsa('P-521'),
  Ed25519: { name: 'Ed25519' },
};
export type KeyKind = keyof typeof keyKinds;

/** Root, issuer of signers, one signer for each kind of key, a timestamp authority under a root of its own, their lists. */
export interface MatrixWorld {
  /** DER: whom a judge is to trust. */
  readonly roots: readonly Uint8Array[];
  /** DER: what a judge is handed where the file carries no revocation data (B-B, B-T). */
  readonly lists: readonly Uint8Array[];
  readonly signers: Record<KeyKind, Signer>;
  readonly timestamps: TimestampSource;
  readonly revocations: RevocationSource;
}

const derOf = ({ certificate }: Issuer): Uint8Array => new Uint8Array(certificate.rawData);

async function listOf(issuer: Issuer): Promise<Uint8Array> {
  return rootRevocationList({ certificate: issuer.certificate, privateKey: issuer.keys.privateKey });
}

async function makeSigner(issuer: Issuer, kind: KeyKind): Promise<Signer> {
  const keys = (await webcrypto.subtle.generateKey(keyKinds[kind], true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
  const revocationList = 'http://lista.exemplo.invalid/pessoas.crl';
  const identity = await issueSignerCertificate(issuer, `Ana Conceição ${kind}`, { keys, revocationList });
  const key = await privateKeyOf(identity);
  return {
    certificate: derOf(identity),
    chain: [derOf(issuer)],
    sign: (data, digest) => Promise.resolve(new Uint8Array(sign(kind === 'Ed25519' ? null : digest, data, key))),
  };
}

export async function makeWorld(): Promise<MatrixWorld> {
  const root = await createRoot('Raiz da matriz');
  const people = await issueAuthority(root, 'Pessoas da matriz', { crl: 'http://lista.exemplo.invalid/raiz.crl' });
  const timestampRoot = await createRoot('Raiz de carimbo da matriz');
  const authority = await issueTimestampCertificate(timestampRoot, 'Carimbo da matriz');
  const answer = timestampAuthority({
    certificate: derOf(authority),
    chain: [derOf(timestampRoot)],
    key: await privateKeyOf(authority),
  });
  const kinds = Object.keys(keyKinds) as KeyKind[];
  const signers = await Promise.all(kinds.map(async (kind) => [kind, await makeSigner(people, kind)] as const));
  const lists = await Promise.all([root, people, timestampRoot].map(listOf));
  return {
    roots: [root, timestampRoot].map(derOf),
    lists,
    signers: Object.fromEntries(signers) as Record<KeyKind, Signer>,
    timestamps: { timestamp: (request) => Promise.resolve(answer(request)) },
    revocations: { material: () => Promise.resolve({ certificates: [derOf(root), derOf(timestampRoot)], crls: lists, ocsps: [] }) },
  };
}
