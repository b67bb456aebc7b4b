import { DomainError } from '@lavra/domain';
import type { Ctx } from '../../../context.ts';
import type { OwnProof } from '../sign-in-proof.ts';
import { challengeHash } from './ask-second-step.ts';
import { findChallenge, type Holder } from './challenges.store.ts';

/** A sign-in that waits for its second step: whose, where, and what its first step has shown. */
export interface Held {
  tokenHash: string;
  userId: string;
  deviceId: string;
  proof: OwnProof;
}

/** Of a token in the browser that it was given to. @throws DomainError account.stepEnded */
export async function findStep(ctx: Ctx, token: string, deviceId: string | null): Promise<Held> {
  if (deviceId === null) throw new DomainError('account.stepEnded');
  const tokenHash = challengeHash(token);
  const found = await findChallenge(ctx, { tokenHash, purpose: 'signIn', deviceId });
  if (!found?.userId || !found.proof) throw new DomainError('account.stepEnded');
  return { tokenHash, userId: found.userId, deviceId, proof: found.proof };
}

export function stepHolder({ tokenHash, deviceId }: Held): Holder {
  return { tokenHash, purpose: 'signIn', deviceId };
}
