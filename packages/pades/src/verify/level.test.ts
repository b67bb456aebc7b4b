import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRoot, issueTimestampCertificate, privateKeyOf, timestampAuthority } from '@lavra/make-believe';
import { extendPdf } from '../extend/extend-pdf.ts';
import { openPdf } from '../open-pdf.ts';
import { memorySource } from '../source.ts';
import { signPdf } from '../sign/sign-pdf.ts';
import { append, at, makeBases } from '../testing/attacks/bases.ts';
import { cms } from '../testing/attacks/cms-forgeries.ts';
import { fillSignature, signatureText } from '../testing/attacks/forge-signature.ts';
import { objectText, revise } from '../testing/attacks/write-revision.ts';
import { requestTimestamp } from '../timestamp/timestamp.ts';
import { attackWorld } from '../testing/attacks/world.ts';
import { verifyPdf } from './verify-pdf.ts';
import type { VerificationOptions } from './verify-pdf.ts';

const world = await attackWorld();
const bases = await makeBases(world);
const trusted = world.options;
const nobody: VerificationOptions = { at: world.at, trust: { anchors: [], intermediates: [] } };

/** A document timestamp by hand, of the type given. */
function stampedAs(bytes: Uint8Array, type: string): Promise<Uint8Array> {
  const text = signatureText({ subFilter: 'ETSI.RFC3161' }).replace('/Type/Sig', `/Type/${type}`);
  const objects = {
    60: `<</Type/Annot/Subtype/Widget/FT/Sig/T(carimbo)/F 132/P 3 0 R/Rect[0 0 0 0]/V 61 0 R>>`,
    61: text,
    [at.form]: objectText(bytes, at.form).replace(/\/Fields ?\[/, '/Fields[60 0 R '),
    [at.page]: objectText(bytes, at.page).replace(/\/Annots ?\[/, '/Annots[60 0 R '),
  };
  return fillSignature(revise(bytes, { objects }), world.ana, ({ messageDigest }) =>
    requestTimestamp(world.timestamps, messageDigest, 'sha256', (length) => world.crypto.random(length)),
  );
}

async function stamped(timestamps = world.timestamps): Promise<Uint8Array> {
  const revision = await signPdf(await openPdf(memorySource(bases.table)), world.rui, {
    field: 'rui',
    signingTime: world.at,
    signatureTimestamp: timestamps,
    crypto: world.crypto,
  });
  return append(bases.table, revision);
}

async function extended(bytes: Uint8Array, level: 'B-T' | 'B-LT' | 'B-LTA'): Promise<Uint8Array> {
  const { timestamps, revocations, crypto } = world;
  return append(bytes, await extendPdf(await openPdf(memorySource(bytes)), level, { timestamps, revocations, at: world.at, crypto }));
}

async function levelOfRui(bytes: Uint8Array, options: VerificationOptions) {
  const { signatures } = await verifyPdf(await openPdf(memorySource(bytes)), options);
  const { level, notes } = signatures.find(({ fields }) => fields.includes('rui')) ?? assert.fail('not listed');
  return { level, isFormOnly: notes.includes('LEVEL_FORM_ONLY') };
}

test('a level is claimed as far as a chain was built, and without trust it is called the form only', async () => {
  const archived = await extended(await stamped(), 'B-LTA');
  assert.deepEqual(await levelOfRui(archived, trusted), { level: 'B-LTA', isFormOnly: false });
  assert.deepEqual(await levelOfRui(archived, nobody), { level: 'B-LTA', isFormOnly: true }, 'the file carries the root itself');
  // A timestamp authority whose root nobody sends along, and no issuers in the store: nobody knows what else would have to be proven.
  const root = await createRoot('Outra raiz', world.at);
  const authority = await issueTimestampCertificate(root, 'Outro carimbo', world.at);
  const key = await privateKeyOf(authority);
  const answer = timestampAuthority({ certificate: new Uint8Array(authority.certificate.rawData), chain: [], key }, () => world.at);
  const material = await world.revocations.material([]);
  const signed = await stamped({ timestamp: (request) => Promise.resolve(answer(request)) });
  const revocations = { material: () => Promise.resolve({ ...material, certificates: [] }) };
  const rootless = await append(
    signed,
    await extendPdf(await openPdf(memorySource(signed)), 'B-LT', { revocations, crypto: world.crypto }),
  );
  assert.deepEqual(await levelOfRui(rootless, nobody), { level: 'B-T', isFormOnly: true });
});

test('a document timestamp that came before the proofs makes no B-LTA', async () => {
  const early = await extended(await extended(await stamped(), 'B-T'), 'B-LT');
  assert.equal((await levelOfRui(early, trusted)).level, 'B-LT');
  assert.equal((await levelOfRui(await extended(early, 'B-T'), trusted)).level, 'B-LTA');
});

test('a document timestamp that calls itself a signature proves its time and makes no B-LTA', async () => {
  const kept = await extended(await stamped(), 'B-LT');
  for (const [type, level] of [
    ['DocTimeStamp', 'B-LTA'],
    ['Sig', 'B-LT'],
  ]) {
    const file = await stampedAs(kept, type ?? '');
    const { documentTimestamps } = await verifyPdf(await openPdf(memorySource(file)), trusted);
    assert.equal(documentTimestamps[0]?.indication, 'TOTAL-PASSED', type);
    assert.equal((await levelOfRui(file, trusted)).level, level, type);
  }
});

test('a document timestamp that does not hold fails itself and the whole, and takes nothing from the signatures before it', async () => {
  const copied = cms.find(({ name }) => name === 'document-timestamp-copied') ?? assert.fail('no such attack');
  const report = await verifyPdf(await openPdf(memorySource(await copied.make({ world, bases }))), trusted);
  assert.equal(report.signatures[0]?.indication, 'TOTAL-PASSED');
  assert.equal(report.documentTimestamps.at(-1)?.indication, 'TOTAL-FAILED');
  assert.equal(report.indication, 'TOTAL-FAILED');
});
