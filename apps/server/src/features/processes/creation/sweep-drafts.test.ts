import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { signedInAccount, type TestAccount } from '../../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { samplePdf, upload } from '../../../testing/processes.ts';
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

  it('is removed after 24 h', async () => {
    const id = await leaveOpen('Esquecido', true);
    app.clock.advance({ hours: 24, minutes: 2 });
    await sweep();
    assert.equal(await statusOf(id), undefined);
  });
});
