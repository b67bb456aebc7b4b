import { defaultIndividualDeadline } from '@lavra/domain';
import type { ProcessDraft, SignerDraft, UpdateDraft } from './process-draft.ts';
import { useToldRemoval } from './use-told-removal.ts';

/** The signers of a draft and what is done with them; one that is removed can come back to its place. */
export function useSigners(draft: ProcessDraft, update: UpdateDraft) {
  const tellRemoval = useToldRemoval();
  const change = (next: (signers: readonly SignerDraft[]) => SignerDraft[]) => update((latest) => ({ signers: next(latest.signers) }));
  return {
    add(person: Pick<SignerDraft, 'name' | 'email' | 'cpf' | 'cnpj'>): void {
      const dueDate = draft.individual ? defaultIndividualDeadline(new Date(), draft.signers.length).toISOString() : null;
      change((signers) => [...signers, { id: crypto.randomUUID(), ...person, quantity: 1, dueDate }]);
    },
    set(id: string, part: Partial<SignerDraft>): void {
      change((signers) => signers.map((signer) => (signer.id === id ? { ...signer, ...part } : signer)));
    },
    /** Earlier or later in the order of signing. */
    move(index: number, by: -1 | 1): void {
      change((signers) => {
        const moved = signers[index];
        return moved ? signers.toSpliced(index, 1).toSpliced(index + by, 0, moved) : [...signers];
      });
    },
    remove(signer: SignerDraft, index: number): void {
      tellRemoval(signer.name, () => change((signers) => signers.toSpliced(index, 0, signer)));
      change((signers) => signers.filter(({ id }) => id !== signer.id));
    },
    setMultiple(multiple: boolean): void {
      update((latest) => ({
        multiple,
        signers: multiple ? latest.signers : latest.signers.map((signer) => ({ ...signer, quantity: 1 })),
      }));
    },
  };
}
