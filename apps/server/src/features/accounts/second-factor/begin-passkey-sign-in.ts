import type { PasskeyRequest } from '@lavra/api';
import type { Visitor } from '../../../access/actor.ts';
import type { DeviceClaim } from '../../../access/device-claim.ts';
import type { Ctx } from '../../../context.ts';
import { newAccountKey } from '../account-key.ts';
import { ensureDevice } from '../devices.store.ts';
import { challengeEnd } from './ask-second-step.ts';
import { insertChallenge } from './challenges.store.ts';
import { passkeyRequestOf } from './passkeys.ts';

/** Asks for any passkey of ours, without knowing who asks: nothing is told of any account. @throws DomainError account.passkeysNotOffered */
export async function beginPasskeySignIn(
  ctx: Ctx,
  _actor: Visitor,
  { device: shown }: { device: DeviceClaim | null },
): Promise<{ challenge: string; passkey: PasskeyRequest; device: DeviceClaim }> {
  const passkey = await passkeyRequestOf(ctx, null);
  const { key: challenge, hash } = newAccountKey();
  const device = await ctx.transaction(async (tx) => {
    const ensured = await ensureDevice(tx, shown);
    await insertChallenge(tx, {
      tokenHash: hash,
      purpose: 'passkeySignIn',
      userId: null,
      deviceId: ensured.id,
      remember: false,
      proof: null,
      passkeyChallenge: passkey.challenge,
      expiresAt: challengeEnd(tx),
    });
    return ensured;
  });
  return { challenge, passkey, device };
}
