import type { Bases } from './bases.ts';
import type { AttackWorld } from './world.ts';

export type Family =
  | 'USF'
  | 'ISA'
  | 'SWA'
  | 'SHADOW_HIDE'
  | 'SHADOW_REPLACE'
  | 'SHADOW_HIDE_AND_REPLACE'
  | 'EAA'
  | 'SSA'
  | 'DUPLICATE_KEYS'
  | 'XREF'
  | 'CMS'
  | 'TRAILING'
  | 'RESOURCES'
  | 'FORM'
  | 'STRUCTURE'
  | 'SECTIONS'
  | 'ORDER'
  | 'SHARED'
  | 'LOOKS'
  | 'READ_ALOUD'
  | 'REBUILT'
  | 'CODED'
  | 'SPELLED'
  | 'AWAITED'
  | 'NEW_FIELD'
  | 'BENIGN';

export interface AttackContext {
  readonly world: AttackWorld;
  readonly bases: Bases;
}

/** One attacked file. The signature under attack is that of the field `ana` unless said otherwise. */
export interface Variant {
  readonly name: string;
  readonly family: Family;
  /** What the attacker hopes for. */
  readonly trick: string;
  /** The field whose signature is attacked; `timestamp`: the first timestamp inside that signature. */
  readonly target?: { readonly field: string; readonly timestamp?: boolean };
  make(context: AttackContext): Promise<Uint8Array> | Uint8Array;
}

export type Tricks = Readonly<Record<string, readonly [trick: string, make: Variant['make'], target?: Variant['target']]>>;

export function family(name: Family, tricks: Tricks): Variant[] {
  return Object.entries(tricks).map(([variant, [trick, make, target]]) => ({
    name: variant,
    family: name,
    trick,
    make,
    ...(target ? { target } : {}),
  }));
}
