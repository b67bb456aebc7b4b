import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { createRoot, issueTimestampCertificate, privateKeyOf, timestampAuthority } from '@lavra/make-believe';
import { octetString, oid, sequence, tlv } from '../asn1/der.ts';
import { digestOids } from '../asn1/oids.ts';
import type { SignaturePolicy } from '../cms/signed-attributes.ts';
import { PadesError } from '../errors.ts';
import { openPdf } from '../open-pdf.ts';
import { inspectPdf } from '../inspect/inspect-pdf.ts';
import { PdfStream, isName } from '../pdf/objects.ts';
import type { PdfDict } from '../pdf/objects.ts';
import { catalogOf } from '../pdf/pages.ts';
import type { Pdf } from '../pdf/pdf.ts';
import { readPolicyHash } from '../policies/policy-hash.ts';
import { signPdf } from '../sign/sign-pdf.ts';
import { memorySource, readAll, withRevision } from '../source.ts';
import type { PdfSource } from '../source.ts';
import { simplePdf } from '../testing/make-pdf.ts';
import { throwawaySigner } from '../testing/throwaway-signer.ts';
import { hasTool, pdfsig, qpdf } from '../testing/tools.ts';
import { extendPdf } from './extend-pdf.ts';

const root = await createRoot('Raiz');
const authority = await issueTimestampCertificate(root, 'Carimbo');
const answer = timestampAuthority({
  certificate: new Uint8Array(authority.certificate.rawData),
  chain: [new Uint8Array(root.certificate.rawData)],
  key: await privateKeyOf(authority),
});
const timestamps = { timestamp: (request: Uint8Array) => Promise.resolve(answer(request)) };
const crl = Uint8Array.of(0x30, 0x03, 0x02, 0x01, 0x07);
const revocations = { material: () => Promise.resolve({ certificates: [], crls: [crl], ocsps: [] }) };

/** A policy file with the shape of ITI's, and how a signature refers to it. */
async function madeUpPolicy(number: number): Promise<{ der: Uint8Array; policy: SignaturePolicy }> {
  const dotted = `2.16.76.1.7.1.14.1.${number}`;
  const algorithm = sequence(oid(digestOids.sha256));
  const info = sequence(oid(dotted), tlv(0x18, new TextEncoder().encode('20250723000000Z')));
  const { hash } = await readPolicyHash(sequence(algorithm, info));
  const der = sequence(algorithm, info, octetString(hash));
  return { der, policy: { oid: dotted, hash, digest: 'sha256', needsTimestamp: true } };
}

async function signedUnder(base: PdfSource, name: string, policy?: SignaturePolicy): Promise<PdfSource> {
  const options = { field: { name }, signingTime: new Date(0), signatureTimestamp: timestamps, ...(policy ? { policy } : {}) };
  return withRevision(base, await signPdf(await openPdf(base), throwawaySigner(name, 'rsa2048'), options));
}

async function streamsIn(pdf: Pdf, entries: PdfDict | null, key: string): Promise<string[]> {
  const found: string[] = [];
  for (const item of (await pdf.resolveArray(entries?.get(key))) ?? []) {
    const stream = await pdf.resolve(item);
    assert.ok(stream instanceof PdfStream, `${key} holds streams`);
    found.push(Buffer.from((await pdf.streamData(stream)) ?? []).toString('hex'));
  }
  return found;
}

test('AD-RA keeps policy, list and its signature in the DSS and with the signature that refers to the policy', async () => {
  const { der, policy } = await madeUpPolicy(4);
  const first = await signedUnder(memorySource(simplePdf()), 'outra');
  const base = await signedUnder(first, 'ana', policy);
  const artifacts = { policy: der, approvedPolicies: Uint8Array.of(1, 2), approvedPoliciesSignature: Uint8Array.of(3) };
  const options = { timestamps, revocations, policyArtifacts: artifacts, at: new Date(0) };
  const file = withRevision(base, await extendPdf(await openPdf(base), 'B-LTA', options));
  const pdf = await openPdf(file);
  const store = await pdf.resolveDict((await catalogOf(pdf)).dict.get('DSS'));
  assert.ok(isName(store?.get('Type'), 'DSS'));
  const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
  assert.deepEqual(await streamsIn(pdf, store, 'PBAD_PolicyArtifacts'), [hex(der)]);
  assert.deepEqual(await streamsIn(pdf, store, 'PBAD_LpaArtifacts'), ['0102']);
  assert.deepEqual(await streamsIn(pdf, store, 'PBAD_LpaSignatures'), ['03']);
  const related = await pdf.resolveDict(store?.get('VRI'));
  const entries = await Promise.all([...(related?.values() ?? [])].map((entry) => pdf.resolveDict(entry)));
  assert.equal(entries.length, 2);
  const kept: string[][] = [];
  for (const entry of entries) {
    assert.ok(isName(entry?.get('Type'), 'VRI') && entry?.has('Cert') && entry.has('CRL') && entry.has('TU'));
    for (const key of ['PBAD_PolicyArtifact', 'PBAD_LpaArtifact', 'PBAD_LpaSignature']) kept.push(await streamsIn(pdf, entry, key));
  }
  assert.deepEqual(kept, [[], [], [], [hex(der)], ['0102'], ['03']]);
  const { signatures } = await inspectPdf(pdf);
  assert.deepEqual(
    signatures.map(({ kind }) => kind),
    ['signature', 'signature', 'timestamp'],
  );
  const bytes = await readAll(file);
  if (await hasTool('pdfsig')) assert.deepEqual(await pdfsig(bytes), { valid: 2, total: 1 });
  if (await hasTool('qpdf')) assert.equal((await qpdf(bytes)).code, 0);
});

test('artifacts that no signature asks for, or that come too late, are refused; with them an archive is renewed', async () => {
  const { der, policy } = await madeUpPolicy(4);
  const nothing = Uint8Array.of(0x30, 0);
  const policyArtifacts = { policy: der, approvedPolicies: nothing, approvedPoliciesSignature: nothing };
  const options = { timestamps, revocations, policyArtifacts };
  const refused = (error: PadesError): boolean => error.code === 'INVALID_PLAN';
  const plain = await signedUnder(memorySource(simplePdf()), 'ana');
  await assert.rejects(extendPdf(await openPdf(plain), 'B-LTA', options), refused);
  const base = await signedUnder(memorySource(simplePdf()), 'ana', policy);
  const without = withRevision(base, await extendPdf(await openPdf(base), 'B-LT', { revocations }));
  await assert.rejects(extendPdf(await openPdf(without), 'B-LTA', options), refused);
  const archived = withRevision(base, await extendPdf(await openPdf(base), 'B-LTA', options));
  const renewed = withRevision(archived, await extendPdf(await openPdf(archived), 'B-LTA', options));
  const store = await openPdf(renewed).then(async (pdf) => pdf.resolveDict((await catalogOf(pdf)).dict.get('DSS')));
  const kept = store?.get('PBAD_PolicyArtifacts');
  assert.ok(Array.isArray(kept) && kept.length === 1, 'kept once');
});

test('AD-RC is the same without the artifacts', async () => {
  const { policy } = await madeUpPolicy(3);
  const base = await signedUnder(memorySource(simplePdf()), 'ana', policy);
  const pdf = await openPdf(withRevision(base, await extendPdf(await openPdf(base), 'B-LTA', { timestamps, revocations })));
  const store = await pdf.resolveDict((await catalogOf(pdf)).dict.get('DSS'));
  assert.deepEqual([...(store?.keys() ?? [])].toSorted(), ['CRLs', 'Certs', 'Type', 'VRI']);
  const contents = (await inspectPdf(pdf)).signatures.map(({ subFilter }) => subFilter);
  assert.deepEqual(contents, ['ETSI.CAdES.detached', 'ETSI.RFC3161']);
});

test('artifacts that are no policy are refused, nothing is written', async () => {
  const base = await signedUnder(memorySource(simplePdf()), 'ana');
  const nothing = new Uint8Array(0);
  const policyArtifacts = { policy: createHash('sha256').digest(), approvedPolicies: nothing, approvedPoliciesSignature: nothing };
  const work = extendPdf(await openPdf(base), 'B-LTA', { timestamps, revocations, policyArtifacts });
  await assert.rejects(work, (error: PadesError) => error.code === 'POLICY_INVALID');
});
