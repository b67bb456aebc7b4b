import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { mailedKeys } from '../../access/signer-links.store.ts';
import { signedInAccount, signIn, type TestAccount } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { sendElectronically, startedProcess, type TestDraft } from '../../testing/processes.ts';
import { expireProcessesJob } from '../processes/life/expire-processes.job.ts';
import { loadProcess, loadTurn } from '../processes/load-process.ts';

const seed = Math.floor(Math.random() * 2 ** 32);

/** Seeded (mulberry32): what was found can be met again. */
let state = seed;
function pick<T>(choices: readonly T[]): T {
  state = (state + 0x6d2b79f5) >>> 0;
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return choices[((mixed ^ (mixed >>> 14)) >>> 0) % choices.length] as T;
}

describe(`what pages ask again and again (seed ${seed})`, () => {
  let app: TestApp;
  let ana: TestAccount;
  const known = new Map<string, { tag: string; body: string }>();

  before(async () => {
    app = await startTestApp();
    ana = await signedInAccount(app);
  });
  after(() => app.close());

  /** Asks with the tag of the last answer, and without: 304 exactly where nothing has changed. Answers whether it was. */
  async function isSame(
    name: string,
    ask: (headers: Record<string, string>) => Promise<{ raw: { statusCode: number; body: string }; headers: object }>,
  ) {
    const last = known.get(name);
    const tagged = await ask(last ? { 'if-none-match': last.tag } : {});
    const whole = await ask({});
    assert.equal(whole.raw.statusCode, 200, whole.raw.body);
    const same = last?.body === whole.raw.body;
    assert.deepEqual([tagged.raw.statusCode, tagged.raw.body], same ? [304, ''] : [200, whole.raw.body], name);
    known.set(name, { tag: String((whole.headers as Record<string, unknown>)['etag']), body: whole.raw.body });
    return same;
  }

  async function lookAtAll({ id, signerIds }: TestDraft, token: string): Promise<boolean[]> {
    const same: boolean[] = [];
    for (const user of signerIds) {
      const [params, query] = [{ processId: id, signerId: user }, { user }];
      same.push(await isSame(`status ${user}`, (headers) => app.call(api.getSignatureStatus, { params, headers })));
      same.push(await isSame(`facts ${user}`, (headers) => app.call(api.getRequisitionInformation, { params, query, headers })));
    }
    same.push(await isSame(`story ${id}`, (headers) => app.call(api.getProcessStory, { token, params: { id }, headers })));
    same.push(await isSame(`people ${id}`, (headers) => app.call(api.getSubDataProcess, { token, params: { processId: id }, headers })));
    const { status, dueDate, finalizedAt, signers } = await loadProcess(app.ctx, id);
    const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);
    const turn = await loadTurn(app.ctx, id);
    assert.deepEqual(
      { ...turn, signers: turn.signers.toSorted(byId) },
      {
        status,
        dueDate,
        finalizedAt,
        signers: signers.map((one) => ({ id: one.id, status: one.status, order: one.order, dueDate: one.dueDate })).toSorted(byId),
      },
    );
    return same;
  }

  it('are answered 304 exactly while nothing has changed, whatever happens: an act, a job, a deadline that only passes', async () => {
    for (let round = 0; round < 2; round += 1) {
      const dueDate = new Date(app.clock.now().getTime() + 3 * 86_400_000).toISOString();
      const own = new Date(app.clock.now().getTime() + 2 * 86_400_000).toISOString();
      let token = await signIn(app, ana);
      const draft = await startedProcess(app, { token } as TestAccount, {
        dueDate,
        signers: [
          { name: 'Bia Lima', email: 'bia@exemplo.com.br', order: 0 },
          { name: 'Caio Reis', email: 'caio@exemplo.com.br', order: 1, dueDate: own },
        ],
      });
      const user = () => pick(draft.signerIds);
      const acts: Record<string, () => Promise<unknown>> = {
        sign: () => sendElectronically(app, draft.id, user()),
        open: async () => app.call(api.registerOpened, { params: { signerId: user() } }),
        jobs: () => app.runJobs(),
        day: async () => {
          app.clock.advance({ days: 1 });
          token = await signIn(app, ana);
        },
        expire: () => expireProcessesJob.run(app.ctx, {}),
        reject: async () =>
          pick([true, false, false]) &&
          app.call(api.createSignatureRejected, { body: { rejectCause: 'Não', processId: draft.id, signerId: user() } }),
        cancel: async () => pick([true, false, false, false]) && app.call(api.cancelProcess, { token, params: { id: draft.id } }),
      };
      await lookAtAll(draft, token);
      assert.ok((await lookAtAll(draft, token)).every(Boolean), 'asked twice, nothing has changed');
      for (let step = 0; step < 6; step += 1) {
        await acts[pick(Object.keys(acts))]?.();
        await lookAtAll(draft, token);
      }
    }
  });

  it('a deadline that passes by itself is told to who had the answer of before, and a link that has ended is no 304', async () => {
    const dueDate = new Date(app.clock.now().getTime() + 86_400_000).toISOString();
    const draft = await startedProcess(app, { token: await signIn(app, ana) } as TestAccount, { dueDate });
    const [signer = ''] = draft.signerIds;
    const params = { processId: draft.id, signerId: (await mailedKeys(app.ctx, [signer])).get(signer) ?? '' };
    const first = await app.call(api.getSignatureStatus, { params });
    assert.equal(first.body.status, 'SENT');
    const headers = { 'if-none-match': String(first.headers['etag']) };
    assert.equal((await app.call(api.getSignatureStatus, { params, headers })).status, 304);
    app.clock.advance({ days: 1 });
    const passed = await app.call(api.getSignatureStatus, { params, headers });
    assert.deepEqual([passed.status, passed.body.status], [200, 'EXPIRED']);
    await app.ctx.db.updateTable('signer_link').set({ ended_at: app.clock.now() }).where('signer_id', '=', signer).execute();
    const after = await app.call(api.getSignatureStatus, { params, headers: { 'if-none-match': String(passed.headers['etag']) } });
    assert.equal(after.code, 'signer.linkReplaced');
  });
});
