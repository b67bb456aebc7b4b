import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { GivenUp, type Client } from './client.ts';

const PASSWORD = 'Segredo123';

/** Registers a person, follows the link of the mail where there is one, and signs in. `firstKey`: what production asks of the first one. */
export async function openAccount(client: Client, mailDirectory: string, firstKey: string | undefined): Promise<void> {
  client.token = '';
  client.renew = null;
  const email = `criador.${randomUUID().slice(0, 12)}@exemplo.com.br`;
  const body = { firstName: 'Ana', login: email, email, password: PASSWORD, ...(firstKey ? { firstKey } : {}) };
  const { body: registered } = await client.insist<{ activated?: boolean }>({ method: 'POST', path: 'api/register', body }, [
    'account.userexists',
  ]);
  if (!registered.activated) {
    const key = await mailed(mailDirectory, email, /[?&#]key=([\w-]+)/, 150_000);
    await client.insist({ method: 'POST', path: 'api/activate', body: { key, password: PASSWORD } }, ['account.keyInvalid']);
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

/** What a mail to this address says in this place: waited for, as mail servers are away and come back. @throws GivenUp */
export async function mailed(directory: string, email: string, place: RegExp, patienceMs: number): Promise<string> {
  for (const end = performance.now() + patienceMs; performance.now() < end; await sleep(200)) {
    for (const name of readdirSync(directory).filter((one) => one.endsWith('.json'))) {
      const mail = JSON.parse(readFileSync(join(directory, name), 'utf8')) as { to: string; text: string };
      const said = mail.to === email ? place.exec(mail.text)?.[1] : undefined;
      if (said) return said;
    }
  }
  throw new GivenUp(`no mail with ${place.source} in ${patienceMs / 1000} s`);
}
