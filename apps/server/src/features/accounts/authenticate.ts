import { randomUUID } from 'node:crypto';
import { DomainError, normalizeEmail } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import type { RequestFacts } from '../../http/actor.ts';
import { signToken } from '../../http/token.ts';
import { findUserByEmail, insertSession } from './accounts.store.ts';
import { verifyPassword } from './password-hash.ts';
import { countSignInAttempt } from './sign-in-attempts.ts';

const SESSION_HOURS = 12;
const REMEMBERED_SESSION_DAYS = 30;

export interface Credentials {
  username: string;
  password: string;
  rememberMe: boolean;
}

/**
 * Opens a session. Unknown e-mail and wrong password cost the same time and, with enumeration protection,
 * give the same answer.
 * @throws DomainError account.loginNotFound, wrongPassword, notActivated, locked
 */
export async function authenticate(ctx: Ctx, credentials: Credentials, facts: RequestFacts): Promise<string> {
  const email = normalizeEmail(credentials.username);
  const attempt = await countSignInAttempt(ctx, email, facts.ip);
  const user = await findUserByEmail(ctx, email);
  const matches = await verifyPassword(user?.password_hash ?? null, credentials.password);
  if (!user || !matches) {
    await attempt.failed();
    throw new DomainError(user && !ctx.config.enumerationProtection ? 'account.wrongPassword' : 'account.loginNotFound');
  }
  await attempt.succeeded();
  if (!user.activated) throw new DomainError('account.notActivated');
  return openSession(ctx, user.id, credentials.rememberMe, facts.userAgent);
}

async function openSession(ctx: Ctx, userId: string, remember: boolean, userAgent: string): Promise<string> {
  const id = randomUUID();
  const hours = remember ? REMEMBERED_SESSION_DAYS * 24 : SESSION_HOURS;
  const expiresAt = new Date(ctx.clock.now().getTime() + hours * 3_600_000);
  await insertSession(ctx, { id, userId, expiresAt, userAgent });
  return signToken(ctx.secrets, { sub: userId, sid: id, exp: Math.floor(expiresAt.getTime() / 1000) });
}
