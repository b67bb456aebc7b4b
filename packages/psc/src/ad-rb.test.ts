import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import {
  adRb13,
  completeSignature,
  fromBase64,
  memorySource,
  openPdf,
  prepareSignature,
  readAll,
  toBase64,
  type TrustStore,
  verifyPdf,
  withRevision,
} from '@lavra/pades';
import { pscIds } from './providers.ts';
import type { PscId } from './providers.ts';
import { ana, startStory } from './testing/story.ts';

const { world, psc, authorize } = await startStory();
after(() => world.close());
beforeEach(() => world.reset());

/** One empty page; its cross-reference is counted here. */
function onePage(): Uint8Array {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>',
  ];
  let text = '%PDF-1.7\n';
  const rows = objects.map((object, index) => {
    const row = `${String(text.length).padStart(10, '0')} 00000 n \n`;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return row;
  });
  const start = text.length;
  return Buffer.from(
    `${text}xref\n0 4\n0000000000 65535 f \n${rows.join('')}trailer\n<</Size 4/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`,
  );
}

/** Prepared, kept as JSON, signed in the cloud, completed. */
async function signInTheCloud(id: PscId, pdf: Uint8Array): Promise<Uint8Array> {
  const authorization = await authorize(id);
  const [found] = await psc.discoverCertificates(authorization);
  assert.ok(found);
  const source = memorySource(pdf);
  const prepared = await prepareSignature(await openPdf(source), {
    field: { name: `assinatura-${id.toLowerCase()}` },
    certificate: found.certificate,
    chain: found.chain.length > 0 ? found.chain : world.pki.intermediates,
    policy: adRb13,
    signingTime: new Date(),
  });
  assert.equal(prepared.digest, 'sha256');
  const stored = JSON.parse(JSON.stringify(prepared)) as typeof prepared;
  const hashes = [{ id: 'contrato', label: 'Contrato.pdf', hash: fromBase64(stored.toBeSigned), algorithm: 'sha256' as const }];
  const [signed] = await psc.signHashes(authorization, { certificateAlias: found.alias, hashes });
  assert.ok(signed);
  return readAll(withRevision(source, await completeSignature(stored, signed.value)));
}

const trust: TrustStore = {
  anchors: (['v5', 'v12'] as const).map((tree) => ({ certificate: world.pki.roots[tree], name: tree, uses: ['signature'] })),
  intermediates: world.pki.intermediates,
};

async function verified(file: Uint8Array) {
  const crls = await world.pki.revocationLists();
  const revocations = { material: () => Promise.resolve({ certificates: [], crls, ocsps: [] }) };
  return verifyPdf(await openPdf(memorySource(file)), { trust, at: new Date(), revocations });
}

function pdfsig(file: Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), 'psc-'));
  try {
    writeFileSync(join(folder, 'a.pdf'), file);
    return execFileSync('pdfsig', ['-nocert', join(folder, 'a.pdf')], { encoding: 'utf8' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const hasPdfsig = spawnSync('pdfsig', ['-v']).error === undefined;

for (const id of pscIds) {
  test(`a signature made through ${id} is an AD-RB 1.3 that verification passes`, async () => {
    const base = onePage();
    const file = await signInTheCloud(id, base);
    assert.equal(toBase64(file.subarray(0, base.length)), toBase64(base));
    const { indication, signatures } = await verified(file);
    const [one] = signatures;
    assert.equal(indication, 'TOTAL-PASSED', one?.reasons.join());
    assert.deepEqual([one?.policy?.name, one?.policy?.hash], ['AD-RB 1.3', 'matches']);
    assert.deepEqual([one?.trust, one?.signer?.cpf, one?.signer?.type, one?.level], ['v5', ana.cpf, 'A3', 'B-B']);
    if (hasPdfsig)
      assert.match(pdfsig(file), /Signature is Valid[\s\S]*Total document signed|Total document signed[\s\S]*Signature is Valid/);
  });
}

test('seven signers, one after the other, each in a revision of their own', async () => {
  let file = onePage();
  for (const id of pscIds) file = await signInTheCloud(id, file);
  const { indication, signatures } = await verified(file);
  assert.equal(indication, 'TOTAL-PASSED');
  assert.equal(signatures.length, 7);
  if (hasPdfsig) assert.equal(pdfsig(file).match(/Signature is Valid/g)?.length, 7);
});

test('a value made by another key never enters the file', async () => {
  world.pscs.BIRDID.behaviour.signatures = 'other-key';
  await assert.rejects(signInTheCloud('BIRDID', onePage()), { code: 'SIGNATURE_MISMATCH' });
});
