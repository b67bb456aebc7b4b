import { randomUUID } from 'node:crypto';
import { checkedPartyName, DomainError, isEmail, normalizeEmail } from '@lavra/domain';
import type { Person } from '../../../access/actor.ts';
import type { Ctx } from '../../../context.ts';
import { insertStakeholder } from './creation.store.ts';
import { continueDraft } from './continue-draft.ts';

/** Adds an interested party to a draft. @throws DomainError text.invisible; stakeholder.nameRequired, duplicateEmail; record.nameTooLong; account.emailInvalid */
export async function createStakeholder(ctx: Ctx, actor: Person, input: { signatureProcessId: string; name: string; email: string }) {
  const { name, email } = checkedStakeholder(input);
  const id = randomUUID();
  await ctx.transaction(async (tx) => {
    const draft = await continueDraft(tx, actor, input.signatureProcessId);
    const added = await insertStakeholder(tx, { id, signatureProcessId: draft.id, name, email });
    if (!added) throw new DomainError('stakeholder.duplicateEmail', { field: 'email', params: { email } });
  });
  return { id, name, email, stakeholderName: name, stakeholderEmail: email };
}

/** An interested party fit to be kept. @throws DomainError text.invisible; stakeholder.nameRequired; record.nameTooLong; account.emailInvalid */
export function checkedStakeholder(entered: { name: string; email: string }): { name: string; email: string } {
  const name = checkedPartyName(entered.name);
  const email = normalizeEmail(entered.email);
  if (!isEmail(email)) throw new DomainError('account.emailInvalid', { field: 'email' });
  return { name, email };
}
