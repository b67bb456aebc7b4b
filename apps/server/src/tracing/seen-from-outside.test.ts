import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { getAccount } from '@lavra/api';
import { sql } from 'kysely';
import { openLog } from '../compose.ts';
import { openDatabase } from '../db/client.ts';
import { describeStart } from '../describe-start.ts';
import { prepareDocuments } from '../features/processes/hand-over.ts';
import { countQueues, watchJobs } from '../features/management/watch-jobs.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { readCommit } from '../program.ts';
import { signedInAccount, type TestAccount } from '../testing/accounts.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { sendElectronically, startedProcess } from '../testing/processes.ts';

/** As OTLP has it in JSON (opentelemetry-proto, trace.proto); what is looked at here. */
interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
}

const attributeOf = (span: Span | undefined, name: string) => {
  const value = span?.attributes.find(({ key }) => key === name)?.value;
  return value?.stringValue ?? Number(value?.intValue);
};

/** A collector in this process: OTLP over HTTP (POST /v1/traces). */
async function startCollector() {
  const spans: Span[] = [];
  const heard: { authorization: string | undefined; resource: Record<string, string | undefined> }[] = [];
  const server = createServer(async (request, response) => {
    const { resourceSpans } = (await json(request)) as {
      resourceSpans: { resource: { attributes: Span['attributes'] }; scopeSpans: { spans: Span[] }[] }[];
    };
    assert.equal(`${request.method} ${request.url}`, 'POST /v1/traces');
    for (const { resource, scopeSpans } of resourceSpans) {
      const facts = Object.fromEntries(resource.attributes.map(({ key, value }) => [key, value.stringValue]));
      heard.push({ authorization: request.headers.authorization, resource: facts });
      spans.push(...scopeSpans.flatMap((scope) => scope.spans));
    }
    response.setHeader('content-type', 'application/json').end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, spans, heard, close: () => server.close() };
}

/** Lines of the log as a collector of logs would get them. */
function listeningLog() {
  const lines: Record<string, unknown>[] = [];
  const log = openLog({ logLevel: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) });
  return { log, lines, text: () => JSON.stringify(lines), find: (said: string) => lines.filter(({ msg }) => msg === said) };
}

describe('seen from outside', () => {
  let app: TestApp;
  let ana: TestAccount;
  let collector: Awaited<ReturnType<typeof startCollector>>;
  const listening = listeningLog();
  before(async () => {
    collector = await startCollector();
    const traces = { endpoint: collector.url, headers: { authorization: 'Bearer abc' }, service: 'lavra', ratio: 1 };
    app = await startTestApp({ log: listening.log, config: { traces } });
    ana = await signedInAccount(app, { firstName: 'Ana' });
  });
  after(() => collector.close());

  it('each process that was started and sealed is one line, with its id and no personal data', async () => {
    const draft = await startedProcess(app, ana);
    await app.runJobs();
    await sendElectronically(app, draft.id, draft.signerIds[0] ?? '');
    await app.runJobs();
    const [started, ...again] = listening.find('process started');
    assert.deepEqual([started?.['process'], started?.['signers'], again], [draft.id, 1, []]);
    const [sealed, ...twice] = listening.find('process sealed');
    assert.deepEqual([sealed?.['process'], sealed?.['level'], twice], [draft.id, 'B-B', []]);
    // The first came of a request, the second of a job.
    assert.match(String(started?.['request']), /^[\w-]{12}$/);
    assert.deepEqual([sealed?.['job'], sealed?.['request']], ['finalize-process', undefined]);
    for (const secret of [ana.email, 'Ana', '52998224725', '529.982', '@'])
      assert.ok(!listening.text().includes(secret), `the log has ${secret}: ${listening.text()}`);
  });

  it('an answer names its request, and whoever sends a name of their own gets ours', async () => {
    const { headers } = await app.call(getAccount, { token: ana.token, headers: { 'x-request-id': 'mine"}\n{' } });
    assert.match(String(headers['x-request-id']), /^[\w-]{12}$/);
  });

  it('a start is one line: version, commit, database, storage, authority, migrations run; no password, no path', async () => {
    const config = {
      ...app.ctx.config,
      databaseUrl: 'postgres://ana:segredo@db.exemplo.com.br:5432/lavra',
      tsaUrl: 'https://u:segredo@tsa.test/x',
    };
    const told = await describeStart({ ...app.ctx, config }, app.installation.migrated);
    assert.match(told.database, /^db\.exemplo\.com\.br:5432, PostgreSQL \d+/);
    assert.deepEqual([told.storage, told.timestamps, told.profile], ['disk', 'tsa.test', 'dev']);
    assert.match(told.version, /^\d+\.\d+\.\d+$/);
    assert.ok(told.commit === null || /^[0-9a-f]{40}$/.test(told.commit), String(told.commit));
    assert.ok(told.migrated.every((name) => /^\d{3}-/.test(name)));
    assert.ok(!JSON.stringify(told).includes('segredo'));
    assert.equal(readCommit('/'), null);
  });

  it('metrics tell how many jobs of each kind wait, and since when', async () => {
    await app.ctx.jobs.send(prepareDocuments, { signatureProcessId: randomUUID() }, { key: 'one' });
    await sql`update pgboss.job set start_after = now() - interval '10 minutes' where state = 'created' and name = 'prepare-documents'`.execute(
      app.ctx.db,
    );
    const text = await app.ctx.metrics.text();
    const value = (name: string) => Number(new RegExp(`^${name}\\{job="prepare-documents"\\} ([\\d.]+)$`, 'm').exec(text)?.[1]);
    assert.equal(value('lavra_jobs_waiting'), 1);
    assert.ok(value('lavra_jobs_oldest_seconds') >= 600, text);
    assert.match(text, /^lavra_info\{version="\d+\.\d+\.\d+/m);
    // And whoever reads the log is warned, with the kind of job alone.
    const stop = watchJobs(app.ctx, 5);
    while (listening.find('jobs wait').length === 0) await sleep(5);
    await stop();
    const [warning] = listening.find('jobs wait');
    assert.deepEqual([warning?.['level'], warning?.['job'], warning?.['waiting']], [40, 'prepare-documents', 1]);
    assert.ok(Number(warning?.['oldestSeconds']) >= 600);
  });

  it('metrics are told while the database is away, but for the queues, of which nobody knows', async () => {
    const away = openDatabase({ connectionString: 'postgres://lavra@127.0.0.1:1/lavra' }, { away: () => {}, answered: () => {} });
    const metrics = createMetrics(away.pool);
    countQueues({ ...app.ctx, db: away.db, metrics });
    const text = await metrics.text();
    assert.match(text, /^lavra_process_resident_memory_bytes \d+$/m);
    assert.doesNotMatch(text, /^lavra_jobs_waiting\{/m);
    metrics.close();
    await away.close();
  });

  it('a collector gets spans of requests, jobs, transactions and what is asked of others, one below the other, without personal data', async () => {
    // The end sends what is left.
    await app.close();
    const { spans, heard } = collector;
    const named = (name: string) => spans.filter((span) => span.name === name);
    assert.equal(heard[0]?.authorization, 'Bearer abc');
    assert.equal(heard[0]?.resource['service.name'], 'lavra');
    const [start] = named('POST /api/signature-processes/:id/start');
    assert.deepEqual([start?.kind, attributeOf(start, 'http.response.status_code')], [2, 204]);
    const [sealing] = named('job finalize-process');
    const below = (above: Span | undefined) =>
      spans.filter(({ parentSpanId, traceId }) => parentSpanId === above?.spanId && traceId === above?.traceId);
    assert.ok(below(start).some(({ name }) => name === 'transaction'));
    for (const name of ['transaction', 'storage.put'])
      assert.ok(
        below(sealing).some((span) => span.name === name),
        name,
      );
    assert.equal(attributeOf(sealing, 'lavra.process'), attributeOf(start, 'lavra.process'));
    for (const secret of [ana.email, 'Ana"', '52998224725']) assert.ok(!JSON.stringify(spans).includes(secret), secret);
  });
});
