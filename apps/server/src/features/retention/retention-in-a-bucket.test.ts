import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { type MakeBelieveS3, startMakeBelieveS3 } from '@lavra/make-believe';
import { signedInAccount, type TestAccount } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { createDraft } from '../../testing/processes.ts';
import { removeForgotten } from '../stored-files/remove-forgotten.ts';
import { removeOldFilesJob } from './remove-old-files.job.ts';

const DAYS = 30;

describe('files in a bucket', () => {
  let s3: MakeBelieveS3;
  let app: TestApp;
  let ana: TestAccount;
  before(async () => {
    s3 = await startMakeBelieveS3();
    const { endpoint, bucket, accessKeyId, secretAccessKey } = s3;
    app = await startTestApp({ config: { s3: { endpoint, bucket, accessKeyId, secretAccessKey, region: 'us-east-1' } } });
    ana = await signedInAccount(app, { firstName: 'Ana', email: 'ana@empresa.com.br' });
    await app.call(api.companies.create, { token: ana.token, body: { name: 'Empresa', maxTime: DAYS } });
  });
  after(async () => {
    await app.close();
    await s3.close();
  });

  it('leave it when they are kept no longer', async () => {
    const { id, documentIds } = await createDraft(app, ana);
    for (const call of [api.startSignatureProcess, api.cancelProcess]) await app.call(call, { token: ana.token, params: { id } });
    const { hash } = await app.ctx.db.selectFrom('document').select('hash').where('id', 'in', documentIds).executeTakeFirstOrThrow();
    const isThere = () => [...s3.objects.keys()].some((key) => key.endsWith(hash));
    assert.equal(isThere(), true);
    for (const days of [DAYS - 7, 7]) {
      app.clock.advance({ days });
      await removeOldFilesJob.run(app.ctx, {});
    }
    await removeForgotten(app.ctx);
    assert.equal(isThere(), false);
  });
});
