import type { PasskeyCreation, Proof } from '@lavra/api';
import type { Person } from '../../../access/actor.ts';
import type { Ctx } from '../../../context.ts';
import { holdOwnAccount } from '../hold-own-account.ts';
import { newAccountKey } from '../account-key.ts';
import { challengeEnd } from './ask-second-step.ts';
import { insertChallenge } from './challenges.store.ts';
import { listPasskeys } from './factors.store.ts';
import { passkeyCreationOf } from './passkeys.ts';
import { proveAgain } from './prove-again.ts';

/** Asks the browser for a new passkey. @throws DomainError account.passkeysNotOffered, and what `proveAgain` refuses */
export async function beginPasskey(
  ctx: Ctx,
  actor: Person,
  { proof }: { proof: Proof },
): Promise<{ challenge: string; passkey: PasskeyCreation }> {
  await proveAgain(ctx, actor, proof);
  const { key: challenge, hash } = newAccountKey();
  return ctx.transaction(async (tx) => {
    const user = await holdOwnAccount(tx, actor);
    const passkey = await passkeyCreationOf(tx, user, await listPasskeys(tx, actor.userId));
    await insertChallenge(tx, {
      tokenHash: hash,
      purpose: 'addPasskey',
      userId: actor.userId,
      deviceId: null,
      remember: false,
      proof: null,
      passkeyChallenge: passkey.challenge,
      expiresAt: challengeEnd(tx),
    });
    return { challenge, passkey };
  });
}
