import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { certificatesInPem, joinTrust } from '@lavra/pades';
import { strToU8, zipSync } from 'fflate';
import { loadAuthority } from '../authority/authority.ts';
import { signedInAccount, type TestAccount } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { fetchIcpBrasilJob } from './fetch-icp-brasil.job.ts';
import { followTrust, liveTrust } from './live-trust.ts';

const lists = process.env['LAVRA_ICP_BRASIL'] ?? resolve(import.meta.dirname, '../../../../../../shared/icp-brasil');
const pem = join(lists, 'icp-brasil-cas.pem');
const skip = existsSync(pem) ? false : 'set LAVRA_ICP_BRASIL to a folder with icp-brasil-cas.pem';

describe('ICP-Brasil’s list of authorities', () => {
  let app: TestApp;
  let admin: TestAccount;
  let user: TestAccount;
  let site: Server;
  let served: { status: number; body: Uint8Array };
  before(async () => {
    site = createServer((_request, response) => response.writeHead(served.status).end(served.body));
    await new Promise<void>((done) => site.listen(0, '127.0.0.1', done));
    const { port } = site.address() as AddressInfo;
    app = await startTestApp({
      config: {
        icpBrasilListUrl: `http://127.0.0.1:${port}/ACcompactado.zip`,
        allowedPrivateHosts: [{ hostname: '127.0.0.1', port }],
      },
    });
    admin = await signedInAccount(app);
    user = await signedInAccount(app);
  });
  after(async () => {
    site.close();
    await app.close();
  });

  async function upload(bytes: Uint8Array, token = admin.token) {
    const form = new FormData();
    form.append('files', new Blob([Buffer.from(bytes)]), 'ACcompactado.zip');
    const request = new Request('http://lavra.test/', { method: 'POST', body: form });
    const answer = await app.inject({
      method: 'POST',
      url: '/api/admin/icp-brasil',
      headers: { authorization: `Bearer ${token}`, 'content-type': request.headers.get('content-type') ?? '' },
      payload: Buffer.from(await request.arrayBuffer()),
    });
    return { status: answer.statusCode, code: answer.headers['x-app-error'], body: answer.json<api.LoadedAuthorities>() };
  }
  const state = async () => (await app.call(api.getIcpBrasil, { token: admin.token })).body;
  const fetchIt = () => app.call(api.fetchIcpBrasil, { token: admin.token });
  const rows = () => app.ctx.db.selectFrom('trust_list_certificate').select('fingerprint').execute();
  const ownRoot = async () => (await loadAuthority(app.ctx)).root.der;

  it('is refused when no certificate in it reaches a pinned root, whatever it calls itself: nothing is changed', async () => {
    const stranger = await ownRoot();
    for (const bytes of [stranger, zipSync({ 'AC_Raiz_v5.crt': stranger, 'nested/other.crt': stranger })])
      assert.deepEqual([(await upload(bytes)).code, (await rows()).length], ['trust.listUnproven', 0]);
    assert.deepEqual((await state()).roots, []);
    assert.equal((await state()).list, null);
  });

  it('is refused when it is no list at all, or would unpack to more than any list has', async () => {
    const bomb = zipSync({ 'a.crt': new Uint8Array(64 * 1024), 'b.crt': new Uint8Array(900_000_0) });
    const many = zipSync(Object.fromEntries(Array.from({ length: 5001 }, (_, n) => [`${n}.crt`, strToU8('x')])));
    const cut = zipSync({ 'a.crt': await ownRoot() }).subarray(0, 300);
    for (const bytes of [
      new Uint8Array(),
      strToU8('<html>Página não encontrada</html>'),
      bomb,
      many,
      cut,
      new Uint8Array(8 * 1024 * 1024 + 1),
    ]) {
      const { status, code } = await upload(bytes);
      assert.deepEqual([status, String(code).startsWith('trust.list')], [400, true], `${bytes.length} bytes: ${String(code)}`);
    }
    assert.equal((await rows()).length, 0);
  });

  it('is nobody’s but an administrator’s to load', async () => {
    assert.equal((await upload(await ownRoot(), user.token)).status, 403);
    assert.equal((await app.call(api.fetchIcpBrasil, { token: user.token })).status, 403);
    assert.equal((await app.call(api.getIcpBrasil, { token: user.token })).status, 403);
  });

  it('that cannot be fetched leaves what is known as it is, and says why', async () => {
    served = { status: 503, body: new Uint8Array() };
    assert.deepEqual(await fetchIt().then(({ status, code }) => [status, code]), [503, 'trust.unreachable']);
    await fetchIcpBrasilJob.run(app.ctx, {});
    const bare = await startTestApp();
    const other = await signedInAccount(bare);
    assert.equal((await bare.call(api.fetchIcpBrasil, { token: other.token })).code, 'trust.noAddress');
    await fetchIcpBrasilJob.run(bare.ctx, {});
    await bare.close();
  });

  describe('as ITI publishes it', { skip }, () => {
    let certificates: Uint8Array[];
    let published: Uint8Array;
    before(async () => {
      certificates = certificatesInPem(readFileSync(pem, 'latin1'));
      const files = certificates.map((der, index): [string, Uint8Array] => [`AC${index}.crt`, der]);
      published = zipSync(Object.fromEntries([...files, ['estranha.crt', await ownRoot()], ['leia-me.txt', strToU8('hashes')]]));
    });

    it('is believed by pinned fingerprints, at once here and soon at every other node, with its age shown', async () => {
      const { status, body } = await upload(published);
      assert.equal(status, 200);
      assert.ok(body.authorities > 100 && body.added === body.authorities, JSON.stringify(body));
      assert.ok(body.unrelated > 0, 'roots of web sites and programs, and the stranger');
      const { roots, list, authorities } = await state();
      assert.deepEqual(roots.toSorted(), ['ICP-Brasil v12', 'ICP-Brasil v2', 'ICP-Brasil v5']);
      assert.deepEqual([list?.source, list?.loadedAt, list?.fault], ['upload', app.clock.now().toISOString(), null]);
      assert.ok(authorities.valid > 50 && authorities.ended > 50 && authorities.newest !== null);
      const stranger = Buffer.from(await ownRoot()).toString('base64');
      const known = [...app.ctx.icpBrasil.anchors.map(({ certificate }) => certificate), ...app.ctx.icpBrasil.intermediates];
      assert.ok(!known.some((der) => Buffer.from(der).toString('base64') === stranger));
      const other = { db: app.ctx.db, icpBrasil: liveTrust(joinTrust()) };
      await followTrust(other);
      assert.equal(other.icpBrasil.intermediates.length, app.ctx.icpBrasil.intermediates.length);
    });

    it('makes digital signatures possible where nothing was configured', async () => {
      const { body } = await app.call(api.getTrust);
      assert.ok(body.anchors.some(({ name }) => name === 'ICP-Brasil v12'));
    });

    it('the same again is only a check of it, and an older one takes nothing away', async () => {
      const count = (await rows()).length;
      const before = await state();
      app.clock.advance({ minutes: 5 });
      served = { status: 200, body: published };
      assert.equal((await fetchIt()).body.added, 0);
      const checked = await state();
      assert.deepEqual([checked.list?.loadedAt, checked.list?.checkedAt], [before.list?.loadedAt, app.clock.now().toISOString()]);
      const [first] = app.ctx.icpBrasil.anchors;
      served = { status: 200, body: zipSync({ 'so-a-raiz.crt': first?.certificate ?? new Uint8Array() }) };
      assert.deepEqual(await fetchIt().then(({ body }) => [body.authorities, body.added]), [1, 0]);
      assert.equal((await rows()).length, count);
      assert.equal((await state()).list?.source, 'address');
    });

    it('keeps its faults for the page until it could be loaded again', async () => {
      served = { status: 200, body: strToU8('<html></html>') };
      await fetchIcpBrasilJob.run(app.ctx, {});
      assert.equal((await state()).list?.fault, 'trust.listUnreadable');
      assert.equal((await state()).roots.length, 3);
      assert.equal((await upload(published)).status, 200);
      assert.equal((await state()).list?.fault, null);
    });
  });
});
