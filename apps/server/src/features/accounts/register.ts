import { randomUUID } from 'node:crypto';
import { cleanLine, DomainError, isAcceptablePassword, isEmail, limits, normalizeEmail } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import type { RequestFacts } from '../../http/actor.ts';
import { limitRateByAddress } from '../../http/rate-limit.store.ts';
import { queueMail } from '../../mail/send-mail.job.ts';
import { newAccountKey } from './account-key.ts';
import { activationMail } from './account.mail.ts';
import { hasAnyUser, insertKey, insertUser, lockRegistration } from './accounts.store.ts';
import { hashPassword } from './password-hash.ts';

const ACTIVATION_HOURS = 72;

export interface Registration {
  firstName: string;
  email: string;
  password: string;
  langKey: 'pt-br' | 'en' | 'es' | undefined;
}

/**
 * The first account of an empty installation is its administrator and needs no e-mail; every other one is
 * activated by a link.
 * @throws DomainError text.invisible, account.nameRequired, nameTooLong, emailInvalid, passwordWeak, userexists
 */
export async function register(ctx: Ctx, input: Registration, facts: RequestFacts): Promise<{ activated: boolean }> {
  const name = cleanLine(input.firstName, 'firstName');
  const email = normalizeEmail(input.email);
  if (name === '') throw new DomainError('account.nameRequired', { field: 'firstName' });
  if (name.length > limits.nameMax) throw new DomainError('account.nameTooLong', { field: 'firstName', params: { max: limits.nameMax } });
  if (!isEmail(email)) throw new DomainError('account.emailInvalid', { field: 'email' });
  if (!isAcceptablePassword(input.password)) throw new DomainError('account.passwordWeak', { field: 'password' });
  await limitRateByAddress(ctx, 'register', facts.ip, 20, 3600);
  const passwordHash = await hashPassword(input.password);
  return ctx.transaction(async (tx) => {
    await lockRegistration(tx);
    const isFirst = !(await hasAnyUser(tx));
    const user = {
      id: randomUUID(),
      login: email,
      email,
      first_name: name,
      password_hash: passwordHash,
      login_type: 'password',
      lang_key: input.langKey ?? facts.langKey,
      activated: isFirst,
      authorities: isFirst ? (['ROLE_USER', 'ROLE_ADMIN'] as const).slice() : (['ROLE_USER'] as const).slice(),
      created_at: tx.clock.now(),
    };
    if (!(await insertUser(tx, user))) throw new DomainError('account.userexists', { field: 'email' });
    if (isFirst) return { activated: true };
    const { key, hash } = newAccountKey();
    await insertKey(tx, {
      hash,
      userId: user.id,
      purpose: 'activation',
      expiresAt: new Date(tx.clock.now().getTime() + ACTIVATION_HOURS * 3_600_000),
    });
    await queueMail(tx, email, user.lang_key, activationMail(tx, user.lang_key, { name, key }));
    return { activated: false };
  });
}
