import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { signedInAccount } from '../../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { contractOf, countedByEvents, countedOn } from '../../../testing/contracts.ts';
import { judgeYear } from '../../../testing/year/judge-year.ts';
import { playYear } from '../../../testing/year/play-year.ts';
import { randomOf } from '../../../testing/year/random.ts';

/** A longer one: `LAVRA_YEAR_PROCESSES=2000`; one that failed, again: the seed that it printed. */
const processes = Number(process.env['LAVRA_YEAR_PROCESSES'] ?? 30);
const seed = Number(process.env['LAVRA_YEAR_SEED'] ?? randomInt(2 ** 31));

describe('a year of random creators, signers, companies and pauses on the injected clock', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp();
  });
  after(() => app.close());

  it(`has one end for each process, no mail twice, no turn skipped, counters equal to events and whole chains (seed ${seed})`, async () => {
    const administrator = await signedInAccount(app, { email: 'instalacao@exemplo.com.br' });
    const ana = await signedInAccount(app, { email: 'ana@exemplo.com.br' });
    const caio = await signedInAccount(app, { email: 'caio@exemplo.com.br' });
    const davi = await signedInAccount(app, { email: 'davi@exemplo.com.br' });
    const eli = await signedInAccount(app, { email: 'eli@exemplo.com.br' });
    const contract = await contractOf(app, administrator, ana);
    await app.runJobs();
    const strangers = Array.from({ length: 9 }, (_, index) => `pessoa.${index}@exemplo.net`);
    const employers = [caio, davi, eli];
    const cast = { creators: [ana, ...employers], employers, emails: [ana.email, davi.email, ...strangers] };
    const played = await playYear(app, randomOf(seed), cast, { days: 365, processes });
    const found = await judgeYear(app, played);
    assert.deepEqual([...played.wrong, ...found].slice(0, 20), [], `seed ${seed}`);
    assert.ok(played.processIds.length >= processes - 1);
    assert.deepEqual(await countedOn(app, contract.id), await countedByEvents(app, [ana]), `seed ${seed}`);
  });
});
