import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BaselineLevel } from '@lavra/pades';

export type Judge = 'pyHanko' | 'EU DSS';

/** What a file claims to be; every signature in it. */
export interface Claim {
  readonly file: string;
  /** As people say it: `B-LTA`, `AD-RT 1.3`, `the main story`. */
  readonly level: string;
  readonly baseline: BaselineLevel;
  /** Dotted, or empty. */
  readonly policy: string;
  readonly key: string;
  readonly kind: string;
  /**
   * What a judge is known to object to, and why that is its limit and not the file's fault. The judge must then make that
   * objection and no other: one that stops making it fails the run, so that this list stays true.
   */
  readonly refusals: Partial<Record<Judge, Refusal>>;
}

export interface Refusal {
  readonly objection: 'changes' | 'algorithm' | 'error';
  readonly reason: string;
}

/** Everything the judges need, in one folder: `manifest.tsv`, one claim a line, and who is trusted. */
export interface Case {
  readonly folder: string;
  readonly claims: readonly Claim[];
  /** DER. */
  readonly roots: readonly Uint8Array[];
  /** DER: for files whose level carries no revocation data, and for those alone. */
  readonly lists: readonly Uint8Array[];
}

const refusalText = (refusal: Refusal | undefined): string => (refusal ? `${refusal.objection}: ${refusal.reason}` : '');

/** Tab-separated, because Python, Java and people all read that without help. */
export function writeCase({ folder, claims, roots, lists }: Case): void {
  const lines = claims.map(({ file, level, baseline, policy, key, kind, refusals }) =>
    [file, level, baseline, policy, key, kind, refusalText(refusals.pyHanko), refusalText(refusals['EU DSS'])].join('\t'),
  );
  writeFileSync(join(folder, 'manifest.tsv'), `${lines.join('\n')}\n`);
  roots.forEach((root, index) => writeFileSync(join(folder, `root-${index}.der`), root));
  lists.forEach((list, index) => writeFileSync(join(folder, `list-${index}.crl`), list));
}

export function readSigned({ folder }: Case, { file }: Claim): Uint8Array {
  return new Uint8Array(readFileSync(join(folder, file)));
}
