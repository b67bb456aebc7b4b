import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { formatInstant } from '../../language/format-instant.ts';
import { signedInAccount, type TestAccount } from '../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { frozenClock } from '../../testing/clock.ts';
import { signElectronically, startedProcess } from '../../testing/processes.ts';

describe('a signature', () => {
  let app: TestApp;
  let ana: TestAccount;
  before(async () => {
    // Every look at the clock is 1.3 s later: nothing is done at the same instant as another thing.
    const clock = frozenClock();
    const { now } = clock;
    let looks = 0;
    clock.now = () => new Date(now().getTime() + 1300 * looks++);
    app = await startTestApp({ clock });
    ana = await signedInAccount(app);
  });
  after(() => app.close());

  const textOf = (pdf: Buffer) => execFileSync('pdftotext', ['-layout', '-', '-'], { input: pdf, encoding: 'utf8' });
  const time = String.raw`(\d{2}/\d{2}/\d{4} \d{2}:\d{2}:\d{2})`;
  const told = (text: string, before: string, behind = '') =>
    [...text.matchAll(new RegExp(before + time + behind, 'gu'))].map(([, found]) => found);

  it('has one time wherever it is told: in the file, in the report, in its log, in the story and to whoever verifies', async () => {
    const signers = [{ name: 'Bia Lima', email: 'bia@exemplo.com.br' }];
    const { id, documentIds, signerIds } = await startedProcess(app, ana, { signers });
    await signElectronically(app, id, signerIds[0] ?? '');
    const documentId = documentIds[0] ?? '';
    const asked = { params: { processId: id, documentId }, query: { user: signerIds[0] } };
    const signed = textOf((await app.call(api.downloadSignature, asked)).raw.rawPayload);
    const [inFile] = told(signed, String.raw`\bem `);
    assert.ok(inFile, 'the signature page has it');

    const report = textOf((await app.call(api.downloadEvidence, asked)).raw.rawPayload);
    assert.deepEqual(told(report, String.raw`Assinou em\D*`), [inFile]);
    assert.deepEqual(told(report, '', String.raw`\s+“Bia Lima” assinou\n`), [inFile]);

    const { body: story } = await app.call(api.getProcessStory, { params: { id }, token: ana.token });
    assert.deepEqual(
      story.story.filter(({ type }) => type === 'signer.signed').map(({ at }) => formatInstant(new Date(at), true)),
      [inFile],
    );
    const { body: entered } = await app.call(api.loginValidation, { query: { documentId: documentId, emailSigner: 'bia@exemplo.com.br' } });
    const { body: seen } = await app.call(api.getValidation, { query: { documentId: documentId, ticket: entered.ticket ?? '' } });
    assert.equal(formatInstant(new Date(seen.signers[0]?.signedAt ?? ''), true), inFile);
    assert.deepEqual(
      seen.logsProcess.filter(({ message }) => message === 'Bia Lima assinou').map(({ timestamp }) => timestamp),
      [inFile],
    );
  });
});
