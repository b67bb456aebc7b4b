import * as api from '@lavra/api';
import type { LightMyRequestResponse } from 'fastify';
import { activateAccount } from '../features/accounts/activate-account.ts';
import type { TestApp } from './app.ts';

export interface TestAccount {
  id: string;
  email: string;
  firstName: string;
  password: string;
  /** Bearer token of an open session. */
  token: string;
}

let count = 0;

/** Registers, activates and signs in; the first account of an app is its administrator. */
export async function signedInAccount(
  app: TestApp,
  given: Partial<Pick<TestAccount, 'email' | 'firstName' | 'password'>> & { langKey?: api.LangKey } = {},
): Promise<TestAccount> {
  count += 1;
  const account = {
    email: given.email ?? `pessoa${count}@exemplo.com.br`,
    firstName: given.firstName ?? `Pessoa ${'ABCDEFGHIJ'[count % 10]}`,
    password: given.password ?? 'Tinteiro7',
  };
  await registeredAccount(app, { ...account, langKey: given.langKey ?? 'pt-br' });
  const token = await signIn(app, account);
  const { body } = await app.call(api.getAccount, { token });
  return { ...account, token, id: body.id };
}

/** Registers and, where it is needed, follows the link of the activation mail. */
export async function registeredAccount(
  app: TestApp,
  account: { email: string; firstName: string; password: string; langKey: api.LangKey },
): Promise<void> {
  const { status, body, code } = await app.call(api.register, { body: { ...account, login: account.email } });
  if (status !== 200) throw new Error(`registration answered ${status} ${code}`);
  if (body.activated) return;
  const key = await mailedKey(app, account.email);
  const actor = { kind: 'visitor', from: { ip: '127.0.0.1', userAgent: '', langKey: account.langKey } } as const;
  await activateAccount(app.ctx, actor, { key, password: account.password, device: null });
}

export async function signIn(app: Pick<TestApp, 'call'>, account: { email: string; password: string }): Promise<string> {
  const { status, body, code } = await app.call(api.authenticate, { body: { username: account.email, password: account.password } });
  if (status !== 200) throw new Error(`sign-in answered ${status} ${code}`);
  return tokenOf(body);
}

/** The token of a way in that asked for no second step. */
export function tokenOf({ id_token: token }: api.Entered): string {
  if (token === undefined) throw new Error('a second step is asked for');
  return token;
}

/** Id and key of the newest invitation into a company that was mailed to an address. */
export async function mailedInvitation(app: TestApp, email: string): Promise<{ id: string; user: string }> {
  await app.runJobs();
  const mail = (await app.mailbox.list()).find(({ to, text }) => to === email && text.includes('/accept_invite/'));
  const [, id = '', user = ''] = /\/accept_invite\/([\w-]+)\?user=([\w-]+)/.exec(mail?.text ?? '') ?? [];
  if (user === '') throw new Error(`no invitation went to ${email}`);
  return { id, user };
}

/** What a browser sends back of an answer's cookie. */
export function cookieOf(answer: LightMyRequestResponse): string {
  return String(answer.headers['set-cookie'] ?? '').split(';')[0] ?? '';
}

/** The key in the newest mail to an address. */
export async function mailedKey(app: TestApp, email: string): Promise<string> {
  await app.runJobs();
  const mail = (await app.mailbox.list()).find((candidate) => candidate.to === email);
  const key = /[?&]key=([\w-]+)/.exec(mail?.text ?? '')?.[1];
  if (!key) throw new Error(`no mail with a key went to ${email}`);
  return key;
}
