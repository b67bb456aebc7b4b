import { extendPdf } from '../../extend/extend-pdf.ts';
import { openPdf } from '../../open-pdf.ts';
import { signPdf } from '../../sign/sign-pdf.ts';
import type { Signer } from '../../sign/sign-pdf.ts';
import { memorySource } from '../../source.ts';
import { append, sign } from '../attacks/bases.ts';
import type { AttackWorld } from '../attacks/world.ts';
import type { Kind } from './edits.ts';

/** What the engine itself does to a file, for people who mean well or not. */
type Act = (bytes: Uint8Array, world: AttackWorld) => Promise<Uint8Array>;

function newField(who: 'rui' | 'mallory', name: string, rect: { x: number; y: number; width: number; height: number } | null): Act {
  return async (bytes, world) => {
    const signer: Signer = world[who];
    const revision = await signPdf(await openPdf(memorySource(bytes)), signer, {
      field: { name, ...(rect === null ? {} : { at: { page: 1, rect } }) },
      signingTime: world.at,
      reserve: 8192,
      appearance: { text: who },
      crypto: world.crypto,
    });
    return append(bytes, revision);
  };
}

function extended(level: 'B-T' | 'B-LTA'): Act {
  return async (bytes, { timestamps, revocations, at, crypto }) =>
    append(bytes, await extendPdf(await openPdf(memorySource(bytes)), level, { timestamps, revocations, at, crypto }));
}

/** By name: kept vectors say it. */
export const acts = {
  'rui signs': { kind: 'signature', act: (bytes, world) => sign(bytes, world, 'rui') },
  'rui signs and fills nothing': { kind: 'signature', act: (bytes, world) => sign(bytes, world, 'rui', false) },
  'somebody signs unseen': { kind: 'signature', act: newField('rui', 'terceira', null) },
  'somebody signs beside': { kind: 'signature', act: newField('rui', 'quarta', { x: 430, y: 300, width: 120, height: 50 }) },
  'a stranger signs over the price': { kind: 'signature', act: newField('mallory', 'quinta', { x: 50, y: 690, width: 400, height: 60 }) },
  timestamp: { kind: 'timestamp', act: extended('B-T') },
  archive: { kind: 'timestamp', act: extended('B-LTA') },
} as const satisfies Readonly<Record<string, { kind: Kind; act: Act }>>;

export type ActName = keyof typeof acts;
