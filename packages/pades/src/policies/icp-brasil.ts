import type { SignaturePolicy } from '../cms/signed-attributes.ts';
import type { DigestName } from '../crypto.ts';

/**
 * ICP-Brasil's PAdES signature policies (DOC-ICP-15.03). RB basic, RT with a time reference, RC complete references, RA
 * archive.
 */
export type IcpBrasilFamily = 'AD-RB' | 'AD-RT' | 'AD-RC' | 'AD-RA';

/** An algorithm a policy permits, and from how many bits on (SignAlgorithmConstraints). */
export interface PermittedAlgorithm {
  /** Dotted, of the signature with its digest. */
  readonly oid: string;
  readonly kind: 'rsa' | 'ecdsa' | 'ed25519' | 'ed448';
  /** Null where the algorithm digests by itself. */
  readonly digest: DigestName | null;
  readonly bits: number;
}

/** ICP-Brasil's roots by generation, for signatures and timestamps alike. */
export type IcpBrasilRoot = 'v2' | 'v5' | 'v12';

/** A policy as ITI published it, for those who meet it in a signature. */
export interface KnownPolicy {
  /** Dotted. */
  readonly oid: string;
  readonly family: IcpBrasilFamily;
  readonly version: string;
  /** For people: "PAdES AD-RB 1.3". */
  readonly name: string;
  /** signPolicyHash, SHA-256, hexadecimal: what the signature must carry. Not the hash of the file. */
  readonly hash: string;
  /** Signing period, as the policy itself states it. */
  readonly from: Date;
  readonly until: Date;
  /** Since when the list of approved policies (LPA) no longer approves it for new signatures; null: it does. */
  readonly revoked: Date | null;
  readonly algorithms: readonly PermittedAlgorithm[];
  /** Under which roots signers and timestamp authorities must be. */
  readonly roots: readonly IcpBrasilRoot[];
  /** Where the policy is published. */
  readonly uri: string;
}

const arcs: Record<IcpBrasilFamily, string> = {
  'AD-RB': '2.16.76.1.7.1.11.1',
  'AD-RT': '2.16.76.1.7.1.12.1',
  'AD-RC': '2.16.76.1.7.1.13.1',
  'AD-RA': '2.16.76.1.7.1.14.1',
};

/** Minor version, signPolicyHash, start and end of the signing period, end of approval. */
type Row = readonly [number, string, string, string, (string | null)?];

const tables: Record<IcpBrasilFamily, readonly Row[]> = {
  'AD-RB': [
    [0, '501d69b4b71fc6e57323c2c74131a9c8c62409be378ba788dc288555611b9e58', '2015-08-25', '2029-03-02'],
    [1, '44fc5816eb2d705d8c8f022a7f93b3fb49edfae1a7b9149ef6fab833e9bb63f8', '2018-05-14', '2029-03-02'],
    [2, 'bf22358c963b52971f18c822d8529c5163fe55fa8eed1068d327adc6bc082ee2', '2025-06-12', '2037-10-22', '2025-07-23'],
    [3, '23e4be4b9b362172e4ebb0e72b86a133ece5aad843d8651c6e38a0ba3f08fc60', '2025-07-23', '2037-10-22'],
  ],
  'AD-RT': [
    [0, 'cefbba0147077bd216eb04d2b25c56c3d4ac60dbbe08cdd697d2dcd0029b56e8', '2015-08-25', '2029-03-02'],
    [1, 'fa1d44e76ad91e2f6cd471b6987e9c0f1c70d4b70da0956e7becf4dc792c0c1f', '2018-05-14', '2029-03-02'],
    [2, '19e0be31d91a6ffa694bbe0e9b35e4bc2f877f62dc6ac7a7833ada6345e15af8', '2025-06-12', '2037-10-22', '2025-07-23'],
    [3, '21d6e8d9f85e5626dc71307337a7cabd6ffef8d085038746775cf0ce6ba4d3b5', '2025-07-23', '2037-10-22'],
  ],
  'AD-RC': [
    [0, 'b3d8a9ef6b475a8cd62f07b3edb8b0bd974dd15a165eeb197bd987d7591e0fee', '2015-08-25', '2029-03-02', '2016-07-15'],
    [1, '3fe5e1eeea9f6723568dc9e2c313c0e19c817faa923ab29b52ea76d1fb53027c', '2016-07-15', '2029-03-02'],
    [2, '9f743696b821e535252c17df754cd9379fd2d3b6870179248c64a5c80604399d', '2018-05-14', '2029-03-02'],
    [3, '235488859f7ada5d4984c364cc1c8eee4673fb7c70ff8b19dd236a86f3d87cc2', '2025-06-12', '2037-10-22', '2025-07-23'],
    [4, '712f18a9f0163c1e90da6ff0b7165543378a18a0f06d3cb21668067cac229bd2', '2025-07-23', '2037-10-22'],
  ],
  'AD-RA': [
    [0, '6d1dd552117d1de402f515f9f77ef9d30b2162995f93a2290c134c9c24387bdf', '2015-08-25', '2029-03-02', '2016-07-15'],
    [1, '2ac50c5be4ccdde5c240a4a304f7021642841642aa0ed8b403e6c518dd9d81b6', '2016-07-15', '2029-03-02'],
    [2, '1f1b8e74be9626bc1702d40ce1c126eb1c9caf7bade6b1fd779c8f60e733dd7c', '2018-05-14', '2029-03-02'],
    [3, '542600efaa7cac8e1db8cee572ef275f6157de27cf5e2fd75466ae2dcf8fab04', '2025-06-12', '2037-10-22', '2025-07-23'],
    [4, 'ffa9fd474812f6ce63d625679c9ef235a6547b017be941b2c094aa868e67e123', '2025-07-23', '2037-10-22'],
  ],
};

const rsa: readonly PermittedAlgorithm[] = [
  { oid: '1.2.840.113549.1.1.11', kind: 'rsa', digest: 'sha256', bits: 2048 },
  { oid: '1.2.840.113549.1.1.13', kind: 'rsa', digest: 'sha512', bits: 2048 },
];
/** Since 2025. Of EdDSA the pure forms; CMS has no others (RFC 8419). */
const curves: readonly PermittedAlgorithm[] = [
  { oid: '1.2.840.10045.4.3.2', kind: 'ecdsa', digest: 'sha256', bits: 256 },
  { oid: '1.2.840.10045.4.3.4', kind: 'ecdsa', digest: 'sha512', bits: 256 },
  { oid: '1.3.101.112', kind: 'ed25519', digest: null, bits: 256 },
  { oid: '1.3.101.113', kind: 'ed448', digest: null, bits: 456 },
];

function known(family: IcpBrasilFamily, [minor, hash, from, until, revoked = null]: Row): KnownPolicy {
  const isOld = from < '2025';
  const file = `PA_PAdES_${family.replace('-', '_')}_v1_${minor}.der`;
  return {
    // Version 1.0 ends in ".1", later ones in ".1.<minor>".
    oid: minor === 0 ? arcs[family] : `${arcs[family]}.${minor}`,
    family,
    version: `1.${minor}`,
    name: `PAdES ${family} 1.${minor}`,
    hash,
    from: new Date(from),
    until: new Date(until),
    revoked: revoked === null ? null : new Date(revoked),
    algorithms: isOld ? rsa : [...rsa, ...curves],
    roots: isOld ? ['v2', 'v5'] : ['v5', 'v12'],
    uri: `http://politicas.icpbrasil.gov.br/${file}`,
  };
}

/** Every PAdES policy ICP-Brasil has published, by OID. */
export const knownPolicies: ReadonlyMap<string, KnownPolicy> = new Map(
  (Object.keys(tables) as IcpBrasilFamily[]).flatMap((family) =>
    tables[family].map((row) => {
      const policy = known(family, row);
      return [policy.oid, policy] as const;
    }),
  ),
);

/** What the current versions permit (DOC-ICP-15.03 §6): RSA from 2048 bits, ECDSA from 256, Ed25519; never PSS. */
const digests: readonly DigestName[] = ['sha256', 'sha512'];

function current(family: IcpBrasilFamily): SignaturePolicy {
  const newest = tables[family].at(-1);
  if (newest === undefined) throw new Error('a family without versions');
  const { oid, hash, uri } = known(family, newest);
  const bytes = Uint8Array.from(hash.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  return { oid, hash: bytes, digest: 'sha256', uri, digests, ...(family === 'AD-RB' ? {} : { needsTimestamp: true }) };
}

/** AD-RB 1.3: a signature at level B-B. */
export const adRb13: SignaturePolicy = current('AD-RB');
/** AD-RT 1.3: with a signature timestamp, level B-T. */
export const adRt13: SignaturePolicy = current('AD-RT');
/** AD-RC 1.4: signature timestamp, then `extendPdf` to B-LTA (DSS with VRI, document timestamp). */
export const adRc14: SignaturePolicy = current('AD-RC');
/** AD-RA 1.4: as AD-RC, and `extendPdf` is handed `policyArtifacts`. */
export const adRa14: SignaturePolicy = current('AD-RA');
