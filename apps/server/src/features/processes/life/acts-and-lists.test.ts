import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import * as api from '@lavra/api';
import { sql } from 'kysely';
import type { Ctx } from '../../../context.ts';
import type { Job } from '../../../jobs/queue.ts';
import { mailedInvitation, signedInAccount, type TestAccount } from '../../../testing/accounts.ts';
import { answerFaults } from '../../../testing/acts/list-answers.ts';
import { bindingFaults, listFaults } from '../../../testing/acts/listed-rows.ts';
import { actOnce, kindsOfActs, neverDone, passTime, type Stage, stageOf } from '../../../testing/acts/play-acts.ts';
import { rowFaults } from '../../../testing/acts/told-rows.ts';
import { readTruth } from '../../../testing/acts/truth.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { contractOf, countedByEvents, countedOn } from '../../../testing/contracts.ts';
import { randomOf } from '../../../testing/year/random.ts';
import { checkListsJob } from '../reading/check-lists.job.ts';
import { checkUsageJob } from '../reading/check-usage.job.ts';
import { isChainIntact, listProcessEvents } from './event-chain.ts';

/** More of them: `LAVRA_ACTS=2000`; one that failed, again: `LAVRA_ACTS_SEED` with the seed that it printed. */
const acts = Number(process.env['LAVRA_ACTS'] ?? 120);
const seed = Number(process.env['LAVRA_ACTS_SEED'] ?? randomInt(2 ** 31));

describe('random acts of many people', () => {
  for (const [which, one] of [['the same each time', 20_261_126] as const, ['another each time', seed] as const])
    it(`leave lists, counters, rows and usage as a computation of all of them has it (${which}: seed ${one})`, async () => {
      const scene = await sceneOf(one, false);
      const { app, stage, random } = scene;
      try {
        for (let done = 1; done <= acts; done += 1) {
          await passTime(stage);
          await actOnce(stage, 1);
          if (random.chance(0.6)) await app.runJobs();
          await assertSound(scene, done % 5 === 0 ? 4 : 0, `act ${done} of seed ${one}`);
        }
        await app.runJobs();
        await assertSound(scene, 'all', `the end of seed ${one}`);
        await assertSettled(scene, `seed ${one}`);
        if (which === 'the same each time')
          assert.deepEqual(
            kindsOfActs.filter((kind) => stage.done.has(kind) === neverDone.has(kind)),
            [],
            'each kind of act was done, and none that is always refused',
          );
      } finally {
        await app.close();
      }
    });

  it(`that collide, while jobs run by themselves, leave them so at every moment (seed ${seed})`, async () => {
    const scene = await sceneOf(seed, true);
    const { app, stage } = scene;
    try {
      await app.installation.queue.work(app.ctx);
      for (let rounds = 1; rounds <= acts / 2; rounds += 1) {
        await passTime(stage);
        let isActing = true;
        const acting = Promise.all([actOnce(stage, 3), actOnce(stage, 1)]).finally(() => (isActing = false));
        const faults: string[] = [];
        while (isActing && faults.length === 0) faults.push(...momentFaults(await readTruth(app.ctx), true));
        await acting;
        assert.deepEqual(faults.slice(0, 10), [], `round ${rounds} of seed ${seed}`);
        if (rounds % 10 > 0) continue;
        await assertSound(scene, (await isQuiet(app)) ? 2 : 0, `round ${rounds} of seed ${seed}`);
      }
      await assertSound(scene, (await isQuiet(app)) ? 'all' : 0, `the end of seed ${seed}`);
      await assertSettled(scene, `seed ${seed}`);
    } finally {
      await app.close();
    }
  });
});

interface Scene {
  app: TestApp;
  stage: Stage;
  random: ReturnType<typeof randomOf>;
  isBusy: boolean;
  /** Whom the contract covers. */
  covered: TestAccount[];
  contractId: number;
}

async function sceneOf(number: number, isBusy: boolean): Promise<Scene> {
  const app = await startTestApp({ background: isBusy });
  const administrator = await signedInAccount(app, { email: 'instalacao@exemplo.com.br' });
  const ana = await signedInAccount(app, { email: 'ana@exemplo.com.br' });
  const bruno = await signedInAccount(app, { email: 'bruno@exemplo.com.br' });
  const carla = await signedInAccount(app, { email: 'carla@exemplo.com.br' });
  await app.call(api.companies.create, { token: ana.token, body: { name: 'Empresa Á' } });
  await app.call(api.inviteCompany, { token: ana.token, body: { emails: [bruno.email] } });
  const joined = await app.call(api.acceptInviteCompany, { token: bruno.token, params: await mailedInvitation(app, bruno.email) });
  assert.equal(joined.status, 200, joined.raw.body);
  const { id: contractId } = await contractOf(app, administrator, ana);
  await app.runJobs();
  const random = randomOf(number);
  const strangers = Array.from({ length: 4 }, (_, index) => `ze.${index}@exemplo.net`);
  const stage = await stageOf(app, random, [ana, bruno, carla], strangers);
  return { app, stage, random, isBusy, covered: [ana, bruno], contractId };
}

const momentFaults = (truth: Awaited<ReturnType<typeof readTruth>>, isLate: boolean) => [
  ...listFaults(truth),
  ...rowFaults(truth),
  ...bindingFaults(truth, isLate),
];

/** `questions`: of each account, about its lists. */
async function assertSound({ app, stage, random, isBusy, covered }: Scene, questions: number | 'all', when: string): Promise<void> {
  const truth = await readTruth(app.ctx);
  const faults = [...stage.wrong, ...momentFaults(truth, isBusy)];
  assert.deepEqual(faults.slice(0, 10), [], when);
  if (questions === 0) return;
  for (const account of stage.accounts) faults.push(...(await answerFaults(app, truth, account, random, questions)));
  const [ana, bruno] = covered;
  const sent = await app.call(api.signatureProcessListById, { token: ana?.token, params: { id: bruno?.id ?? '' }, query: { size: 100 } });
  const should = truth.processes
    .filter((one) => one.owner_id === bruno?.id && one.status !== 'DRAFT')
    .map(({ id, status }) => `${id} ${status}`);
  const is = sent.body.items.map(({ id, status }) => `${id} ${status}`);
  if (is.toSorted().join() !== should.toSorted().join()) faults.push(`a member sent ${should.join()}, and is shown with ${is.join()}`);
  assert.deepEqual(faults.slice(0, 10), [], when);
}

/** What nightly jobs find, which compute everything anew: nothing to mend. */
async function assertSettled({ app, covered, contractId }: Scene, when: string): Promise<void> {
  const truth = await readTruth(app.ctx);
  for (const { id } of truth.processes) assert.ok(isChainIntact(await listProcessEvents(app.ctx, id)), `the chain of ${id}, ${when}`);
  assert.deepEqual(await countedOn(app, contractId), await countedByEvents(app, covered), when);
  const lists = await foundBy(app.ctx, checkListsJob);
  assert.deepEqual(
    lists,
    { checked: truth.processes.filter(({ status }) => status !== 'DRAFT').length, mended: 0, untold: 0, counters: 0 },
    when,
  );
  assert.deepEqual(await foundBy(app.ctx, checkUsageJob), { contracts: 1, settled: 0, recounted: 0 }, when);
}

async function foundBy(ctx: Ctx, job: Job<Record<string, never>>): Promise<object> {
  const told: object[] = [];
  const log = { ...ctx.log, warn() {}, error() {}, info: (facts: object) => void told.push(facts) };
  await job.run({ ...ctx, log: log as unknown as Ctx['log'] }, {});
  return told.at(-1) ?? {};
}

/** Whether nothing is under way, and nothing is due, within some seconds: only then do answers of several calls tell of one moment. */
async function isQuiet(app: TestApp): Promise<boolean> {
  for (let tries = 0; tries < 80; tries += 1) {
    const { rows } = await sql`select from pgboss.job where state < 'completed' and start_after <= now() limit 1`.execute(app.ctx.db);
    if (rows.length === 0) return true;
    await sleep(50);
  }
  return false;
}
