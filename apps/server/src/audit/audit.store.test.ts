import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { recordAudit, removeOldEvents } from './audit.store.ts';

describe('the security log', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp();
  });
  after(() => app.close());

  const reasons = async () =>
    (await app.ctx.db.selectFrom('audit_event').select('reason').orderBy('id').execute()).map((row) => row.reason);

  it('lets go what is older than a year by the clock that wrote it, and nothing younger', async () => {
    await recordAudit(app.ctx, { kind: 'download', outcome: 'success', reason: 'first' });
    app.clock.advance({ days: 364 });
    const later = () => new Date(app.clock.now().getTime() + 1000);
    await assert.rejects(removeOldEvents(app.ctx, later()), /append-only/);
    app.clock.advance({ days: 2 });
    await recordAudit(app.ctx, { kind: 'download', outcome: 'success', reason: 'second' });
    await assert.rejects(removeOldEvents(app.ctx, later()), /append-only/, 'whoever asks for all of it gets nothing');
    assert.deepEqual(await reasons(), ['first', 'second']);
    await removeOldEvents(app.ctx, app.clock.now());
    assert.deepEqual(await reasons(), ['second']);
  });

  it('says to no later statement what time it is', async () => {
    await assert.rejects(app.ctx.db.deleteFrom('audit_event').execute(), /append-only/);
  });
});
