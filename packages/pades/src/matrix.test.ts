/**
 * Every level, kind of key and kind of file, judged by programs that share no code with this package: `pdfsig` (poppler,
 * NSS), `qpdf --check`, `openssl cms -verify -cades` and `openssl ts -verify`. Ed25519: poppler's pdfsig does not know
 * it and OpenSSL before 3.2 not inside a CMS, so there OpenSSL judges the value over the signed attributes.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { createRoot, issueTimestampCertificate, privateKeyOf, timestampAuthority } from '@lavra/make-believe';
import { child, encoded, readDer } from './asn1/der.ts';
import { extendPdf } from './extend/extend-pdf.ts';
import { openPdf } from './open-pdf.ts';
import { catalogOf } from './pdf/pages.ts';
import { signPdf } from './sign/sign-pdf.ts';
import type { Signer } from './sign/sign-pdf.ts';
import { memorySource, readAll, withRevision } from './source.ts';
import type { Revision } from './source.ts';
import { extractSignatures, messageDigestOf, signerInfoOf } from './testing/extract.ts';
import { fileKinds } from './testing/file-kinds.ts';
import { throwawaySigner } from './testing/throwaway-signer.ts';
import type { ThrowawayKind } from './testing/throwaway-signer.ts';
import { hasTool, opensslCades, opensslEd25519, opensslTimestamp, pdfsig, qpdf } from './testing/tools.ts';

const root = await createRoot('Raiz');
const rootDer = new Uint8Array(root.certificate.rawData);
const authority = await issueTimestampCertificate(root, 'Carimbo');
const answer = timestampAuthority({
  certificate: new Uint8Array(authority.certificate.rawData),
  chain: [rootDer],
  key: await privateKeyOf(authority),
});
const timestamps = { timestamp: (request: Uint8Array) => Promise.resolve(answer(request)) };
const crl = Uint8Array.of(0x30, 0x03, 0x02, 0x01, 0x07);
const revocations = { material: () => Promise.resolve({ certificates: [], crls: [crl], ocsps: [] }) };

const tools = await Promise.all(['pdfsig', 'qpdf', 'openssl'].map(hasTool));
const [hasPdfsig, hasQpdf, hasOpenssl] = tools;

async function judge(bytes: Uint8Array, signer: Signer, kind: ThrowawayKind, wants: { timestamps: number; store: boolean }): Promise<void> {
  const found = extractSignatures(bytes);
  const [signature, ...stamps] = found;
  assert.ok(signature && !signature.timestamp);
  assert.equal(stamps.length, wants.store && wants.timestamps > 1 ? 1 : 0);
  const info = signerInfoOf(signature.cms);
  const tokens = stamps.map(({ cms, content }) => [cms, content] as const);
  if (info.unsignedAttributes !== null) {
    const token = child(child(child(readDer(info.unsignedAttributes), 0, 0x30), 1, 0x31), 0);
    tokens.unshift([encoded(token), info.signatureValue]);
  }
  assert.equal(tokens.length, wants.timestamps);
  const pdf = await openPdf(memorySource(bytes));
  assert.equal((await catalogOf(pdf)).dict.has('DSS'), wants.store);
  const edwards = kind === 'ed25519';
  const work: Promise<void>[] = [];
  // At B-LT the last revision is the DSS, which no signature covers yet.
  const total = wants.store && wants.timestamps === 1 ? 0 : 1;
  if (hasPdfsig && !edwards) work.push(pdfsig(bytes).then((said) => assert.deepEqual(said, { valid: 1, total })));
  if (hasQpdf) work.push(qpdf(bytes).then((said) => assert.deepEqual(said, { code: 0, pages: 1 })));
  if (hasOpenssl) {
    const value = edwards
      ? opensslEd25519(signer.certificate, info.signedAttributes, info.signatureValue)
      : opensslCades(signature.cms, signature.content, [signer.certificate]);
    work.push(value.then(({ code, output }) => assert.equal(code, 0, output)));
    for (const [token, data] of tokens) {
      work.push(opensslTimestamp(token, data, [rootDer]).then(({ code, output }) => assert.equal(code, 0, output)));
    }
  }
  if (edwards) {
    assert.deepEqual(messageDigestOf(info.signedAttributes), new Uint8Array(createHash('sha512').update(signature.content).digest()));
  }
  await Promise.all(work);
}

async function climb(original: Uint8Array, kind: ThrowawayKind, signer: Signer): Promise<void> {
  const append = async (base: Uint8Array, revise: (pdf: Awaited<ReturnType<typeof openPdf>>) => Promise<Revision>): Promise<Uint8Array> => {
    const source = memorySource(base);
    const bytes = await readAll(withRevision(source, await revise(await openPdf(source))));
    assert.equal(Buffer.compare(bytes.subarray(0, base.length), base), 0, 'the base is an exact prefix');
    return bytes;
  };
  const options = { field: 'ana', signingTime: new Date(0), appearance: { text: 'Ana Conceição' } };
  const digest = kind === 'rsa3072' || kind === 'rsa4096' ? { digest: 'sha512' as const } : {};
  const basic = await append(original, (pdf) => signPdf(pdf, signer, { ...options, ...digest }));
  const timed = await append(original, (pdf) => signPdf(pdf, signer, { ...options, ...digest, signatureTimestamp: timestamps }));
  const longTerm = await append(timed, (pdf) => extendPdf(pdf, 'B-LT', { revocations }));
  const archived = await append(timed, (pdf) => extendPdf(pdf, 'B-LTA', { revocations, timestamps }));
  await Promise.all([
    judge(basic, signer, kind, { timestamps: 0, store: false }),
    judge(timed, signer, kind, { timestamps: 1, store: false }),
  ]);
  await Promise.all([
    judge(longTerm, signer, kind, { timestamps: 1, store: true }),
    judge(archived, signer, kind, { timestamps: 2, store: true }),
  ]);
}

for (const kind of ['rsa2048', 'rsa3072', 'p256', 'p384', 'p521', 'ed25519'] as const) {
  test(`${kind} signs every kind of file at B-B, B-T, B-LT and B-LTA, as strangers see it`, async (t) => {
    if (tools.includes(false)) t.diagnostic('some judges are missing');
    const signer = throwawaySigner('Ana', kind);
    for (const original of Object.values(fileKinds)) await climb(original, kind, signer);
  });
}

test('rsa4096 with SHA-512, once', async () => {
  await climb(fileKinds['object streams'], 'rsa4096', throwawaySigner('Ana', 'rsa4096'));
});
