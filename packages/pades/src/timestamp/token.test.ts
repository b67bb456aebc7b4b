import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRoot, issueSignerCertificate, issueTimestampCertificate, privateKeyOf, timestampAuthority } from '@lavra/make-believe';
import type { Issuer } from '@lavra/make-believe';
import { readDer } from '../asn1/der.ts';
import { digestOf, platformCrypto } from '../crypto.ts';
import type { PadesError } from '../errors.ts';
import { checkTimestamp, readTimestampToken } from '../verify/check-timestamp.ts';
import { VerdictBuilder } from '../verify/report.ts';
import { requestTimestamp, tryTimestamps } from './timestamp.ts';

const root = await createRoot('Raiz');
const authority = await issueTimestampCertificate(root, 'Carimbo');
const imprint = await digestOf(platformCrypto, 'sha256', new TextEncoder().encode('o valor da assinatura'));
const der = ({ certificate }: Issuer): Uint8Array => new Uint8Array(certificate.rawData);

/** Asks an authority whose answer passes through other hands. */
async function ask(issuer: Issuer, options: { now?: () => Date; spoil?: (answer: Uint8Array) => Uint8Array } = {}): Promise<Uint8Array> {
  const answer = timestampAuthority({ certificate: der(issuer), chain: [der(root)], key: await privateKeyOf(issuer) }, options.now);
  const timestamp = (request: Uint8Array) => Promise.resolve((options.spoil ?? ((bytes) => bytes))(answer(request)));
  return requestTimestamp({ timestamp }, imprint, 'sha256', (length) => platformCrypto.random(length));
}

/** The last place where `part` stands, with a bit of its last byte turned. */
function turned(bytes: Uint8Array, part: Uint8Array): Uint8Array {
  const at = Buffer.from(bytes).lastIndexOf(part) + part.length - 1;
  assert.ok(at >= part.length - 1, 'the part is there');
  const copy = new Uint8Array(bytes);
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
}

const invalid = (reason: RegExp) => (error: PadesError) => error.code === 'TIMESTAMP_INVALID' && reason.test(error.message);

test('a token is embedded only when the verifier would find no fault and no doubt in it', async () => {
  const token = await ask(authority);
  const out = new VerdictBuilder();
  const certificate = await checkTimestamp(readTimestampToken(token), () => Promise.resolve(imprint), platformCrypto, out);
  assert.deepEqual([out.verdict.indication, out.verdict.reasons], ['TOTAL-PASSED', []]);
  assert.deepEqual(certificate?.der, der(authority));
});

test('a token that the verifier would doubt is refused with its reasons', async () => {
  const person = await issueSignerCertificate(root, 'Maria');
  await assert.rejects(ask(person), invalid(/TIMESTAMP_PURPOSE/));
  const late = new Date(authority.certificate.notAfter.getTime() + 1000);
  await assert.rejects(ask(authority, { now: () => late }), invalid(/CERTIFICATE_EXPIRED/));
  const signed = (answer: Uint8Array): Uint8Array => turned(answer, answer.subarray(-32));
  await assert.rejects(ask(authority, { spoil: signed }), invalid(/SIGNATURE_INVALID/));
  // The serial number's length and first byte stand in the content only: id-smime-ct-TSTInfo, then the policy.
  const policy = Uint8Array.of(0x06, 0x0a, 0x2b, 0x06, 0x01, 0x04, 0x01, 0x86, 0x8d, 0x1f, 0x01, 0x01);
  await assert.rejects(ask(authority, { spoil: (answer) => turned(answer, policy) }), invalid(/DIGEST_MISMATCH/));
});

test('a token over something else, or for another request, is refused', async () => {
  await assert.rejects(ask(authority, { spoil: (answer) => turned(answer, imprint) }), invalid(/TIMESTAMP_IMPRINT_MISMATCH/));
  const first: Uint8Array[] = [];
  await ask(authority, { spoil: (answer) => (first.push(answer), answer) });
  await assert.rejects(ask(authority, { spoil: () => first[0] ?? assert.fail() }), invalid(/another nonce/));
});

test('a token that is no DER is refused: it stands in a DER structure as it is', async () => {
  const token = await ask(authority);
  readDer(token);
  await assert.rejects(ask(authority, { spoil: (answer) => answer.subarray(0, -1) }), invalid(/not a timestamp response/));
  await assert.rejects(
    ask(authority, { spoil: () => Uint8Array.of(0x30, 0x07, 0x30, 0x03, 0x02, 0x01, 0x00, 0x30, 0x00) }),
    invalid(/cannot be read/),
  );
});

test('a source that names its anchors gives no token of an authority below none of them', async () => {
  const answer = timestampAuthority({ certificate: der(authority), chain: [], key: await privateKeyOf(authority) });
  const other = await createRoot('Outra raiz');
  const source = (anchor: Issuer, uses: readonly ('signature' | 'timestamp')[]) => ({
    timestamp: (request: Uint8Array) => Promise.resolve(answer(request)),
    trust: { anchors: [{ certificate: der(anchor), name: 'raiz', uses }], intermediates: [] },
  });
  await tryTimestamps(source(root, ['timestamp']));
  await assert.rejects(tryTimestamps(source(other, ['timestamp'])), invalid(/below none of the anchors/));
  await assert.rejects(tryTimestamps(source(root, ['signature'])), invalid(/below none of the anchors/));
});
