import { sign as nodeSign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import {
  createRoot,
  issueSignerCertificate,
  issueTimestampCertificate,
  privateKeyOf,
  rootRevocationList,
  timestampAuthority,
} from '@lavra/make-believe';
import type { Issuer } from '@lavra/make-believe';
import { platformCrypto } from '../../crypto.ts';
import type { Crypto } from '../../crypto.ts';
import type { RevocationSource } from '../../material.ts';
import type { Signer } from '../../sign/sign-pdf.ts';
import type { TimestampSource } from '../../timestamp/timestamp.ts';
import type { VerificationOptions } from '../../verify/verify-pdf.ts';

/** A signer whose key can also be lent to a forger's CMS. */
export interface AttackSigner extends Signer {
  readonly key: KeyObject;
  /** Another certificate of the same root over the same key. */
  readonly twin: Uint8Array;
  /** A certificate of the same root over another key. */
  readonly stranger: Uint8Array;
}

/** Everybody a signed file needs, trusted: what is not attacked is TOTAL-PASSED. */
export interface AttackWorld {
  readonly ana: AttackSigner;
  readonly rui: AttackSigner;
  readonly mallory: AttackSigner;
  readonly timestamps: TimestampSource;
  readonly revocations: RevocationSource;
  readonly at: Date;
  /** Random bytes that are always the same, so that a seed means the same file layout tomorrow. */
  readonly crypto: Crypto;
  readonly options: VerificationOptions;
}

export async function attackWorld(at: Date = new Date()): Promise<AttackWorld> {
  const root = await createRoot('Raiz', at);
  const authority = await issueTimestampCertificate(root, 'Carimbo', at);
  const answer = timestampAuthority(
    { certificate: der(authority), chain: [der(root)], key: await privateKeyOf(authority) },
    () => new Date(at.getTime() - 60_000),
  );
  const list = await rootRevocationList({ certificate: root.certificate, privateKey: root.keys.privateKey }, at);
  const revocations = { material: () => Promise.resolve({ certificates: [der(root)], crls: [list], ocsps: [] }) };
  const trust = { anchors: [{ certificate: der(root), name: 'Raiz', uses: ['signature', 'timestamp'] as const }], intermediates: [] };
  return {
    ana: await signer(root, 'Ana', at),
    rui: await signer(root, 'Rui', at),
    mallory: await signer(await createRoot('Outra raiz', at), 'Mallory', at),
    timestamps: { timestamp: (request) => Promise.resolve(answer(request)) },
    revocations,
    at,
    crypto: { ...platformCrypto, random: (length) => new Uint8Array(length).fill(7) },
    options: { trust, at, revocations },
  };
}

async function signer(root: Issuer, name: string, now: Date): Promise<AttackSigner> {
  const issued = await issueSignerCertificate(root, name, { now });
  const twin = await issueSignerCertificate(root, `${name} (outro papel)`, { now, keys: issued.keys });
  const stranger = await issueSignerCertificate(root, 'Outra pessoa', { now });
  const key = await privateKeyOf(issued);
  return {
    certificate: der(issued),
    chain: [],
    key,
    twin: der(twin),
    stranger: der(stranger),
    sign: (data, digest) => Promise.resolve(new Uint8Array(nodeSign(digest, data, key))),
  };
}

function der({ certificate }: Issuer): Uint8Array {
  return new Uint8Array(certificate.rawData);
}
