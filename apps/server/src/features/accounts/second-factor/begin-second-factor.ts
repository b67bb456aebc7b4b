import type { PasskeyCreation } from '@lavra/api';
import { DomainError } from '@lavra/domain';
import type { Visitor } from '../../../access/actor.ts';
import type { DeviceClaim } from '../../../access/device-claim.ts';
import type { Ctx } from '../../../context.ts';
import { lockUser } from '../accounts.store.ts';
import { provenDevice } from '../devices.store.ts';
import { holdChallenge, notePasskeyChallenge } from './challenges.store.ts';
import { countFactors, offerTotp } from './factors.store.ts';
import { findStep, stepHolder } from './find-step.ts';
import { passkeyCreationOf } from './passkeys.ts';
import { newTotpSecret, showTotp } from './totp.ts';

/** What an app or a passkey is made with. */
export interface Begun {
  totp: { secret: string; address: string; picture: string } | null;
  passkey: PasskeyCreation | null;
}

/**
 * In the second step of an account that has no factor: begins one. An account that has one shows that instead, whatever its
 * password.
 * @throws DomainError account.stepEnded, passkeysNotOffered
 */
export async function beginSecondFactor(
  ctx: Ctx,
  _actor: Visitor,
  { challenge, kind, device }: { challenge: string; kind: 'passkey' | 'totp'; device: DeviceClaim | null },
): Promise<Begun> {
  const held = await findStep(ctx, challenge, await provenDevice(ctx, device));
  return ctx.transaction(async (tx) => {
    const user = await lockUser(tx, held.userId);
    const { totp, passkeys } = await countFactors(tx, user.id);
    if (totp || passkeys > 0 || !(await holdChallenge(tx, stepHolder(held)))) throw new DomainError('account.stepEnded');
    if (kind === 'passkey') {
      const passkey = await passkeyCreationOf(tx, user, []);
      await notePasskeyChallenge(tx, held.tokenHash, passkey.challenge);
      return { totp: null, passkey };
    }
    const { secret, sealed } = newTotpSecret(tx);
    await offerTotp(tx, user.id, sealed);
    return { totp: await showTotp(secret, user.email), passkey: null };
  });
}
