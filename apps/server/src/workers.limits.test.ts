import assert from 'node:assert/strict';
import { globSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { PadesError } from '@lavra/pades';
import type { answered, echo, environment, grow, hoard, processId, spin } from './testing/tasks.worker.ts';
import { openWorkers, usualSettings, type Workers, type WorkerSettings } from './workers.ts';
import { WorkExceededError } from './workers/wire.ts';

const tasks = new URL('./testing/tasks.worker.ts', import.meta.url);
const dataDir = mkdtempSync(join(tmpdir(), 'lavra-workers-'));

/** Small bounds, so that they are reached soon. */
function openSmall(change: Partial<WorkerSettings['signing']> = {}): Workers {
  const usual = usualSettings();
  const lane = { ...usual.signing, processes: 1, spare: 1, waiting: 3, waitingPerCaller: 2, megabytes: 200, cpuSeconds: 2, ...change };
  return openWorkers({ dataDir, settings: { signing: lane, strangers: { ...lane, megabytes: 160 }, lists: lane } });
}

const busy = { name: 'DomainError', code: 'server.busy' };

describe('the program itself', () => {
  it('parses no document: only workers import what does', () => {
    const parsing =
      /\b(openPdf|inspectPdf|preparePdf|prepareSignature|signPdf|extendPdf|verifyPdf|readImage|decodePng)\b(?=[^;]*from '@lavra\/pades')/;
    const sources = globSync('**/*.ts', { cwd: import.meta.dirname }).filter((path) => !/\.worker\.ts$|\.test\.ts$|^testing\//.test(path));
    // What these give to the pages and the report is drawn in workers; of a letterhead others know the type alone.
    const known = ['paper/letterhead.ts', 'paper/pictures.ts', 'paper/plain-picture.ts'];
    const found = sources.filter((path) => parsing.test(readFileSync(join(import.meta.dirname, path), 'utf8')));
    assert.deepEqual(found, known);
  });
});

describe('work on a stranger’s file', () => {
  const workers = openSmall();
  after(() => workers.close());
  const say = (text: string, caller = 'ana') => workers.run<typeof echo>(tasks, 'echo', text, { caller });

  it('is ended when it takes more memory than it may, wherever it holds it, and the next caller is served', async () => {
    const act = workers.run<typeof hoard>(tasks, 'hoard', { megabytes: 600 }, { caller: 'eva' });
    const next = say('bom dia');
    await assert.rejects(act, WorkExceededError);
    assert.equal(await next, 'bom dia');
  });

  it('is ended when it works longer than it may, and the next caller is served', async () => {
    const act = workers.run<typeof spin>(tasks, 'spin', { ms: 60_000 }, { caller: 'eva' });
    const next = say('boa tarde');
    await assert.rejects(act, WorkExceededError);
    assert.equal(await next, 'boa tarde');
  });

  it('has its processor time for itself: what came before it in the same process does not count', async () => {
    const many = openSmall({ waitingPerCaller: 20, waiting: 20 });
    const acts = Array.from({ length: 6 }, () => many.run<typeof spin>(tasks, 'spin', { ms: 900 }, { caller: 'eva' }));
    assert.deepEqual(
      (await Promise.allSettled(acts)).map(({ status }) => status),
      Array(6).fill('fulfilled'),
    );
    await many.close();
  });

  it('has its memory for itself: what the one before it left behind does not count', async () => {
    await workers.run<typeof grow>(tasks, 'grow', { megabytes: 70 }, { caller: 'eva' });
    assert.equal(await workers.run<typeof grow>(tasks, 'grow', { megabytes: 70 }, { caller: 'ana' }), 70);
  });

  it('waits in a queue that has an end: who comes then is told to come again', async () => {
    const running = workers.run<typeof spin>(tasks, 'spin', { ms: 600 }, { caller: 'eva' });
    const waiting = [say('1'), say('2')];
    await assert.rejects(say('3'), busy, 'one caller may not fill the queue');
    waiting.push(say('4', 'rui'));
    await assert.rejects(say('5', 'bia'), busy, 'the queue is full');
    await running;
    assert.deepEqual(await Promise.all(waiting), ['1', '2', '4']);
  });

  it('is done in turns: who asks for much does not keep the others waiting', async () => {
    const order: string[] = [];
    const note = (text: string) => order.push(text);
    await Promise.all([
      workers.run<typeof spin>(tasks, 'spin', { ms: 300 }, { caller: 'eva' }),
      say('ana 1', 'ana').then(note),
      say('ana 2', 'ana').then(note),
      say('rui', 'rui').then(note),
    ]);
    assert.deepEqual(order, ['ana 1', 'rui', 'ana 2']);
  });

  it('of strangers never takes the place of signers’', async () => {
    const stranger = workers.run<typeof spin>(tasks, 'spin', { ms: 1500 }, { lane: 'strangers', caller: 'eva' });
    let isOver = false;
    void stranger.then(() => (isOver = true));
    assert.equal(await say('assino'), 'assino');
    assert.equal(isOver, false);
    await stranger;
  });

  it('asks the program for what only that has, and leaves its place to others while it waits', async () => {
    const question = Promise.withResolvers<string>();
    const slow = workers.run<typeof answered>(
      tasks,
      'answered',
      { question: 'que horas são?' },
      { services: { ask: () => question.promise } },
    );
    assert.equal(await say('enquanto isso'), 'enquanto isso');
    question.resolve('meio-dia');
    assert.equal(await slow, 'que horas são? meio-dia');
  });

  it('is told a refusal of the program as the program made it', async () => {
    const services = { ask: () => Promise.reject(new PadesError('REVOCATION_UNAVAILABLE', 'nobody answers')) };
    await assert.rejects(workers.run<typeof answered>(tasks, 'answered', { question: '?' }, { services }), {
      name: 'PadesError',
      code: 'REVOCATION_UNAVAILABLE',
      message: 'REVOCATION_UNAVAILABLE: nobody answers',
    });
  });

  it('sees no secret of the environment', async () => {
    process.env['LAVRA_SECRET'] = 'not for a worker';
    process.env['DATABASE_URL'] = 'postgres://neither';
    const fresh = openSmall();
    const names = await fresh.run<typeof environment>(tasks, 'environment', undefined as never);
    delete process.env['LAVRA_SECRET'];
    delete process.env['DATABASE_URL'];
    await fresh.close();
    assert.deepEqual(
      names.filter((name) => /LAVRA|DATABASE|SMTP|SECRET(?!_ACCESS)/.test(name)),
      [],
    );
  });
});

describe('a worker that cannot be started', () => {
  it('is told to the caller, and the next caller is served when it can be', async () => {
    const workers = openSmall();
    const program = process.execPath;
    process.execPath = '/nowhere/node';
    const lost = workers.run<typeof echo>(tasks, 'echo', 'bom dia').then(
      () => 'done',
      () => 'told',
    );
    process.execPath = program;
    assert.equal(await Promise.race([lost, sleep(10_000, 'nobody told')]), 'told');
    assert.equal(await workers.run<typeof echo>(tasks, 'echo', 'boa noite'), 'boa noite');
    await workers.close();
  });
});

describe('a worker that nothing comes for', () => {
  it('ends, and its memory is the system’s again', async () => {
    const workers = openSmall({ idleMs: 100 });
    const pid = await workers.run<typeof processId>(tasks, 'processId', undefined as never);
    const isThere = () => {
      try {
        process.kill(pid, 0);
        return true;
      } catch {
        return false;
      }
    };
    for (let n = 0; n < 200 && isThere(); n += 1) await sleep(50);
    assert.equal(isThere(), false);
    await workers.close();
  });
});
