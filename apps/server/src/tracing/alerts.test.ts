import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../testing/app.ts';

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
    const rules = readFileSync(new URL('../../../../docs/alerts.yml', import.meta.url), 'utf8');
    const asked = new Set([...rules.matchAll(/^ +expr: (.*)$/gm)].flatMap(([, expr = '']) => expr.match(/\blavra_\w+/g) ?? []));
    assert.ok(asked.size >= 6);
    assert.deepEqual(
      [...asked].filter((name) => !there.has(name)),
      [],
    );
  });
});

const partsOf = (name: string, type = '') => (type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name]);
