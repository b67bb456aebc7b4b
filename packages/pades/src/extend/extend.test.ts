import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { createRoot, issueTimestampCertificate, privateKeyOf, timestampAuthority } from '@lavra/make-believe';
import { PadesError } from '../errors.ts';
import { openPdf } from '../open-pdf.ts';
import { listFields } from '../pdf/form.ts';
import { inspectPdf } from '../inspect/inspect-pdf.ts';
import { PdfStream, PdfString } from '../pdf/objects.ts';
import { catalogOf } from '../pdf/pages.ts';
import { preparePdf } from '../prepare/prepare-pdf.ts';
import { signPdf } from '../sign/sign-pdf.ts';
import { memorySource, readAll, withRevision } from '../source.ts';
import type { PdfSource, Revision } from '../source.ts';
import { simplePdf } from '../testing/make-pdf.ts';
import { throwawaySigner } from '../testing/throwaway-signer.ts';
import { hasTool, pdfsig, qpdf } from '../testing/tools.ts';
import { extendPdf } from './extend-pdf.ts';
import { askForMaterial } from './security-store.ts';

const root = await createRoot('Raiz');
const authority = await issueTimestampCertificate(root, 'Carimbo');
const answer = timestampAuthority({
  certificate: new Uint8Array(authority.certificate.rawData),
  chain: [new Uint8Array(root.certificate.rawData)],
  key: await privateKeyOf(authority),
});
const timestamps = { timestamp: (request: Uint8Array) => Promise.resolve(answer(request)) };
const crl = Uint8Array.of(0x30, 0x03, 0x02, 0x01, 0x07);
const revocations = {
  material: () => Promise.resolve({ certificates: [], crls: [crl], ocsps: [] }),
};

async function append(base: PdfSource, revision: Promise<Revision>): Promise<PdfSource> {
  const bytes = await readAll(withRevision(base, await revision));
  assert.deepEqual(bytes.subarray(0, base.size), await readAll(base));
  return memorySource(bytes);
}

async function signed(form: 'table' | 'stream'): Promise<PdfSource> {
  const original = memorySource(simplePdf({ form }));
  const base = await append(original, preparePdf(await openPdf(original), { signatureFields: [{ name: 'ana' }] }));
  const options = { field: 'ana', signingTime: new Date(0), signatureTimestamp: timestamps };
  return append(base, signPdf(await openPdf(base), throwawaySigner('Ana'), options));
}

for (const form of ['table', 'stream'] as const) {
  test(`a signed file (${form}) becomes B-LTA by appending, and can be renewed`, async () => {
    let file = await signed(form);
    for (const round of [1, 2]) {
      file = await append(file, extendPdf(await openPdf(file), 'B-LTA', { timestamps, revocations }));
      const pdf = await openPdf(file);
      const { signatures } = await inspectPdf(pdf);
      assert.deepEqual(
        signatures.map(({ kind }) => kind),
        ['signature', ...Array.from({ length: round }, () => 'timestamp')],
      );
      const store = await pdf.resolveDict((await catalogOf(pdf)).dict.get('DSS'));
      const related = await pdf.resolveDict(store?.get('VRI'));
      const keys = await Promise.all(
        (await listFields(pdf)).slice(0, round).map(async (field) => {
          const value = await pdf.resolveDict(field.value);
          const contents = value?.get('Contents');
          assert.ok(contents instanceof PdfString);
          return createHash('sha1').update(contents.bytes).digest('hex').toUpperCase();
        }),
      );
      assert.deepEqual([...(related?.keys() ?? [])], keys);
      const crls = (await pdf.resolveArray(store?.get('CRLs'))) ?? [];
      assert.equal(crls.length, 1, 'the same list is stored once');
      const stream = await pdf.resolve(crls[0]);
      assert.ok(stream instanceof PdfStream);
      assert.deepEqual(await pdf.streamData(stream), crl);
    }
    const bytes = await readAll(file);
    if (await hasTool('pdfsig')) assert.deepEqual(await pdfsig(bytes), { valid: 1, total: 1 });
    if (await hasTool('qpdf')) assert.equal((await qpdf(bytes)).code, 0);
  });
}

test('what extending will ask for can be asked before: of every signature that has nothing stored, and of no other', async () => {
  const asked: string[] = [];
  const noting = {
    material: (certificates: readonly Uint8Array[]) => {
      asked.push(certificates.map((der) => Buffer.from(der).toString('base64')).join());
      return revocations.material();
    },
  };
  const file = await signed('stream');
  await askForMaterial(await openPdf(file), noting);
  const before = asked.splice(0);
  const extended = await append(file, extendPdf(await openPdf(file), 'B-LT', { revocations: noting }));
  assert.ok(before.length === 1 && before[0] !== '');
  assert.deepEqual(asked.splice(0), before);
  await askForMaterial(await openPdf(extended), noting);
  assert.deepEqual(asked, []);
  const away = { material: () => Promise.reject(new PadesError('REVOCATION_UNAVAILABLE')) };
  await assert.rejects(askForMaterial(await openPdf(file), away), { code: 'REVOCATION_UNAVAILABLE' });
});

test('what was had before is not asked for again, and what came meanwhile is', async () => {
  let asked = 0;
  const counting = {
    material: () => {
      asked += 1;
      return revocations.material();
    },
  };
  const file = await signed('stream');
  const had = await askForMaterial(await openPdf(file), counting);
  assert.equal(asked, 1);
  const extended = await append(file, extendPdf(await openPdf(file), 'B-LT', { revocations: had }));
  assert.equal(asked, 1);
  const anew = await append(file, extendPdf(await openPdf(file), 'B-LT', { revocations: counting }));
  assert.equal(extended.size, anew.size);
  await had.material([Uint8Array.of(0x30, 0x00)]);
  assert.equal(asked, 3);
});

test('a level whose sources are missing, or a file without signatures, is refused', async () => {
  const pdf = await openPdf(await signed('table'));
  const code = async (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'none',
      (error: unknown) => (error instanceof PadesError ? error.code : String(error)),
    );
  assert.equal(await code(extendPdf(pdf, 'B-LTA', { timestamps })), 'INVALID_PLAN');
  assert.equal(await code(extendPdf(pdf, 'B-T', { revocations })), 'INVALID_PLAN');
  const plain = await openPdf(memorySource(simplePdf()));
  assert.equal(await code(extendPdf(plain, 'B-LT', { revocations })), 'INVALID_PLAN');
});

test('a timestamp that answers for something else, or refuses, is not embedded', async () => {
  const pdf = await openPdf(await signed('table'));
  const other = { timestamp: (request: Uint8Array) => timestamps.timestamp(spoil(request)) };
  await assert.rejects(extendPdf(pdf, 'B-T', { timestamps: other }), (error: PadesError) => error.code === 'TIMESTAMP_INVALID');
  const refusing = { timestamp: () => timestamps.timestamp(Uint8Array.of(1)) };
  await assert.rejects(extendPdf(pdf, 'B-T', { timestamps: refusing }), (error: PadesError) => error.code === 'TIMESTAMP_REFUSED');
});

/** The request with one bit of the imprint turned: it is the first OCTET STRING of 32 bytes. */
function spoil(request: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(request);
  const at = copy.findIndex((byte, i) => byte === 4 && copy[i + 1] === 32);
  copy[at + 2] = (copy[at + 2] ?? 0) ^ 1;
  return copy;
}

test('the room for a timestamp is what the last one measured and little more, and a wrong measure costs another token, never the signature', async () => {
  const original = memorySource(simplePdf());
  const base = await append(original, preparePdf(await openPdf(original), { signatureFields: [{ name: 'ana' }] }));
  const emptyBytes = async (tokenBytes: number | undefined, kind: 'p256' | 'rsa2048'): Promise<{ empty: number; asked: number }> => {
    let asked = 0;
    const source = { tokenBytes, timestamp: (request: Uint8Array) => ((asked += 1), timestamps.timestamp(request)) };
    const options = { field: 'ana', signingTime: new Date(0), signatureTimestamp: source };
    const ana = await append(base, signPdf(await openPdf(base), throwawaySigner('Ana', kind), options));
    const file = await append(ana, extendPdf(await openPdf(ana), 'B-LTA', { timestamps: source, revocations }));
    const bytes = await readAll(file);
    if (await hasTool('pdfsig')) assert.equal((await pdfsig(bytes)).valid, 1);
    // Zeros that fill a Contents up: two hexadecimal digits a byte.
    const fillings = Buffer.from(bytes)
      .toString('latin1')
      .matchAll(/(?:00){64,}>/g);
    return { empty: [...fillings].reduce((sum, [zeros]) => sum + (zeros.length - 1) / 2, 0), asked };
  };
  const token = (
    await timestamps.timestamp(
      Uint8Array.from(Buffer.from('MDkCAQEwMTANBglghkgBZQMEAgEFAAQgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABAf8=', 'base64')),
    )
  ).length;
  for (const kind of ['p256', 'rsa2048'] as const) {
    const unknown = await emptyBytes(undefined, kind);
    assert.ok(unknown.empty > 20_000 && unknown.asked === 2, JSON.stringify(unknown));
    const measured = await emptyBytes(token, kind);
    assert.ok(measured.empty < 1500 && measured.asked === 2, JSON.stringify(measured));
    const wrong = await emptyBytes(700, kind);
    assert.ok(wrong.asked > 2, JSON.stringify(wrong));
  }
});
