import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError, normalizeEmail } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import type { RequestFacts } from '../../http/actor.ts';
import { clearAttempts, countAttempt, readAttempts } from '../../http/rate-limit.store.ts';
import { signToken } from '../../http/token.ts';
import { findUserByEmail, insertSession } from './accounts.store.ts';
import { verifyPassword } from './password-hash.ts';

const WINDOW_SECONDS = 15 * 60;
const FAILURES_ALLOWED = 5;
/** An address may hold an office of people: it is locked later than one account. */
const FAILURES_ALLOWED_PER_ADDRESS = 50;
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
  const failures = await assertNotLocked(ctx, email, facts.ip);
  const user = await findUserByEmail(ctx, email);
  const matches = await verifyPassword(user?.password_hash ?? null, credentials.password);
  if (!user || !matches) {
    await Promise.all([countAttempt(ctx, 'login', email, WINDOW_SECONDS), countAttempt(ctx, 'login-address', facts.ip, WINDOW_SECONDS)]);
    // Each failure slows the next answer, before the lock.
    await sleep(Math.min(failures, FAILURES_ALLOWED) * 150);
    throw new DomainError(user && !ctx.config.enumerationProtection ? 'account.wrongPassword' : 'account.loginNotFound');
  }
  if (!user.activated) throw new DomainError('account.notActivated');
  await clearAttempts(ctx, 'login', email);
  return openSession(ctx, user.id, credentials.rememberMe, facts.userAgent);
}

async function assertNotLocked(ctx: Ctx, email: string, ip: string): Promise<number> {
  const failures = await readAttempts(ctx, 'login', email, WINDOW_SECONDS);
  const byAddress = await readAttempts(ctx, 'login-address', ip, WINDOW_SECONDS);
  if (failures >= FAILURES_ALLOWED || byAddress >= FAILURES_ALLOWED_PER_ADDRESS) throw new DomainError('account.locked', { params: { minutes: WINDOW_SECONDS / 60 } });
  return failures;
}

async function openSession(ctx: Ctx, userId: string, remember: boolean, userAgent: string): Promise<string> {
  const id = randomUUID();
  const hours = remember ? REMEMBERED_SESSION_DAYS * 24 : SESSION_HOURS;
  const expiresAt = new Date(ctx.clock.now().getTime() + hours * 3_600_000);
  await insertSession(ctx, { id, userId, expiresAt, userAgent });
  return signToken(ctx.secrets, { sub: userId, sid: id, exp: Math.floor(expiresAt.getTime() / 1000) });
}
