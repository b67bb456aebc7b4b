import type { SignerDraft } from './process-draft.ts';

type Ordered = Pick<SignerDraft, 'id' | 'withPrevious'>;

/** People who are called at the same time, group after group. */
function groupsOf<T extends Ordered>(signers: readonly T[]): T[][] {
  const groups: T[][] = [];
  for (const signer of signers) {
    const last = groups.at(-1);
    if (signer.withPrevious && last) last.push(signer);
    else groups.push([signer]);
  }
  return groups;
}

function inOrder<T extends Ordered>(groups: readonly T[][]): T[] {
  return groups.flatMap((group) => group.map((signer, index) => ({ ...signer, withPrevious: index > 0 })));
}

/** The place of each in the order of signing, from 0; the same for those who are called at the same time. */
export function signingOrders(signers: readonly Ordered[]): number[] {
  return groupsOf(signers).flatMap((group, order) => group.map(() => order));
}

/** Earlier or later: somebody of a group leaves it on that side, somebody alone changes places with the group there. */
export function movedBy<T extends Ordered>(signers: readonly T[], id: string, by: -1 | 1): T[] {
  const groups = groupsOf(signers);
  const at = groups.findIndex((group) => group.some((one) => one.id === id));
  const group = groups[at];
  const signer = group?.find((one) => one.id === id);
  if (!group || !signer) return [...signers];
  if (group.length === 1) return inOrder(groups.toSpliced(at, 1).toSpliced(Math.max(0, at + by), 0, group));
  const rest = group.filter((one) => one !== signer);
  return inOrder(groups.toSpliced(at, 1, ...(by < 0 ? [[signer], rest] : [rest, [signer]])));
}

/** With those before at the same time, or after them again. */
export function joined<T extends Ordered>(signers: readonly T[], id: string, withPrevious: boolean): T[] {
  return inOrder(groupsOf(signers.map((one) => (one.id === id ? { ...one, withPrevious } : one))));
}

/** Where somebody who was dragged is let go: before or after another person, or on them: at the same time. */
export type DropSide = 'before' | 'with' | 'after';

export function droppedOn<T extends Ordered>(signers: readonly T[], id: string, target: string, side: DropSide): T[] {
  const signer = signers.find((one) => one.id === id);
  if (!signer || id === target) return [...signers];
  const groups = groupsOf(without(signers, id));
  const at = groups.findIndex((group) => group.some((one) => one.id === target));
  const group = groups[at];
  if (!group) return [...signers];
  if (side === 'with') return inOrder(groups.toSpliced(at, 1, [...group, signer]));
  return inOrder(groups.toSpliced(side === 'before' ? at : at + 1, 0, [signer]));
}

/** Without somebody; whoever was called at the same time stays so. */
export function without<T extends Ordered>(signers: readonly T[], id: string): T[] {
  return inOrder(groupsOf(signers).map((group) => group.filter((one) => one.id !== id)));
}
