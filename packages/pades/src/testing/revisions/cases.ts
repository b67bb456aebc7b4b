import type { AttackWorld } from '../attacks/world.ts';
import { damage } from './damage.ts';
import { formFilling } from './form-filling.ts';
import { locks } from './locks.ts';
import { otherObjects } from './other-objects.ts';
import { secondSignatures } from './second-signatures.ts';
import { validationData } from './validation-data.ts';

/** Builds a signed file with what came after. */
export type RevisionCase = (world: AttackWorld) => Promise<Uint8Array> | Uint8Array;

/** By the name of pyHanko's test that builds the like, and its parameter. */
export type RevisionCases = Readonly<Record<string, RevisionCase>>;

/** What pyHanko's tests of later changes build, built anew from documents of our own. */
export const revisionCases: RevisionCases = {
  ...secondSignatures,
  ...formFilling,
  ...locks,
  ...validationData,
  ...otherObjects,
  ...damage,
};
