import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startTestApp, type TestApp } from '../testing/app.ts';

const path = fileURLToPath(new URL('../../../../docs/alerts.yml', import.meta.url));
const skip = spawnSync('promtool', ['--version']).status === 0 ? false : 'no promtool';

/** What is scraped every minute (promtool's notation: start+step×times), when it is looked, and who is told of then. */
interface Day {
  series: Readonly<Record<string, string>>;
  after: string;
  told: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const answers = (route: string, le: string) => `lavra_http_request_seconds_bucket{route="${route}",le="${le}",instance="a"}`;
/** An installation that does what it should. */
const quiet = {
  'lavra_info{instance="a"}': '1x120',
  'lavra_http_request_seconds_count{status="200",instance="a"}': '0+600x120',
  'lavra_http_request_seconds_count{status="503",instance="a"}': '0+1x120',
  [answers('/api/account', '0.1')]: '0+599x120',
  [answers('/api/account', '2.5')]: '0+600x120',
  [answers('/api/account', '+Inf')]: '0+600x120',
  'lavra_jobs_oldest_seconds{job="send-mail",instance="a"}': '3x120',
  'lavra_jobs_given_up{job="send-mail",instance="a"}': '2x120',
  'lavra_database_connections{state="waiting",instance="a"}': '0x120',
  'lavra_nodejs_eventloop_lag_p99_seconds{instance="a"}': '0.02x120',
};
const changed = (series: Day['series'], told: Day['told'], after = '100m'): Day => ({ series: { ...quiet, ...series }, after, told });

const days: Readonly<Record<string, Day>> = {
  quiet: changed({}, {}),
  'nobody answers': { series: { 'lavra_info{instance="a"}': '1x50 stale' }, after: '60m', told: { LavraDown: { severity: 'page' } } },
  'a node of two is away': { series: { ...quiet, 'lavra_info{instance="b"}': '1x50 stale' }, after: '100m', told: {} },
  'one answer in twenty is a fault': changed(
    { 'lavra_http_request_seconds_count{status="500",instance="a"}': '0+35x120' },
    { LavraFaults: { severity: 'page' } },
  ),
  'one call is slow': changed(
    { [answers('/api/documents', '2.5')]: '0+50x120', [answers('/api/documents', '+Inf')]: '0+60x120' },
    { LavraSlow: { severity: 'look', route: '/api/documents' } },
  ),
  'mails wait': changed(
    { 'lavra_jobs_oldest_seconds{job="send-mail",instance="a"}': '0+60x120' },
    { LavraJobsWait: { severity: 'page', job: 'send-mail' } },
  ),
  'a mail is given up': changed(
    { 'lavra_jobs_given_up{job="send-mail",instance="a"}': '2x80 3x40' },
    { LavraJobsGivenUp: { severity: 'look', job: 'send-mail' } },
  ),
  'requests wait for the database': changed(
    { 'lavra_database_connections{state="waiting",instance="a"}': '4x120' },
    { LavraDatabaseCrowded: { severity: 'look', instance: 'a' } },
  ),
  'the program is late': changed(
    { 'lavra_nodejs_eventloop_lag_p99_seconds{instance="a"}': '0.4x120' },
    { LavraEventLoopLate: { severity: 'look', instance: 'a' } },
  ),
};

describe('the example of alerts', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp();
  });
  after(() => app.close());

  it('asks for metrics that there are', async () => {
    await app.inject('/management/health/liveness');
    const text = await app.ctx.metrics.text();
    const there = new Set([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) => partsOf(name, type)));
    const rules = readFileSync(path, 'utf8');
    const asked = new Set([...rules.matchAll(/^ +expr: (.*)$/gm)].flatMap(([, expr = '']) => expr.match(/\blavra_\w+/g) ?? []));
    assert.ok(asked.size >= 6);
    assert.deepEqual(
      [...asked].filter((name) => !there.has(name)),
      [],
    );
  });

  it('is right in the eyes of promtool, and each fires on the day it is for and on no other', { skip }, (t) => {
    const checked = spawnSync('promtool', ['check', 'rules', path], { encoding: 'utf8' });
    assert.equal(checked.status, 0, checked.stdout + checked.stderr);
    const names = [...readFileSync(path, 'utf8').matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name);
    assert.deepEqual(new Set(Object.values(days).flatMap(({ told }) => Object.keys(told))), new Set(names));
    const folder = mkdtempSync(join(tmpdir(), 'lavra-alerts-'));
    t.after(() => rmSync(folder, { recursive: true }));
    // JSON is YAML; the words of a summary are not what is judged.
    const rules = readFileSync(path, 'utf8').replaceAll(/^ +annotations:\n +summary: .*\n/gm, '');
    writeFileSync(join(folder, 'rules.yml'), rules);
    const tests = Object.entries(days).map(([name, { series, after, told }]) => ({
      name,
      interval: '1m',
      input_series: Object.entries(series).map(([of, values]) => ({ series: of, values })),
      alert_rule_test: names.map((alertname) => ({
        eval_time: after,
        alertname,
        exp_alerts: told[alertname] ? [{ exp_labels: told[alertname] }] : [],
      })),
    }));
    writeFileSync(join(folder, 'test.yml'), JSON.stringify({ rule_files: ['rules.yml'], evaluation_interval: '1m', tests }));
    const judged = spawnSync('promtool', ['test', 'rules', join(folder, 'test.yml')], { encoding: 'utf8' });
    assert.equal(judged.status, 0, judged.stdout + judged.stderr);
  });
});

const partsOf = (name: string, type = '') => (type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name]);
