import type { NewPasskey } from '@lavra/api';
import { DomainError } from '@lavra/domain';
import type { Person } from '../../../access/actor.ts';
import type { Ctx } from '../../../context.ts';
import { holdOwnAccount } from '../hold-own-account.ts';
import { challengeHash } from './ask-second-step.ts';
import { deleteChallenge, holdChallenge } from './challenges.store.ts';
import { checkedPasskeyName, keepPasskey } from './keep-factor.ts';

/** The passkey that was made becomes a factor. @throws DomainError account.stepEnded, passkeyWrong, passkeyTaken; record.nameRequired, nameTooLong */
export async function addPasskey(
  ctx: Ctx,
  actor: Person,
  input: { challenge: string; passkey: NewPasskey; name: string },
): Promise<{ id: string; backupCodes: string[] | null }> {
  const name = checkedPasskeyName(input.name);
  const kept = await ctx.transaction(async (tx) => {
    const user = await holdOwnAccount(tx, actor);
    const asked = await holdChallenge(tx, { tokenHash: challengeHash(input.challenge), purpose: 'addPasskey', userId: actor.userId });
    if (!asked?.passkeyChallenge) throw new DomainError('account.stepEnded');
    await deleteChallenge(tx, asked.tokenHash);
    return keepPasskey(tx, user, { passkey: input.passkey, name, challenge: asked.passkeyChallenge }, actor.from);
  });
  if ('refusal' in kept) throw new DomainError(kept.refusal);
  return { id: kept.factor.id, backupCodes: kept.codes };
}
