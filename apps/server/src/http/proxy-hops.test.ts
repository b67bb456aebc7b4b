import assert from 'node:assert/strict';
import { request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import pino from 'pino';
import { startTestApp, type TestApp } from '../testing/app.ts';

const apps: TestApp[] = [];
// Inside: hooks beside it would run when the whole program ends, with every installation open until then.
describe('proxy hops', () => {
  after(() => Promise.all(apps.map((app) => app.close())));

  /** An installation that listens; `forwarded` sends it a real request with these X-Forwarded-For lines and answers all warnings so far. */
  async function installation(trustedProxies: number, profile: 'dev' | 'prod' = 'prod') {
    const lines: { level: number; variable?: string; hops?: number; msg: string }[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]) });
    const app = await startTestApp({ config: { trustedProxies, profile }, log });
    apps.push(app);
    await app.installation.app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.installation.app.server.address() as AddressInfo;
    const forwarded = async (entries: readonly string[], path = '/api/account') => {
      await new Promise((resolve, reject) => {
        const headers = entries.length > 0 ? { 'x-forwarded-for': [...entries] } : {};
        ask({ host: '127.0.0.1', port, path, headers }, (answer) => answer.resume().on('end', resolve))
          .on('error', reject)
          .end();
      });
      return lines
        .filter(({ variable }) => variable === 'TRUSTED_PROXIES')
        .map(({ msg, hops }) => [hops, msg.split(' although')[0]?.split(':')[0]]);
    };
    /** Twice: what is told only, and waited for by nobody, is the answer of the time before. */
    const health = async () => {
      for (let asked = 0; asked < 2; asked += 1) await app.inject('/management/health/readiness');
      const { components } = (await app.inject('/management/health/readiness')).json<{ components: Record<string, unknown> }>();
      return components['proxies'];
    };
    return Object.assign(forwarded, { health });
  }

  describe('hops of proxies that do not fit TRUSTED_PROXIES', () => {
    it('are told once where a proxy comes though none is trusted: the evidence has the proxy’s address', async () => {
      const forwarded = await installation(0);
      assert.deepEqual(await forwarded([]), []);
      assert.deepEqual(await (await installation(0)).health(), { status: 'UP' });
      const told = [[1, 'a request came with X-Forwarded-For']];
      assert.deepEqual(await forwarded(['200.147.3.157']), told);
      assert.deepEqual(await forwarded(['200.147.3.157', '10.0.0.7']), told);
      assert.deepEqual(await forwarded.health(), { status: 'DEGRADED', reason: 'noProxyTrusted' });
    });

    it('are told once where fewer come than are trusted: anybody could write the address', async () => {
      const forwarded = await installation(2);
      assert.deepEqual(await forwarded(['200.147.3.157', '10.0.0.7']), []);
      assert.deepEqual(await forwarded(['200.147.3.157, 10.0.0.7']), []);
      assert.deepEqual(await forwarded([], '/management/health'), [], 'a monitor asks past the proxy');
      const told = [[1, 'a request passed fewer proxies than TRUSTED_PROXIES says']];
      assert.deepEqual(await forwarded(['200.147.3.157']), told);
      assert.deepEqual(await forwarded([]), told);
    });

    it('are told where more come and the address taken is an inner one; a visitor’s own header alone is no fault', async () => {
      const forwarded = await installation(1);
      assert.deepEqual(await forwarded(['200.147.3.157']), []);
      assert.deepEqual(await forwarded(['1.2.3.4', '200.147.3.157']), [], 'forged, and not believed');
      assert.deepEqual(await forwarded(['200.147.3.157', '10.0.0.7']), [
        [2, 'a request passed more proxies than TRUSTED_PROXIES says, and the address taken for the visitor’s is of an inner network'],
      ]);
    });

    it('are nobody’s concern in development', async () => {
      const forwarded = await installation(0, 'dev');
      assert.deepEqual(await forwarded(['200.147.3.157']), []);
    });
  });
});
