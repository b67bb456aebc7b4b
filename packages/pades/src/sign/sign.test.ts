import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { PadesError } from '../errors.ts';
import { openPdf } from '../open-pdf.ts';
import { inspectPdf } from '../inspect/inspect-pdf.ts';
import { latin1Text } from '../pdf/objects.ts';
import { preparePdf } from '../prepare/prepare-pdf.ts';
import { memorySource, readAll, withRevision } from '../source.ts';
import type { PdfSource } from '../source.ts';
import { simplePdf } from '../testing/make-pdf.ts';
import { throwawaySigner } from '../testing/throwaway-signer.ts';
import { hasTool, pdfsig } from '../testing/tools.ts';
import { fromBase64 } from '../base64.ts';
import { completeSignature } from './complete-signature.ts';
import { prepareSignature } from './prepare-signature.ts';
import type { PreparedSignature, SignatureRequest } from './request.ts';
import { signPdf } from './sign-pdf.ts';

const signer = throwawaySigner('João Conceição');
const signingTime = new Date('2026-03-04T05:06:07Z');
const rect = { x: 50, y: 60, width: 150, height: 75 };

function request(field: SignatureRequest['field'], more: Partial<SignatureRequest> = {}): SignatureRequest {
  return { field, certificate: signer.certificate, chain: signer.chain, signingTime, ...more };
}

async function withFields(...names: string[]): Promise<PdfSource> {
  const base = memorySource(simplePdf());
  const revision = await preparePdf(await openPdf(base), {
    signatureFields: names.map((name) => ({ name, at: { page: 1, rect } })),
    textFields: [{ name: 'box', at: { page: 1, rect } }],
  });
  return memorySource(await readAll(withRevision(base, revision)));
}

async function codeOf(work: () => Promise<unknown>): Promise<PadesError> {
  try {
    await work();
  } catch (error) {
    assert.ok(error instanceof PadesError, String(error));
    return error;
  }
  throw new Error('nothing was refused');
}

test('a prepared signature survives JSON, waits, and is completed by a value made elsewhere', async () => {
  const base = await withFields('ana');
  const prepared = await prepareSignature(await openPdf(base), request('ana'));
  const stored = JSON.parse(JSON.stringify(prepared)) as PreparedSignature;
  const attributes = fromBase64(stored.signedAttributes);
  assert.deepEqual(fromBase64(stored.toBeSigned), new Uint8Array(createHash('sha256').update(attributes).digest()));
  const revision = await completeSignature(stored, await signer.sign(attributes, 'sha256'));
  const bytes = await readAll(withRevision(base, revision));
  assert.deepEqual(bytes.subarray(0, base.size), await readAll(base));
  assert.equal(latin1Text(bytes.subarray(stored.byteRange[1], stored.byteRange[1] + 1)), '<');
  assert.equal(latin1Text(bytes.subarray(stored.byteRange[2] - 1, stored.byteRange[2])), '>');
  assert.equal(stored.byteRange[2] + stored.byteRange[3], bytes.length);
  if (await hasTool('pdfsig')) assert.deepEqual(await pdfsig(bytes), { valid: 1, total: 1 });
});

test('several signers sign one after the other and every signature stays valid', async () => {
  let source = await withFields('ana', 'rui');
  for (const field of ['ana', 'rui']) {
    const rsa = throwawaySigner(field, field === 'rui' ? 'rsa2048' : 'p256');
    const revision = await signPdf(await openPdf(source), rsa, {
      field,
      signingTime,
      digest: field === 'rui' ? 'sha512' : 'sha256',
      ...(field === 'ana' ? { fills: [{ field: 'box', value: 'Ana', appearance: { text: 'Ana' } }] } : {}),
    });
    source = memorySource(await readAll(withRevision(source, revision)));
  }
  const { signatures } = await inspectPdf(await openPdf(source));
  assert.deepEqual(
    signatures.map(({ name, signed }) => [name, signed]),
    [
      ['ana', true],
      ['rui', true],
    ],
  );
  if (await hasTool('pdfsig')) assert.deepEqual(await pdfsig(await readAll(source)), { valid: 2, total: 1 });
});

test('a value that does not belong to the certificate is refused before it reaches the file', async () => {
  const base = await withFields('ana');
  const prepared = await prepareSignature(await openPdf(base), request('ana'));
  const attributes = fromBase64(prepared.signedAttributes);
  const foreign = await throwawaySigner('Other').sign(attributes, 'sha256');
  assert.equal((await codeOf(() => completeSignature(prepared, foreign))).code, 'SIGNATURE_MISMATCH');
  const other = await signer.sign(attributes.subarray(1), 'sha256');
  assert.equal((await codeOf(() => completeSignature(prepared, other))).code, 'SIGNATURE_MISMATCH');
  assert.equal((await codeOf(() => completeSignature(prepared, new Uint8Array(3)))).code, 'SIGNATURE_MISMATCH');
});

test('a signature larger than its room is refused with the room it needs, which is then enough', async () => {
  const base = await withFields('ana');
  const attempt = async (reserve: number): Promise<void> => {
    const prepared = await prepareSignature(await openPdf(base), request('ana', { reserve }));
    const value = await signer.sign(fromBase64(prepared.signedAttributes), 'sha256');
    await completeSignature(prepared, value);
  };
  const error = await codeOf(() => attempt(100));
  assert.equal(error.code, 'RESERVE_TOO_SMALL');
  // An ECDSA value is a byte or two longer or shorter each time.
  await attempt(Number(error.details['needed']) + 4);
});

test('refuses fields that are missing, signed already, of another kind, or locked', async () => {
  const base = await withFields('ana', 'rui');
  const code = async (source: PdfSource, field: string): Promise<string> =>
    (await codeOf(async () => prepareSignature(await openPdf(source), request(field)))).code;
  assert.equal(await code(base, 'nobody'), 'FIELD_NOT_FOUND');
  assert.equal(await code(base, 'box'), 'FIELD_TYPE_MISMATCH');
  const lock = { action: 'Include' as const, fields: ['rui'], level: null };
  const revision = await signPdf(await openPdf(base), signer, {
    field: { name: 'eva', lock },
    signingTime,
  });
  const locked = withRevision(base, revision);
  assert.equal(await code(locked, 'eva'), 'FIELD_ALREADY_SIGNED');
  assert.equal(await code(locked, 'rui'), 'FIELD_LOCKED');
  await prepareSignature(await openPdf(locked), request('ana'));
});

test('a lock of level 1 closes the document', async () => {
  const base = await withFields('ana');
  const lock = { action: 'All' as const, fields: [], level: 1 as const };
  const revision = await signPdf(await openPdf(base), signer, {
    field: { name: 'last', lock },
    signingTime,
  });
  const error = await codeOf(async () => prepareSignature(await openPdf(withRevision(base, revision)), request('ana')));
  assert.equal(error.code, 'CERTIFIED_NO_CHANGES');
});

test('the file is read in pieces of at most 1 MiB', async () => {
  const data = 'x'.repeat(5 << 20);
  const stream = `<</Length ${data.length}>>\nstream\n${data}\nendstream`;
  const large = simplePdf({
    catalog: '/AcroForm<</Fields[5 0 R]>>',
    more: [stream, '<</FT/Sig/T(ana)/Rect[0 0 0 0]/Subtype/Widget/P 3 0 R>>'],
  });
  const asked: number[] = [];
  const source: PdfSource = {
    size: large.length,
    read: async (offset, length) => {
      asked.push(length);
      return large.subarray(offset, offset + length);
    },
  };
  await prepareSignature(await openPdf(source), request('ana'));
  assert.ok(Math.max(...asked) <= 1 << 20);
  assert.ok(asked.reduce((sum, length) => sum + length, 0) < large.length * 1.1);
});

test('the signature dictionary says who, when and why, but no reason beside a policy', async () => {
  const base = await withFields('ana');
  const text = async (more: Partial<SignatureRequest>): Promise<string> => {
    const prepared = await prepareSignature(await openPdf(base), request('ana', more));
    return latin1Text(fromBase64(prepared.revision));
  };
  const plain = await text({ name: 'Ana', reason: 'Acordo', location: 'Recife' });
  assert.match(plain, /\/M \(D:20260304050607Z\)/);
  assert.match(plain, /\/Name \(Ana\)/);
  assert.match(plain, /\/Reason \(Acordo\)/);
  assert.match(plain, /\/Location \(Recife\)/);
  assert.match(plain, /\/SubFilter \/ETSI\.CAdES\.detached/);
});
