import { sql } from 'kysely';
import type { Ctx } from '../../../context.ts';
import type { FactorChallengeTable } from '../../../db/factor-tables.ts';
import type { OwnProof } from '../sign-in-proof.ts';

/** What somebody has begun. */
export interface KeptChallenge {
  tokenHash: string;
  userId: string | null;
  remember: boolean;
  proof: OwnProof | null;
  passkeyChallenge: string | null;
  failures: number;
  expiresAt: Date;
}

type Purpose = FactorChallengeTable['purpose'];

export async function insertChallenge(
  tx: Ctx,
  challenge: Omit<KeptChallenge, 'failures'> & { purpose: Purpose; deviceId: string | null },
): Promise<void> {
  await tx.db
    .insertInto('factor_challenge')
    .values({
      token_hash: challenge.tokenHash,
      purpose: challenge.purpose,
      user_id: challenge.userId,
      device_id: challenge.deviceId,
      remember: challenge.remember,
      proof: challenge.proof && JSON.stringify(challenge.proof),
      passkey_challenge: challenge.passkeyChallenge,
      expires_at: challenge.expiresAt,
    })
    .execute();
}

/** Who holds what: a token by its hash, in the browser and the account that it was given to. */
export interface Holder {
  tokenHash: string;
  purpose: Purpose;
  /** Of a sign-in: the browser. */
  deviceId?: string | null;
  /** Of what an account does: the account. */
  userId?: string;
}

function selectHeld(ctx: Ctx, { tokenHash, purpose, deviceId, userId }: Holder) {
  const query = ctx.db
    .selectFrom('factor_challenge')
    .select(['token_hash as tokenHash', 'user_id as userId', 'remember', sql<OwnProof | null>`proof`.as('proof')])
    .select(['passkey_challenge as passkeyChallenge', 'failures', 'expires_at as expiresAt'])
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', ctx.clock.now());
  return userId === undefined ? query.where('device_id', '=', deviceId ?? null) : query.where('user_id', '=', userId);
}

/** A challenge that is still good; whoever comes from elsewhere finds none. */
export function findChallenge(ctx: Ctx, holder: Holder): Promise<KeptChallenge | undefined> {
  return selectHeld(ctx, holder).executeTakeFirst();
}

/** The same, held until the end of the transaction: of two who show it at once the second finds what the first has left. */
export function holdChallenge(tx: Ctx, holder: Holder): Promise<KeptChallenge | undefined> {
  return selectHeld(tx, holder).forUpdate().executeTakeFirst();
}

export async function notePasskeyChallenge(tx: Ctx, tokenHash: string, passkeyChallenge: string): Promise<void> {
  await tx.db.updateTable('factor_challenge').set({ passkey_challenge: passkeyChallenge }).where('token_hash', '=', tokenHash).execute();
}

export async function noteFailure(tx: Ctx, tokenHash: string, failures: number): Promise<void> {
  await tx.db.updateTable('factor_challenge').set({ failures }).where('token_hash', '=', tokenHash).execute();
}

export async function deleteChallenge(tx: Ctx, tokenHash: string): Promise<void> {
  await tx.db.deleteFrom('factor_challenge').where('token_hash', '=', tokenHash).execute();
}

export async function removeOldChallenges(ctx: Ctx, before: Date): Promise<void> {
  await ctx.db.deleteFrom('factor_challenge').where('expires_at', '<', before).execute();
}
