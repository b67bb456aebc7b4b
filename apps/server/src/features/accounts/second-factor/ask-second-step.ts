import { type SecondFactorKind, type SecondStep } from '@lavra/api';
import { needsSecondFactor, secondStepMinutes } from '@lavra/domain';
import type { Ctx } from '../../../context.ts';
import { accountKeyHash, newAccountKey } from '../account-key.ts';
import type { User } from '../accounts.store.ts';
import type { OwnProof } from '../sign-in-proof.ts';
import { insertChallenge } from './challenges.store.ts';
import { countFactors, type FactorCounts, findPolicy, listPasskeys } from './factors.store.ts';
import { arePasskeysOffered, passkeyRequestOf } from './passkeys.ts';

/** Until when something that is begun now may be finished. */
export function challengeEnd(ctx: Ctx): Date {
  return new Date(ctx.clock.now().getTime() + secondStepMinutes * 60_000);
}

/**
 * What the door asks after the first step; null: nothing more, for the account has no second factor and needs none. The
 * challenge is good in this browser alone, so that whoever reads it elsewhere has nothing.
 */
export async function askSecondStep(
  tx: Ctx,
  account: User,
  given: { proof: OwnProof; remember: boolean; deviceId: string },
): Promise<SecondStep | null> {
  const has = await countFactors(tx, account.id);
  const hasFactor = has.totp || has.passkeys > 0;
  if (!hasFactor && !needsSecondFactor(await findPolicy(tx), account.authorities)) return null;
  const methods = methodsOf(tx, has);
  const passkey = methods.includes('passkey') ? await passkeyRequestOf(tx, await listPasskeys(tx, account.id)) : null;
  const { key: challenge, hash } = newAccountKey();
  const expiresAt = challengeEnd(tx);
  await insertChallenge(tx, {
    ...given,
    tokenHash: hash,
    purpose: 'signIn',
    userId: account.id,
    passkeyChallenge: passkey?.challenge ?? null,
    expiresAt,
  });
  const passkeysOffered = arePasskeysOffered(tx);
  return { challenge, expiresDate: expiresAt.toISOString(), enrol: !hasFactor, methods, passkey, passkeysOffered };
}

function methodsOf(ctx: Ctx, has: FactorCounts): SecondFactorKind[] {
  const methods: SecondFactorKind[] = [];
  if (has.passkeys > 0 && arePasskeysOffered(ctx)) methods.push('passkey');
  if (has.totp) methods.push('totp');
  if (has.backupCodes > 0 && (has.totp || has.passkeys > 0)) methods.push('backupCode');
  return methods;
}

/** How a challenge is found again: what somebody holds is kept as its hash. */
export const challengeHash = accountKeyHash;
