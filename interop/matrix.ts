import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { adRa14, adRb13, adRc14, adRt13, extendPdf, memorySource, openPdf, readAll, signPdf, withRevision } from '@lavra/pades';
import type { BaselineLevel, Pdf, PolicyArtifacts, Revision, SignaturePolicy } from '@lavra/pades';
import { fileKinds } from '../packages/pades/src/testing/file-kinds.ts';
import type { Case, Claim } from './manifest.ts';
import { type KeyKind, keyKinds, makeWorld, type MatrixWorld } from './matrix-world.ts';

/**
 * Every level, kind of key and kind of file, the whole product of the three: 8 × 6 × 4 files of some 10 to 40 KiB, signed
 * by people of a make-believe PKI that lives as long as this run.
 */
interface Level {
  readonly name: string;
  readonly baseline: BaselineLevel;
  readonly policy?: SignaturePolicy;
}

const levels: readonly Level[] = [
  { name: 'B-B', baseline: 'B-B' },
  { name: 'B-T', baseline: 'B-T' },
  { name: 'B-LT', baseline: 'B-LT' },
  { name: 'B-LTA', baseline: 'B-LTA' },
  { name: 'AD-RB 1.3', baseline: 'B-B', policy: adRb13 },
  { name: 'AD-RT 1.3', baseline: 'B-T', policy: adRt13 },
  { name: 'AD-RC 1.4', baseline: 'B-LTA', policy: adRc14 },
  { name: 'AD-RA 1.4', baseline: 'B-LTA', policy: adRa14 },
];

/** ITI's policies as published (DER); null where they are not at hand. */
export function policyFolder(): string | null {
  const folder = process.env['LAVRA_POLICIES'] ?? resolve(import.meta.dirname, '../../shared/icp-brasil/policies');
  return existsSync(folder) ? folder : null;
}

export const pyHankoOnArchives = { objection: 'changes', reason: "0.38 knows none of ICP-Brasil's PBAD_ entries in the DSS" } as const;
const dssOnEdwards = { objection: 'algorithm', reason: 'EdDSA is commented out in the default policy of 6.3' } as const;

/** Other makers' limits. The judges hold them to it: nothing else may be wrong, and the refusal must still happen. */
function refusalsOf(level: Level, key: KeyKind): Claim['refusals'] {
  return {
    ...(level.policy === adRa14 ? { pyHanko: pyHankoOnArchives } : {}),
    ...(key === 'Ed25519' ? { 'EU DSS': dssOnEdwards } : {}),
  };
}

export async function makeMatrix(folder: string): Promise<Case> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const world = await makeWorld();
  const artifacts = policyArtifacts();
  const claims: Claim[] = [];
  for (const level of levels) {
    if (level.policy === adRa14 && artifacts === null) continue;
    for (const key of Object.keys(keyKinds) as KeyKind[]) {
      for (const [kind, original] of Object.entries(fileKinds)) {
        const file = `${level.name}-${key}-${kind}.pdf`.replaceAll(' ', '-');
        writeFileSync(join(folder, file), await makeFile(original, level, key, world, artifacts));
        const { name, baseline, policy } = level;
        claims.push({ file, level: name, baseline, policy: policy?.oid ?? '', key, kind, refusals: refusalsOf(level, key) });
      }
    }
  }
  return { folder, claims, roots: world.roots, lists: world.lists };
}

/** AD-RA stores the policy and ITI's signed list of approved ones; the list's signature is a stand-in that nobody reads. */
function policyArtifacts(): PolicyArtifacts | null {
  const folder = policyFolder();
  if (folder === null) return null;
  const read = (name: string): Uint8Array => new Uint8Array(readFileSync(join(folder, name)));
  return {
    policy: read(adRa14.uri?.split('/').at(-1) ?? ''),
    approvedPolicies: read('LPA_PAdES.der'),
    approvedPoliciesSignature: Uint8Array.of(0x30, 0),
  };
}

async function makeFile(
  original: Uint8Array,
  { baseline, policy }: Level,
  key: KeyKind,
  { signers, timestamps, revocations }: MatrixWorld,
  artifacts: PolicyArtifacts | null,
): Promise<Uint8Array> {
  const signed = await append(original, (pdf) =>
    signPdf(pdf, signers[key], {
      field: 'ana',
      signingTime: new Date(),
      appearance: { text: `Ana Conceição\n${key}` },
      ...(policy ? { policy } : {}),
      ...(baseline === 'B-B' ? {} : { signatureTimestamp: timestamps }),
    }),
  );
  if (baseline === 'B-B' || baseline === 'B-T') return signed;
  const policyOptions = policy === adRa14 && artifacts !== null ? { policyArtifacts: artifacts } : {};
  return append(signed, (pdf) => extendPdf(pdf, baseline, { timestamps, revocations, at: new Date(), ...policyOptions }));
}

async function append(base: Uint8Array, revise: (pdf: Pdf) => Promise<Revision>): Promise<Uint8Array> {
  const source = memorySource(base);
  return readAll(withRevision(source, await revise(await openPdf(source))));
}
