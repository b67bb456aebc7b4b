import { randomUUID } from 'node:crypto';
import { DomainError, parseEmail } from '@lavra/domain';
import type { RequestFacts, Visitor } from '../../../access/actor.ts';
import type { DeviceClaim } from '../../../access/device-claim.ts';
import type { Entrance } from '../../../access/entrance.ts';
import { limitRate } from '../../../access/limits.store.ts';
import { recordAudit } from '../../../audit/audit.store.ts';
import type { Ctx, Tx } from '../../../context.ts';
import { hasAnyUser, insertUser, lockRegistration } from '../accounts.store.ts';
import { openSession } from '../open-session.ts';
import { proveFirst } from '../register.ts';
import { confirmCpf, type KeptIdentity, verifiedEmail } from './account-of-identity.ts';
import { findKeptIdentity, linkIdentity, removeIdentities, takeKeptIdentity } from './identities.store.ts';
import { hashOf } from './sign-in-flow.ts';

export interface SocialRegistration {
  /** The secret of the browser that came back from the provider. */
  browser: string | null;
  /** What the client believes to know; nothing else than what the provider said is taken. */
  uid: string | undefined;
  email: string | undefined;
  langKey: 'pt-br' | 'en' | 'es' | undefined;
  /** The first account of a production installation only. */
  firstKey: string | undefined;
  device: DeviceClaim | null;
}

/**
 * Makes the account of whoever a provider has just vouched for, active at once because the provider verified its address, and signs
 * in. It replaces one of the same address that nobody has confirmed.
 * @throws DomainError identity.signInUnknown, signInExpired; account.userexists, firstKeyRequired, firstKeyInvalid; request.invalid,
 *   request.tooMany
 */
export async function registerSocial(
  ctx: Ctx,
  actor: Visitor,
  input: SocialRegistration,
): Promise<{ entrance: Entrance; remember: boolean }> {
  const kept = input.browser === null ? undefined : await findKeptIdentity(ctx, hashOf(input.browser));
  if (!kept?.identity) throw new DomainError('identity.signInUnknown');
  if (kept.expiresAt <= ctx.clock.now()) throw new DomainError('identity.signInExpired');
  const identity = JSON.parse(ctx.secrets.decrypt('identity', kept.identity).toString()) as KeptIdentity;
  if (input.uid !== undefined && input.uid !== identity.subject) throw new DomainError('request.invalid', { field: 'uid' });
  const email = verifiedEmail(identity);
  if (input.email !== undefined && parseEmail(input.email) !== email) throw new DomainError('request.invalid', { field: 'email' });
  await limitRate(ctx, 'register-account', email);
  const userId = await ctx.transaction(async (tx) => {
    if (!(await takeKeptIdentity(tx, kept.stateHash))) throw new DomainError('identity.signInUsed');
    return insertAccount(tx, { ...identity, email }, actor.from, input);
  });
  const { remember } = kept;
  const { issuer, subject } = identity;
  const proof = { by: 'provider', identity: { issuer, subject } } as const;
  const entrance = await openSession(ctx, actor, { userId, proof, remember, device: input.device });
  return { entrance, remember };
}

async function insertAccount(
  tx: Tx,
  identity: KeptIdentity & { email: string },
  from: RequestFacts,
  { langKey, firstKey }: Pick<SocialRegistration, 'langKey' | 'firstKey'>,
): Promise<string> {
  await lockRegistration(tx);
  const isFirst = !(await hasAnyUser(tx));
  if (isFirst) await proveFirst(tx, firstKey, from);
  const { email, provider } = identity;
  const userId = await insertUser(tx, {
    id: randomUUID(),
    login: email,
    email,
    firstName: identity.firstName || (email.split('@')[0] ?? '').slice(0, 50),
    lastName: identity.lastName,
    passwordHash: null,
    loginType: provider,
    langKey: langKey ?? identity.langKey ?? from.langKey,
    activated: true,
    authorities: isFirst ? ['ROLE_USER', 'ROLE_ADMIN'] : ['ROLE_USER'],
    createdAt: tx.clock.now(),
  });
  if (!userId) throw new DomainError('account.userexists', { field: 'email' });
  await removeIdentities(tx, userId);
  if (!(await linkIdentity(tx, userId, identity))) throw new DomainError('account.userexists', { field: 'email' });
  await confirmCpf(tx, userId, identity);
  await recordAudit(tx, { kind: 'account.registered', outcome: 'success', reason: provider, accountId: userId, ip: from.ip });
  if (isFirst) await recordAudit(tx, { kind: 'account.role', outcome: 'success', reason: 'ROLE_ADMIN', accountId: userId, ip: from.ip });
  return userId;
}
