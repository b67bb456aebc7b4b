import type { PasskeyRequest } from '@lavra/api';
import { DomainError } from '@lavra/domain';
import type { Person } from '../../../access/actor.ts';
import type { Ctx } from '../../../context.ts';
import { newAccountKey } from '../account-key.ts';
import { challengeEnd } from './ask-second-step.ts';
import { insertChallenge } from './challenges.store.ts';
import { listPasskeys } from './factors.store.ts';
import { passkeyRequestOf } from './passkeys.ts';

/** Asks the account's own passkeys, for a proof. @throws DomainError account.passkeyWrong: it has none; account.passkeysNotOffered */
export async function askPasskey(ctx: Ctx, { userId }: Person): Promise<{ challenge: string; passkey: PasskeyRequest }> {
  const passkeys = await listPasskeys(ctx, userId);
  if (passkeys.length === 0) throw new DomainError('account.passkeyWrong');
  const passkey = await passkeyRequestOf(ctx, passkeys);
  const { key: challenge, hash } = newAccountKey();
  await insertChallenge(ctx, {
    tokenHash: hash,
    purpose: 'proof',
    userId,
    deviceId: null,
    remember: false,
    proof: null,
    passkeyChallenge: passkey.challenge,
    expiresAt: challengeEnd(ctx),
  });
  return { challenge, passkey };
}
