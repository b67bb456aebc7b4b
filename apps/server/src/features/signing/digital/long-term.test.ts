import assert from 'node:assert/strict';
import { createHash, sign } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { startPscWorld, type PscWorld } from '@lavra/make-believe';
import { signedInAccount, type TestAccount } from '../../../testing/accounts.ts';
import { startTestApp, type TestApp } from '../../../testing/app.ts';
import { frozenClock, type TestClock } from '../../../testing/clock.ts';
import { startedProcess } from '../../../testing/processes.ts';
import { testTimestamps } from '../../../testing/timestamps.ts';
import { openDocumentFile } from '../../documents/document-file.ts';

const bia = { name: 'Bia Lima', cpf: '52998224725', email: 'bia@exemplo.com.br' };

interface Installation {
  app: TestApp;
  world: PscWorld;
  clock: TestClock;
  ana: TestAccount;
}

/** `icpBrasil`: the timestamp authority's root is one of ICP-Brasil's. */
async function open({ icpBrasil }: { icpBrasil: boolean }): Promise<Installation> {
  const clock = frozenClock();
  const timestamps = await testTimestamps(clock);
  const world = await startPscWorld({ now: clock.now, redirectUris: ['http://lavra.test/callback/psc'] });
  const anchors = Object.values(world.pki.roots).map((certificate) => ({
    certificate,
    name: 'ICP-Brasil',
    uses: ['signature'] as const,
  }));
  const stamps = (icpBrasil ? timestamps.anchors : []).map((certificate) => ({
    certificate,
    name: 'ICP-Brasil',
    uses: ['timestamp'] as const,
  }));
  const [hostname = '', port = ''] = world.host.split(':');
  const app = await startTestApp({
    clock,
    timestamps,
    certificates: {
      icpBrasil: { anchors: [...anchors, ...stamps], intermediates: world.pki.intermediates },
      allowedPrivateHosts: [{ hostname, port: Number(port) }],
    },
  });
  return { app, world, clock, ana: await signedInAccount(app) };
}

async function signedDocument({ app, world, ana }: Installation): Promise<string> {
  const process = await startedProcess(app, ana, { type: 'DIGITAL_SIGNATURE', signers: [bia] });
  const own = await world.pki.issuePerson(bia);
  const acting = { processId: process.id, signerId: process.signerIds[0] ?? '' };
  const { body: seen } = await app.call(api.getRequisitionInformation, { params: acting, query: { user: acting.signerId } });
  const { body: prepared } = await app.call(api.prepareLocalSignature, {
    body: {
      ...acting,
      cpf: bia.cpf,
      source: 'file',
      certificate: Buffer.from(own.certificate).toString('base64'),
      chain: [],
      consentHash: seen.consent.hash,
      appearance: { style: 'model', image: null },
    },
  });
  const signatures = prepared.documents.map(({ documentId, digest, signedAttributes }) => ({
    documentId,
    value: sign(digest, Buffer.from(signedAttributes, 'base64'), own.key).toString('base64'),
  }));
  const { attemptId } = prepared;
  assert.equal((await app.call(api.completeLocalSignature, { body: { ...acting, attemptId, signatures } })).status, 204);
  await app.runJobs();
  return process.documentIds[0] ?? '';
}

async function judged({ app }: Installation, documentId: string) {
  const { body: entry } = await app.call(api.loginValidation, { query: { documentId, emailSigner: bia.email } });
  return (await app.call(api.getValidation, { query: { documentId, ticket: entry.ticket ?? '' } })).body;
}

for (const icpBrasil of [true, false])
  describe(`a digital document where the timestamp authority is ${icpBrasil ? '' : 'not '}ICP-Brasil’s`, () => {
    let installation: Installation;
    before(async () => {
      installation = await open({ icpBrasil });
    });
    after(async () => {
      await installation.app.close();
      await installation.world.close();
    });

    it(icpBrasil ? 'is extended by DSS and document timestamp, and outlives the certificate' : 'gets nothing foreign added', async () => {
      const { app, clock, world } = installation;
      const documentId = await signedDocument(installation);
      const file = await openDocumentFile(app.ctx, documentId);
      assert.deepEqual(
        file.parts.map(({ kind }) => kind),
        ['upload', 'preparation', 'signature', ...(icpBrasil ? ['extension'] : [])],
      );
      const hash = createHash('sha256')
        .update(Buffer.from(await file.source.read(0, file.size)))
        .digest('hex');
      assert.equal(file.parts.at(-1)?.fileHash, hash);
      const now = await judged(installation, documentId);
      assert.equal(now.signedHash, hash);
      assert.deepEqual([now.signers[0]?.indication, now.signers[0]?.reasons], ['TOTAL-PASSED', []]);
      assert.deepEqual(
        now.seals.map(({ kind, indication }) => [kind, indication]),
        icpBrasil ? [['timestamp', 'TOTAL-PASSED']] : [],
      );
      await world.close();
      clock.advance({ days: 4 * 365 });
      const later = await judged(installation, documentId);
      assert.equal(later.signers[0]?.indication, icpBrasil ? 'TOTAL-PASSED' : 'INDETERMINATE');
    });
  });
