import { DomainError } from '@lavra/domain';
import type { Visitor } from '../../../access/actor.ts';
import type { DeviceClaim } from '../../../access/device-claim.ts';
import type { Entrance } from '../../../access/entrance.ts';
import { recordRefusal } from '../../../audit/audit.store.ts';
import type { Ctx } from '../../../context.ts';
import { openSession } from '../open-session.ts';
import { accountOfIdentity, type KeptIdentity, verifiedEmail } from './account-of-identity.ts';
import { keepIdentity } from './identities.store.ts';
import { finishFlow, type FlowAnswer } from './sign-in-flow.ts';

const REGISTRATION_MS = 10 * 60_000;

/** Signed in; or vouched for, and without an account yet. */
export type SocialOutcome = { remember: boolean } & ({ entrance: Entrance } | { registration: KeptIdentity });

/**
 * Takes what a provider sent back: opens the account that it belongs to, or keeps what was said, sealed, until the person asks for
 * an account (`registerSocial`). Nothing is made of an answer that is refused.
 * @throws DomainError identity.*, account.deactivated, request.tooMany
 */
export async function finishSocialSignIn(
  ctx: Ctx,
  actor: Visitor,
  { device, ...answer }: FlowAnswer & { device: DeviceClaim | null },
): Promise<SocialOutcome> {
  const { ip } = actor.from;
  const { flow, identity, userId } = await knownBy(ctx, actor, answer).catch(async (error: unknown) => {
    if (error instanceof DomainError) await recordRefusal(ctx, { kind: 'session.opened', outcome: 'refused', reason: error.code, ip });
    throw error;
  });
  const { remember } = flow;
  if (userId !== null) {
    const { issuer, subject } = identity;
    const proof = { by: 'provider', identity: { issuer, subject } } as const;
    return { remember, entrance: await openSession(ctx, actor, { userId, proof, remember, device }) };
  }
  const sealed = ctx.secrets.encrypt('identity', Buffer.from(JSON.stringify(identity)));
  await keepIdentity(ctx, flow.stateHash, { sealed, expiresAt: new Date(ctx.clock.now().getTime() + REGISTRATION_MS) });
  return { remember, registration: identity };
}

async function knownBy(ctx: Ctx, { from }: Visitor, answer: FlowAnswer) {
  const { flow, identity } = await finishFlow(ctx, answer);
  const { claims: _claims, tokens: _tokens, ...kept } = identity;
  const userId = await ctx.transaction((tx) => accountOfIdentity(tx, kept, from));
  if (userId === null) verifiedEmail(kept);
  return { flow, identity: kept, userId };
}
