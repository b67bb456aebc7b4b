import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { extendPdf } from '../extend/extend-pdf.ts';
import { platformCrypto } from '../crypto.ts';
import { openPdf } from '../open-pdf.ts';
import { dict, PdfName } from '../pdf/objects.ts';
import { adRa14, adRb13, adRc14, adRt13, knownPolicies } from '../policies/icp-brasil.ts';
import type { SignaturePolicy } from '../cms/signed-attributes.ts';
import { signPdf } from '../sign/sign-pdf.ts';
import { memorySource, readAll, withRevision } from '../source.ts';
import { attackWorld } from '../testing/attacks/world.ts';
import { simplePdf } from '../testing/make-pdf.ts';
import { parseCertificate } from '../x509/certificate.ts';
import { checkPolicy } from './check-policy.ts';
import type { PolicyClaim } from './check-policy.ts';
import { lacksOfArchive } from './policy-archive.ts';
import { VerdictBuilder } from './report.ts';
import { verifyPdf } from './verify-pdf.ts';
import { findSignatures } from './find-signatures.ts';
import { parseSignedData } from '../cms/read-signed-data.ts';

const folder = process.env['LAVRA_POLICIES'] ?? resolve(import.meta.dirname, '../../../../../shared/icp-brasil/policies');
const world = await attackWorld();
const extension = { timestamps: world.timestamps, revocations: world.revocations };

async function signed(policy: SignaturePolicy, signingTime = world.at): Promise<Uint8Array> {
  const base = memorySource(simplePdf());
  const stamps = policy.needsTimestamp ? { signatureTimestamp: world.timestamps } : {};
  return readAll(
    withRevision(base, await signPdf(await openPdf(base), world.ana, { field: { name: 'a' }, signingTime, policy, ...stamps })),
  );
}

async function extended(bytes: Uint8Array, level: 'B-T' | 'B-LT' | 'B-LTA'): Promise<Uint8Array> {
  const base = memorySource(bytes);
  return readAll(withRevision(base, await extendPdf(await openPdf(base), level, extension)));
}

async function reported(bytes: Uint8Array) {
  const [one] = (await verifyPdf(await openPdf(memorySource(bytes)), world.options)).signatures;
  assert.equal(one?.indication, 'TOTAL-PASSED');
  return [one.policy?.name, one.policy?.status, ...(one.policy?.reasons ?? [])];
}

/** A claim in which everything is as AD-RB 1.3 asks. */
async function claimOf(change: Partial<PolicyClaim> = {}): Promise<PolicyClaim> {
  const [found] = await findSignatures(await openPdf(memorySource(await signed(adRb13))));
  assert.ok(found);
  const [signer] = parseSignedData(found.contents).signers;
  assert.ok(signer);
  return {
    dict: found.dict,
    signer,
    certificate: parseCertificate(world.ana.certificate),
    timestamps: [],
    time: new Date('2026-03-01'),
    roots: ['v12'],
    lacksOfArchive: () => Promise.resolve([]),
    ...change,
  };
}

async function answerTo(claim: PolicyClaim): Promise<unknown[]> {
  const out = new VerdictBuilder();
  const report = await checkPolicy(claim, out);
  return [out.verdict.indication, report?.status, ...(report?.reasons ?? [])];
}

test('a signature that does all its policy asks matches it', async () => {
  assert.deepEqual(await answerTo(await claimOf()), ['TOTAL-PASSED', 'matches']);
});

test('period, algorithm, key size, entries and root are told in the policy’s report and leave the verdict alone', async () => {
  const cases: [Partial<PolicyClaim>, string][] = [
    [{ time: new Date('2025-07-22T23:59:59Z') }, 'POLICY_PERIOD'],
    [{ time: new Date('2037-10-22T00:00:01Z') }, 'POLICY_PERIOD'],
    [{ time: null }, 'POLICY_PERIOD'],
    [{ dict: dict({ Cert: new PdfName('x') }) }, 'POLICY_ENTRY_FORBIDDEN'],
    [{ roots: ['v12', 'v2'] }, 'POLICY_ROOT'],
    [{ roots: [null] }, 'POLICY_ROOT'],
    [{ certificate: null }, 'POLICY_ALGORITHM'],
  ];
  for (const [change, reason] of cases) assert.deepEqual(await answerTo(await claimOf(change)), ['TOTAL-PASSED', 'violated', reason]);
  const { signer } = await claimOf();
  const odd = [
    { ...signer, digest: 'sha384' as const },
    { ...signer, algorithm: { kind: 'rsa-pss' as const, hash: 'sha256' as const } },
    { ...signer, algorithm: { kind: 'plain-ecdsa' as const, hash: 'sha256' as const } },
    { ...signer, algorithm: { kind: 'rsa' as const, hash: 'sha256' as const } },
  ];
  for (const one of odd) {
    assert.deepEqual(await answerTo(await claimOf({ signer: one })), ['TOTAL-PASSED', 'violated', 'POLICY_ALGORITHM'], one.algorithm?.kind);
  }
});

test('a policy no longer approved is none for what is signed later', async () => {
  const old = knownPolicies.get('2.16.76.1.7.1.11.1.2');
  assert.ok(old?.revoked);
  const policy = { ...adRb13, oid: old.oid, hash: Uint8Array.from(Buffer.from(old.hash, 'hex')) };
  assert.deepEqual(await reported(await signed(policy)), ['AD-RB 1.2', 'violated', 'POLICY_PERIOD', 'POLICY_ROOT']);
});

test('the time that counts is the proven one, else the claimed one', async () => {
  const long = new Date('2020-01-01');
  assert.deepEqual(await reported(await signed(adRb13, long)), ['AD-RB 1.3', 'violated', 'POLICY_PERIOD', 'POLICY_ROOT']);
  assert.deepEqual(await reported(await signed(adRt13, long)), ['AD-RT 1.3', 'violated', 'POLICY_ROOT']);
});

test('AD-RC asks for a DSS with VRI and a document timestamp over it, AD-RA for the artifacts too', async () => {
  const base = await signed(adRc14);
  const store = 'POLICY_STORE_INCOMPLETE';
  const archive = 'POLICY_ARCHIVE_MISSING';
  const lacks = async (bytes: Uint8Array) => (await reported(bytes)).slice(3);
  assert.deepEqual(await lacks(base), [store, archive]);
  assert.deepEqual(await lacks(await extended(base, 'B-T')), [store]);
  assert.deepEqual(await lacks(await extended(base, 'B-LT')), [archive]);
  assert.deepEqual(await lacks(await extended(await extended(base, 'B-T'), 'B-LT')), [archive], 'stamped before the DSS came');
  assert.deepEqual(await lacks(await extended(base, 'B-LTA')), []);
  assert.deepEqual(await lacks(await extended(await extended(base, 'B-LTA'), 'B-LTA')), []);
  const unarchived = await signed(adRa14);
  assert.deepEqual(await lacks(await extended(unarchived, 'B-LTA')), ['POLICY_ARTIFACTS_MISSING']);
});

test('an archive timestamp from outside ICP-Brasil is not the one that AD-RC asks for', async () => {
  const pdf = await openPdf(memorySource(await extended(await signed(adRc14), 'B-LTA')));
  const [found, stamp] = await findSignatures(pdf);
  assert.ok(found && stamp?.range);
  const known = knownPolicies.get(adRc14.oid);
  assert.ok(known);
  const proof = {
    ...stamp.range,
    time: new Date(),
    accuracy: 0,
    valid: true,
    contradicted: false,
    isDeclared: true,
    root: world.ana.certificate,
  };
  assert.deepEqual(await lacksOfArchive(known, found, [proof], pdf, platformCrypto), ['POLICY_ROOT']);
});

test('a timestamp that cannot be judged now is not told as missing, and its doubt is the signature’s', async () => {
  const { timestamps } = (await verifyPdf(await openPdf(memorySource(await signed(adRt13))), world.options)).signatures[0] ?? assert.fail();
  const unsure = timestamps.map((one) => ({
    ...one,
    indication: 'INDETERMINATE' as const,
    subIndication: 'TRY_LATER' as const,
    reasons: ['REVOCATION_UNKNOWN' as const],
  }));
  const [found] = await findSignatures(await openPdf(memorySource(await signed(adRt13))));
  assert.ok(found);
  const [signer] = parseSignedData(found.contents).signers;
  const out = new VerdictBuilder();
  const report = await checkPolicy(await claimOf({ dict: found.dict, ...(signer && { signer }), timestamps: unsure }), out);
  assert.deepEqual([report?.status, report?.reasons], ['matches', []]);
  assert.deepEqual(out.verdict, { indication: 'INDETERMINATE', subIndication: 'TRY_LATER', reasons: ['REVOCATION_UNKNOWN'] });
  // One that nothing will make good is none.
  const untrusted = unsure.map((one) => ({ ...one, reasons: ['CHAIN_UNTRUSTED' as const] }));
  const facts = { dict: found.dict, ...(signer && { signer }), timestamps: untrusted };
  assert.deepEqual((await answerTo(await claimOf(facts))).slice(1), ['violated', 'POLICY_TIMESTAMP_MISSING']);
});

test('AD-RA with the policy and its list in the DSS lacks nothing', async (t) => {
  const file = resolve(folder, 'PA_PAdES_AD_RA_v1_4.der');
  if (!existsSync(file)) return t.skip(`no policies at ${folder} (set LAVRA_POLICIES)`);
  const base = memorySource(await signed(adRa14));
  const nothing = Uint8Array.of(0x30, 0);
  const policyArtifacts = { policy: new Uint8Array(readFileSync(file)), approvedPolicies: nothing, approvedPoliciesSignature: nothing };
  const archived = await extendPdf(await openPdf(base), 'B-LTA', { ...extension, policyArtifacts });
  assert.deepEqual(await reported(await readAll(withRevision(base, archived))), ['AD-RA 1.4', 'violated', 'POLICY_ROOT']);
});
