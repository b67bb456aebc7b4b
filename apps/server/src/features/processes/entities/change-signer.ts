import { assertDeadlines, checkedSigner } from '@lavra/domain';
import type { Person } from '../../../access/actor.ts';
import type { Ctx } from '../../../context.ts';
import { parseInstant } from '../../../language/parse-instant.ts';
import { continueDraft } from '../creation/continue-draft.ts';
import { setSigner } from './drafts.store.ts';

/** What is written of a signer; what is left out stays as it is. */
export interface SignerChange {
  id: string;
  signatureProcessId: string;
  name: string;
  email: string;
  phoneNumber?: string | null | undefined;
  legalIdentifier?: string | null | undefined;
  companyIdentifier?: string | null | undefined;
  order: number;
  dueDate?: string | null | undefined;
}

/** Changes who signs a draft of the actor's own. @throws DomainError process.notFound, process.notDraft, and what `createSigner` throws of a signer's values */
export function changeSigner(ctx: Ctx, actor: Person, { id, signatureProcessId, ...change }: SignerChange): Promise<void> {
  return ctx.transaction(async (tx) => {
    const draft = await continueDraft(tx, actor, signatureProcessId);
    const was = draft.signers.find((signer) => signer.id === id);
    const { phoneNumber = was?.phoneNumber ?? null, legalIdentifier = was?.cpf ?? null, companyIdentifier = was?.cnpj ?? null } = change;
    const values = checkedSigner({
      name: change.name,
      email: change.email,
      phoneNumber,
      legalIdentifier,
      companyIdentifier,
      order: change.order,
    });
    const dueDate = change.dueDate === undefined ? (was?.dueDate ?? null) : parseInstant(change.dueDate, 'dueDate');
    assertDeadlines({ general: null, individual: [dueDate] }, null, tx.clock.now());
    await setSigner(tx, { ...values, id, dueDate });
  });
}
