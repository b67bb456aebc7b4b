import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRoot, issueTimestampCertificate, privateKeyOf, timestampAuthority } from '@lavra/make-believe';
import { child, children, contentOf, encoded, oid, readDer } from '../asn1/der.ts';
import { PadesError } from '../errors.ts';
import { openPdf } from '../open-pdf.ts';
import { latin1Text } from '../pdf/objects.ts';
import { adRa14, adRb13, adRc14, adRt13 } from '../policies/icp-brasil.ts';
import { memorySource, readAll, withRevision } from '../source.ts';
import { extractSignatures, signerInfoOf } from '../testing/extract.ts';
import { simplePdf } from '../testing/make-pdf.ts';
import { throwawaySigner } from '../testing/throwaway-signer.ts';
import { hasTool, pdfsig } from '../testing/tools.ts';
import { completeSignature } from './complete-signature.ts';
import { prepareSignature } from './prepare-signature.ts';
import { fromBase64 } from '../base64.ts';
import { signPdf } from './sign-pdf.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const root = await createRoot('Raiz');
const authority = await issueTimestampCertificate(root, 'Carimbo');
const answer = timestampAuthority({
  certificate: new Uint8Array(authority.certificate.rawData),
  chain: [new Uint8Array(root.certificate.rawData)],
  key: await privateKeyOf(authority),
});
const timestamps = { timestamp: (request: Uint8Array) => Promise.resolve(answer(request)) };
const signer = throwawaySigner('Ana', 'rsa2048');
const base = memorySource(simplePdf());
const common = { field: { name: 'ana' }, signingTime: new Date(0) };

const attribute = {
  contentType: hex(oid('1.2.840.113549.1.9.3')),
  messageDigest: hex(oid('1.2.840.113549.1.9.4')),
  signaturePolicy: hex(oid('1.2.840.113549.1.9.16.2.15')),
  signingCertificateV2: hex(oid('1.2.840.113549.1.9.16.2.47')),
  signatureTimestamp: hex(oid('1.2.840.113549.1.9.16.2.14')),
};

function types(attributes: Uint8Array): string[] {
  return children(readDer(attributes)).map((item) => hex(encoded(child(item, 0, 0x06))));
}

for (const [name, policy] of Object.entries({ adRb13, adRt13, adRc14, adRa14 })) {
  test(`under ${name} the signature carries the four attributes the policy allows, its hash, and no reason`, async () => {
    const revision = await signPdf(await openPdf(base), signer, {
      ...common,
      policy,
      reason: 'Acordo',
      ...(policy.needsTimestamp ? { signatureTimestamp: timestamps } : {}),
    });
    const file = await readAll(withRevision(base, revision));
    const [found] = extractSignatures(file);
    assert.ok(found);
    const info = signerInfoOf(found.cms);
    const { contentType, messageDigest, signaturePolicy, signingCertificateV2, signatureTimestamp } = attribute;
    const wanted = [contentType, messageDigest, signaturePolicy, signingCertificateV2];
    assert.deepEqual(types(info.signedAttributes).toSorted(), wanted.toSorted());
    assert.deepEqual(info.unsignedAttributes && types(info.unsignedAttributes), policy.needsTimestamp ? [signatureTimestamp] : null);
    // SEQUENCE { SEQUENCE { sha256, parameters absent }, OCTET STRING signPolicyHash }
    assert.ok(hex(info.signedAttributes).includes(`302f300b06096086480165030402010420${hex(policy.hash)}`));
    const said = latin1Text(revision.bytes);
    assert.match(said, /\/SubFilter \/ETSI\.CAdES\.detached/);
    assert.match(said, /\/M \(D:19700101000000Z\)/);
    assert.doesNotMatch(said, /\/Reason|\/Cert\b/);
    if (await hasTool('pdfsig')) assert.deepEqual(await pdfsig(file), { valid: 1, total: 1 });
  });
}

test('a policy that demands a timestamp is not signed without one, in one step or in two', async () => {
  const code = (error: PadesError): boolean => error.code === 'INVALID_PLAN';
  await assert.rejects(signPdf(await openPdf(base), signer, { ...common, policy: adRt13 }), code);
  const { certificate, chain } = signer;
  const prepared = await prepareSignature(await openPdf(base), { ...common, certificate, chain, policy: adRa14 });
  const value = await signer.sign(fromBase64(prepared.signedAttributes), prepared.digest);
  await assert.rejects(completeSignature(JSON.parse(JSON.stringify(prepared)), value), code);
});

test('a digest that the policy does not list is refused before anything is signed', async () => {
  const signing = signPdf(await openPdf(base), signer, { ...common, policy: adRb13, digest: 'sha384' });
  await assert.rejects(signing, (error: PadesError) => error.code === 'UNSUPPORTED_ALGORITHM');
});

test('room that turns out too small grows: the signature is made again and nothing is cut', async () => {
  let asked = 0;
  const counting = { ...signer, sign: (...given: Parameters<typeof signer.sign>) => signer.sign(...given).finally(() => asked++) };
  const revision = await signPdf(await openPdf(base), counting, { ...common, reserve: 64, signatureTimestamp: timestamps });
  assert.equal(asked, 2);
  const file = await readAll(withRevision(base, revision));
  const [found] = extractSignatures(file);
  assert.ok(found && found.cms.length > 64);
  assert.equal(contentOf(child(readDer(found.cms), 0, 0x06)).length, 9);
  if (await hasTool('pdfsig')) assert.deepEqual(await pdfsig(file), { valid: 1, total: 1 });
  const absurd = signPdf(await openPdf(base), signer, { ...common, reserve: 1e9 });
  await assert.rejects(absurd, (error: PadesError) => error.code === 'INVALID_PLAN');
});
