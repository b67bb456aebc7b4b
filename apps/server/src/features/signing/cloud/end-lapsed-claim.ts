import type { Ctx } from '../../../context.ts';
import { failAttempt } from '../digital/fail-attempt.ts';
import { openAuthorization } from './cloud-secret.ts';
import { lockLapsed } from './cloud.store.ts';

/** Ends what a signer's earlier try left behind when the program died between the code and its token; they may begin again. */
export async function endLapsedClaim(tx: Ctx, signerId: string): Promise<void> {
  const lapsed = await lockLapsed(tx, { signerId });
  if (lapsed) await endIfWithoutToken(tx, lapsed);
}

/** With a token the attempt goes on, however old: what it was given for may be signed already. */
export async function endIfWithoutToken(tx: Ctx, { id, secret }: { id: string; secret: Buffer | null }): Promise<void> {
  if (openAuthorization(tx, secret) === null) await failAttempt(tx, id, 'signing.authorizationExpired');
}
