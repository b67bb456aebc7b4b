import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { signedInAccount } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { frozenClock } from '../../testing/clock.ts';
import { signElectronically, startedProcess } from '../../testing/processes.ts';

describe('what every visitor gets alike', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp({ clock: frozenClock() });
  });
  after(() => app.close());

  for (const url of ['/pki/people.crl', '/pki/root.crl', '/pki/platform.crl', '/api/validation/trust']) {
    it(`${url} is made once a minute at most, and who has it is told so`, async () => {
      const get = (headers: Record<string, string> = {}) => app.inject({ url, headers });
      const all = await Promise.all(Array.from({ length: 20 }, () => get()));
      const [first] = all;
      assert.equal(first?.statusCode, 200);
      // A list is signed anew each time, and ECDSA never signs twice alike.
      assert.ok(all.every(({ rawPayload }) => rawPayload.equals(first?.rawPayload ?? Buffer.alloc(0))));
      const etag = String(first?.headers['etag']);
      const again = await get({ 'if-none-match': etag });
      assert.deepEqual([again.statusCode, again.rawPayload.length], [304, 0]);
      app.clock.advance({ seconds: 61 });
      const later = await get({ 'if-none-match': etag });
      assert.equal(later.statusCode, 200);
      assert.notEqual(later.headers['etag'], etag);
    });
  }

  it('a list shows within a minute what was revoked', async () => {
    const ana = await signedInAccount(app);
    const draft = await startedProcess(app, ana, { signers: [{ name: 'Bia Lima', email: 'bia@exemplo.com.br' }] });
    await signElectronically(app, draft.id, draft.signerIds[0] ?? '');
    const list = async () => (await app.inject({ url: '/pki/people.crl' })).rawPayload.toString('hex');
    const { serial } = await app.ctx.db
      .updateTable('issued_certificate')
      .set({ revoked_at: app.clock.now() })
      .where('signer_id', '=', draft.signerIds[0] ?? '')
      .returning('serial')
      .executeTakeFirstOrThrow();
    app.clock.advance({ seconds: 61 });
    assert.ok((await list()).includes(serial.toLowerCase()));
  });
});
