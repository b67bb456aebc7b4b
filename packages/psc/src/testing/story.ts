import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { type MakeBelievePscId, pressButton, type PscWorld, startPscWorld } from '@lavra/make-believe';
import { createPscClient } from '../client.ts';
import type { PscClient } from '../client.ts';
import { configurePscs } from '../configure.ts';
import type { PscDeadlines } from '../context.ts';
import { PscError } from '../errors.ts';
import type { PscErrorCode } from '../errors.ts';
import type { PendingAuthorization } from '../pending.ts';
import type { HashToSign } from '../signature.ts';
import type { PscAuthorization } from '../token.ts';

export const redirectUri = 'http://127.0.0.1:9/callback/psc';
/** Begins with zero: a provider that answers numbers loses it. */
export const ana = { name: 'Ana Conceição', cpf: '01234567890', email: 'ana@example.com' };
export const company = { name: 'Padaria São Bento Ltda', cnpj: '12ABC34501DE35', responsible: ana };

export interface Story {
  readonly world: PscWorld;
  readonly psc: PscClient;
  /** Moves the clock of the client and of the providers. */
  later(seconds: number): void;
  /** Everything an installation does up to the person's answer. */
  begin(id: MakeBelievePscId, hashes?: number, identification?: string): Promise<PendingAuthorization>;
  /** The person presses a button; answers what the application learns. Throws as the client does. */
  press(pending: PendingAuthorization, decision: 'approve' | 'refuse'): Promise<string>;
  authorize(id: MakeBelievePscId, hashes?: number, identification?: string): Promise<PscAuthorization>;
}

/** A world with Ana and her company at all seven providers, and a client that is configured for them. */
export async function startStory(deadlines: Partial<PscDeadlines> = {}): Promise<Story> {
  let offset = 0;
  const now = () => new Date(Date.now() + offset);
  const world = await startPscWorld({ now, redirectUris: [redirectUri] });
  await world.enrolPerson(ana);
  await world.enrolCompany(company);
  const psc = createPscClient(configurePscs(world.settings), { fetch, now, random: (length) => randomBytes(length) }, deadlines);
  const begin: Story['begin'] = (id, hashes = 1, identification = ana.cpf) =>
    psc.beginAuthorization({ psc: id, identification, hashes, redirectUri });
  const press: Story['press'] = async (pending, decision) => {
    const sentTo = await pressButton(pending.url ?? world.telephone, decision);
    if (pending.mode === 'push') return (await psc.pollPush(pending)) ?? assert.fail('still pending');
    const query = new URL(sentTo ?? assert.fail('sent nowhere')).searchParams;
    const said = (name: string) => query.get(name) ?? undefined;
    return psc.readCallback(pending, { code: said('code'), state: said('state'), error: said('error') });
  };
  return {
    world,
    psc,
    later: (seconds) => void (offset += seconds * 1000),
    begin,
    press,
    async authorize(id, hashes = 1, identification = ana.cpf) {
      const pending = await begin(id, hashes, identification);
      return psc.exchangeCode(pending, await press(pending, 'approve'));
    },
  };
}

export function someHashes(count: number): HashToSign[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `documento-${index + 1}`,
    label: `Contrato ${index + 1}.pdf`,
    hash: createHash('sha256').update(`${index}`).digest(),
    algorithm: 'sha256',
  }));
}

/** Fails unless it throws a PscError of that code. */
export async function refuses(trial: Promise<unknown>, code: PscErrorCode): Promise<PscError> {
  try {
    await trial;
  } catch (error) {
    assert.ok(error instanceof PscError, String(error));
    assert.equal(error.code, code);
    return error;
  }
  return assert.fail(`no ${code}`);
}
