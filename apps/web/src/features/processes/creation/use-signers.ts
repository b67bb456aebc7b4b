import { withOfferedDeadlines } from './offered-deadlines.ts';
import type { ProcessDraft, SignerDraft, SignerPerson, UpdateDraft } from './process-draft.ts';
import { type DropSide, droppedOn, joined, movedBy, without } from './signing-order.ts';
import { useToldRemoval } from './use-told-removal.ts';

/** The signers of a draft and what is done with them; one that is removed can come back to its place. */
export function useSigners(draft: ProcessDraft, update: UpdateDraft) {
  const tellRemoval = useToldRemoval();
  const change = (next: (signers: readonly SignerDraft[]) => SignerDraft[]) => update((latest) => ({ signers: next(latest.signers) }));
  return {
    add(people: readonly SignerPerson[]): void {
      change((signers) => {
        const all = [...signers, ...people.map((person) => ({ id: crypto.randomUUID(), ...person, quantity: 1, dueDate: null }))];
        return draft.individual ? withOfferedDeadlines(all, draft, new Date()) : all;
      });
    },
    set(id: string, part: Partial<SignerDraft>): void {
      change((signers) => signers.map((signer) => (signer.id === id ? { ...signer, ...part } : signer)));
    },
    /** Earlier or later in the order of signing. */
    move: (id: string, by: -1 | 1) => change((signers) => movedBy(signers, id, by)),
    join: (id: string, withPrevious: boolean) => change((signers) => joined(signers, id, withPrevious)),
    drop: (id: string, target: string, side: DropSide) => change((signers) => droppedOn(signers, id, target, side)),
    remove(signer: SignerDraft, index: number): void {
      const before = new Map(draft.signers.map(({ id, withPrevious }) => [id, withPrevious ?? false]));
      tellRemoval(signer.name, () =>
        change((signers) =>
          signers.toSpliced(index, 0, signer).map((one) => ({ ...one, withPrevious: before.get(one.id) ?? one.withPrevious ?? false })),
        ),
      );
      change((signers) => without(signers, signer.id));
    },
    setMultiple(multiple: boolean): void {
      update((latest) => ({
        multiple,
        signers: multiple ? latest.signers : latest.signers.map((signer) => ({ ...signer, quantity: 1 })),
      }));
    },
  };
}
