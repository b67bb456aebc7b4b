import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { limits } from '@lavra/domain';
import { signedInAccount, type TestAccount } from '../../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { createDraft, samplePdf, upload } from '../../../testing/processes.ts';
import { insertProcess } from './creation.store.ts';
import { sweepDraftsJob } from './sweep-drafts.job.ts';
import { findProcess } from '../aggregate.store.ts';

describe('a creation sequence that is left open', () => {
  let app: TestApp;
  let ana: TestAccount;
  before(async () => {
    app = await startTestApp();
    ana = await signedInAccount(app, { firstName: 'Ana' });
  });
  after(() => app.close());

  /** Documents, process and one signer; never closed. */
  const leaveOpen = async (title: string, awaitsStart?: boolean) => {
    const { body: files } = await upload(app, ana.token, [{ name: 'a.pdf', bytes: await samplePdf() }]);
    const { body } = await app.call(api.createSignatureProcess, {
      token: ana.token,
      body: {
        title,
        dueDate: null,
        reminderIn: null,
        type: 'ELETRONIC_SIGNATURE',
        files: files.map(({ id }) => ({ id })),
        ...(awaitsStart === undefined ? {} : { awaitsStart }),
      },
    });
    await app.call(api.createSigner, {
      token: ana.token,
      body: {
        signer: { name: 'Bia', email: 'bia@exemplo.com.br', order: 0, signatureProcess: { id: body.id } },
        signatureVisibleActive: false,
        visibleSignature: [],
      },
    });
    return body.id;
  };
  const statusOf = async (id: string) => (await findProcess(app.ctx, id, 'read'))?.signatureProcess.status;
  const sweep = () => sweepDraftsJob.run(app.ctx, {});

  it('is closed automatically 60 s after its last write, but not when the client said it closes it itself', async () => {
    const foreign = await leaveOpen('De outro cliente');
    const ours = await leaveOpen('Do nosso cliente', true);
    await sweep();
    assert.equal(await statusOf(foreign), 'DRAFT');
    await app.call(api.signatureProcesses.update, { token: ana.token, params: { id: ours }, body: { title: 'Do nosso, mudado' } });
    app.clock.advance({ seconds: 61 });
    await sweep();
    assert.equal(await statusOf(foreign), 'IN_PROGRESS');
    assert.equal(await statusOf(ours), 'DRAFT');
  });

  it('is closed however many of another account’s are waited for', async () => {
    const eva = await signedInAccount(app);
    for (let left = 0; left < 400; left += 1)
      await insertProcess(app.ctx, {
        id: `00000000-0000-4000-8000-${String(left).padStart(12, '0')}`,
        ownerId: eva.id,
        title: 'Parado',
        modality: 'electronic',
        dueDate: null,
        reminderIn: null,
        geolocation: 'optional',
        langKey: 'pt-br',
        tellStakeholders: true,
        createdByFront: false,
        awaitsStart: true,
      });
    const id = await leaveOpen('Atrás de muitos');
    app.clock.advance({ seconds: 61 });
    await sweep();
    assert.equal(await statusOf(id), 'IN_PROGRESS');
  });

  const inDays = (days: number) => new Date(app.clock.now().getTime() + days * 86_400_000).toISOString();
  const toldOf = async (title: string, { email } = ana) =>
    (await app.mailbox.list()).filter(({ to, subject }) => to === email && subject.includes(title));

  it('is judged by its last write: a deadline that was a day away then lets it start, whenever the sweep comes', async () => {
    const { id } = await createDraft(app, ana, { title: 'Até amanhã', dueDate: inDays(1) });
    app.clock.advance({ seconds: 119 });
    await sweep();
    assert.equal(await statusOf(id), 'IN_PROGRESS');
  });

  it('and cannot start is told of to its owner, once, with the reason and in their language; corrected, it goes out', async () => {
    const late = [2, 1.5].map((days, order) => ({ name: 'Bia', email: `b${order}@exemplo.com.br`, order, dueDate: inDays(days) }));
    const { id, signerIds } = await createDraft(app, ana, { title: 'Fora de ordem', signers: late });
    for (let minute = 0; minute < 3; minute += 1) {
      app.clock.advance({ seconds: 61 });
      await sweep();
      await app.runJobs();
    }
    const [mail, ...more] = await toldOf('Fora de ordem');
    assert.deepEqual(more, []);
    assert.match(mail?.text ?? '', /Os prazos individuais precisam estar em ordem crescente/);
    assert.match(mail?.text ?? '', new RegExp(`/entity/signature-process/${id}(?![/\\w])`));
    await app.call(api.signers.update, {
      token: ana.token,
      params: { id: signerIds[1] ?? '' },
      body: { name: 'Bia', email: 'b1@exemplo.com.br', order: 1, dueDate: inDays(3) },
    });
    app.clock.advance({ seconds: 61 });
    await sweep();
    const started = await findProcess(app.ctx, id, 'read');
    assert.deepEqual([started?.signatureProcess.status, started?.signatureProcess.problem], ['IN_PROGRESS', null]);
  });

  it('and calls more people than a new sender may in an hour is told of when the hour has passed in vain', async () => {
    const eva = await signedInAccount(app, { firstName: 'Eva' });
    const signers = Array.from({ length: limits.peoplePerHourNewSender + 1 }, (_, n) => ({
      name: 'Bia',
      email: `muitos${n}@exemplo.com.br`,
      order: 0,
    }));
    await createDraft(app, eva, { title: 'Gente demais', signers });
    app.clock.advance({ seconds: 61 });
    await sweep();
    await app.runJobs();
    assert.deepEqual(await toldOf('Gente demais', eva), []);
    app.clock.advance({ hours: 1 });
    for (let n = 0; n < 2; n += 1) await sweep();
    await app.runJobs();
    assert.equal((await toldOf('Gente demais', eva)).length, 1);
  });

  it('is told of once by two programs that sweep at the same moment', async () => {
    const late = [2, 1.5].map((days, order) => ({ name: 'Bia', email: `b${order}@exemplo.com.br`, order, dueDate: inDays(days) }));
    await createDraft(app, ana, { title: 'Duas vezes', signers: late });
    app.clock.advance({ seconds: 61 });
    await Promise.all([sweep(), sweep()]);
    await app.runJobs();
    assert.equal((await toldOf('Duas vezes')).length, 1);
  });

  it('and lacks signers is not told of: whether it is complete only its client knows', async () => {
    await createDraft(app, ana, { title: 'Sem ninguém', signers: [] });
    app.clock.advance({ seconds: 61 });
    await sweep();
    await app.runJobs();
    assert.deepEqual(await toldOf('Sem ninguém'), []);
  });

  it('is removed after 24 h', async () => {
    const id = await leaveOpen('Esquecido', true);
    app.clock.advance({ hours: 24, minutes: 2 });
    await sweep();
    assert.equal(await statusOf(id), undefined);
  });

  it('is judged as it is where nobody swept for hours: no process begins with no time left', async () => {
    const eva = await signedInAccount(app, { firstName: 'Eva' });
    const { id } = await createDraft(app, eva, { title: 'Tarde demais', dueDate: inDays(1) });
    app.clock.advance({ hours: 20 });
    await sweep();
    await app.runJobs();
    assert.deepEqual([await statusOf(id), (await toldOf('Tarde demais', eva)).length], ['DRAFT', 1]);
  });
});
