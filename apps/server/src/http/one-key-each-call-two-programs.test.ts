import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { signIn } from '../testing/accounts.ts';
import { createDraft, soon } from '../testing/processes.ts';
import { startTwoPrograms, type TwoPrograms } from '../testing/two-programs.ts';

type Index = 0 | 1;
type Headers = Record<string, string>;
const ana = { login: 'ana@exemplo.com.br', email: 'ana@exemplo.com.br', firstName: 'Ana', password: 'Segredo123' };

/** What is done once for a key beside the creation of a process and uploads. */
describe('one Idempotency-Key at two programs, of every other call that takes one', () => {
  let two: TwoPrograms;
  let token: string;
  before(async () => {
    two = await startTwoPrograms();
    await two.at(0).call(api.register, { body: ana });
    token = await signIn(two.at(0), ana);
  });
  afterEach(() => two.startAgain(0));
  after(() => two[Symbol.asyncDispose]());

  const count = async (text: string, value: string) =>
    (await two.rows<{ n: number }>(`select count(*)::int as n from ${text}`, [value]))[0]?.n;
  const draft = () => createDraft(two.at(0), { token }, {});

  /** A call for one process, or for one name, and how often it was done. */
  interface Once {
    act(index: Index, headers: Headers): Promise<{ status: number; code: string | undefined; body: unknown }>;
    done(): Promise<number | undefined>;
  }
  const calls: [string, () => Promise<Once>][] = [
    [
      'a signer',
      async () => {
        const { id } = await draft();
        const signer = { name: 'Caio Reis', email: 'caio@exemplo.com.br', order: 1, signatureProcess: { id } };
        return {
          act: (index, headers) => two.at(index).call(api.createSigner, { token, headers, body: signer }),
          done: async () => ((await count('signer where signature_process_id = $1', id)) ?? 0) - 1,
        };
      },
    ],
    [
      'an interested party',
      async () => {
        const { id } = await draft();
        const body = { name: 'Eva', email: 'eva@exemplo.com.br', signatureProcess: { id } };
        return {
          act: (index, headers) => two.at(index).call(api.createStakeholder, { token, headers, body }),
          done: () => count('stakeholder where signature_process_id = $1', id),
        };
      },
    ],
    [
      'the start of a process',
      async () => {
        const { id } = await draft();
        return {
          act: (index, headers) => two.at(index).call(api.startSignatureProcess, { token, headers, params: { id } }),
          done: () => count(`event where type = 'process.started' and signature_process_id = $1`, id),
        };
      },
    ],
    [
      'a record of an entity',
      async () => {
        const name = `Plano ${crypto.randomUUID().slice(0, 8)}`;
        return {
          act: (index, headers) => two.at(index).call(api.contractTypes.create, { token, headers, body: { name } }),
          done: () => count('contract_type where name = $1', name),
        };
      },
    ],
  ];

  for (const [name, make] of calls) {
    it(`${name} is made once: at both at once`, async () => {
      const { act, done } = await make();
      const key = { 'idempotency-key': crypto.randomUUID() };
      const [first, second] = await Promise.all([act(0, key), act(1, key)]);
      assert.ok(first.status < 300, first.code);
      assert.deepEqual([second.status, second.body, await done()], [first.status, first.body, 1]);
    });

    it(`${name} is made once: again after the one that committed was killed before it answered`, async () => {
      const { act, done } = await make();
      const key = { 'idempotency-key': crypto.randomUUID() };
      const noting: number[] = [];
      two.doors[0].muteNext(({ text, connection }) => {
        if (text.startsWith('update "idempotency_key" set "reply"')) noting.push(connection);
        return text === 'commit' && noting.includes(connection);
      });
      const unanswered = act(0, key).catch(() => 'no answer');
      await soon('committed', async () => (await done()) === 1);
      await two.kill(0);
      assert.equal(await unanswered, 'no answer');
      const again = await act(1, key);
      assert.ok(again.status < 300, again.code);
      assert.deepEqual([await done(), (await act(1, key)).body], [1, again.body]);
    });
  }

  it('a process that was started so is prepared, and its signer invited once', async () => {
    const { id } = await draft();
    const key = { 'idempotency-key': crypto.randomUUID() };
    await Promise.all(
      ([0, 1] as const).map((index) => two.at(index).call(api.startSignatureProcess, { token, headers: key, params: { id } })),
    );
    const invited = () => count(`event where type = 'signer.invited' and signature_process_id = $1`, id);
    await soon('invited', async () => (await invited()) === 1);
    const other = await two.at(1).call(api.startSignatureProcess, { token, headers: key, params: { id: (await draft()).id } });
    assert.equal(other.code, 'request.idempotencyMismatch');
    assert.equal(await invited(), 1);
  });
});
