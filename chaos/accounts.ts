import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { GivenUp, type Client } from './client.ts';

const PASSWORD = 'Segredo123';

/** Registers a person, follows the link of the mail where there is one, and signs in. */
export async function openAccount(client: Client, mailDirectory: string): Promise<void> {
  client.token = '';
  client.renew = null;
  const email = `criador.${randomUUID().slice(0, 12)}@exemplo.com.br`;
  const body = { firstName: 'Ana', login: email, email, password: PASSWORD };
  const { body: registered } = await client.insist<{ activated?: boolean }>({ method: 'POST', path: 'api/register', body }, [
    'account.userexists',
  ]);
  if (!registered.activated) {
    const key = await mailedKey(mailDirectory, email);
    if (key) await client.insist({ method: 'POST', path: 'api/activate', body: { key, password: PASSWORD } }, ['account.keyInvalid']);
  }
  await signIn(client, email);
}

export async function signIn(client: Client, email: string): Promise<void> {
  client.token = '';
  client.renew = null;
  const body = { username: email, password: PASSWORD };
  const answer = await client.insist<{ id_token: string }>({ method: 'POST', path: 'api/authenticate', body });
  client.token = answer.body.id_token;
  client.email = email;
  // Tokens live for minutes only; a browser would renew its own.
  client.renew = () => signIn(client, email);
}

/** Null for the first account of an installation, which needs no mail. */
async function mailedKey(directory: string, email: string): Promise<string | null> {
  for (const end = performance.now() + 150_000; performance.now() < end; await sleep(200)) {
    for (const name of readdirSync(directory).filter((one) => one.endsWith('.json'))) {
      const mail = JSON.parse(readFileSync(join(directory, name), 'utf8')) as { to: string; text: string };
      const key = mail.to === email ? /[?&#]key=([\w-]+)/.exec(mail.text)?.[1] : undefined;
      if (key) return key;
    }
  }
  throw new GivenUp('no activation mail in two and a half minutes');
}
