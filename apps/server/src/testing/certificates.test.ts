import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { findRevocations } from '../outside/outside-revocations.ts';
import { type CertificateTestApp, startCertificateApp } from './certificates.ts';

describe('a test app with the make-believe ICP-Brasil', () => {
  let app: CertificateTestApp;
  before(async () => {
    app = await startCertificateApp();
  });
  after(() => app.close());

  it('finds its people at their providers and their lists at the addresses in their certificates', async () => {
    const issued = await app.pscWorld.enrolPerson({ name: 'Ana Conceição', cpf: '52998224725' }, ['BIRDID', 'SYN']);
    const found = await app.ctx.psc.findCertificates('52998224725');
    assert.deepEqual(
      found.availablePscs.map(({ psc }) => psc),
      ['BIRDID', 'SYN'],
    );
    const revocations = await findRevocations(app.ctx, {
      certificates: [issued.certificate],
      anchors: app.ctx.icpBrasil.anchors.map(({ certificate }) => certificate),
      known: { certificates: [], crls: [], ocsps: [] },
      completes: true,
    });
    assert.deepEqual([revocations.crls.length, revocations.unproven, revocations.unanchored], [3, [], []]);
  });
});
