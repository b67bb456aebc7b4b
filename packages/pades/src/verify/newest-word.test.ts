import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { platformCrypto } from '../crypto.ts';
import { extendPdf } from '../extend/extend-pdf.ts';
import { openPdf } from '../open-pdf.ts';
import { parseRevocationList } from '../revocation/crl.ts';
import { revocationAt } from '../revocation/status.ts';
import { signPdf } from '../sign/sign-pdf.ts';
import type { Signer } from '../sign/sign-pdf.ts';
import { memorySource, readAll, withRevision } from '../source.ts';
import { simplePdf } from '../testing/make-pdf.ts';
import { opensslRoot } from '../testing/openssl-authority.ts';
import { stamped, testStamps } from '../testing/stamps-at.ts';
import type { TestStamps } from '../testing/stamps-at.ts';
import { parseCertificate } from '../x509/certificate.ts';
import type { TimestampSource } from '../timestamp/timestamp.ts';
import { verifyPdf } from './verify-pdf.ts';

const skip = spawnSync('openssl', ['version']).status === 0 ? false : 'no openssl';
const day = 86_400_000;
const now = new Date(Math.floor(Date.now() / 1000) * 1000);
const ago = (days: number) => new Date(now.getTime() - days * day);

async function signedAt(at: Date, signer: Signer, signatureTimestamp: TimestampSource): Promise<Uint8Array> {
  const base = memorySource(simplePdf());
  const signed = await signPdf(await openPdf(base), signer, { field: { name: 'a' }, signingTime: at, signatureTimestamp });
  return readAll(withRevision(base, signed));
}

async function withProofs(bytes: Uint8Array, crls: Uint8Array[], timestamps?: TimestampSource): Promise<Uint8Array> {
  const base = memorySource(bytes);
  const revocations = { material: () => Promise.resolve({ certificates: [], crls, ocsps: [] }) };
  const level = timestamps ? 'B-LTA' : 'B-LT';
  return readAll(withRevision(base, await extendPdf(await openPdf(base), level, { revocations, ...(timestamps && { timestamps }) })));
}

/** Verdicts of signatures, their timestamps and document timestamps; `crls`: what is had when somebody asks; null: nothing is. */
async function verdictsOf(bytes: Uint8Array, root: Signer, authorities: readonly TestStamps[], crls: Uint8Array[] | null) {
  let asked = 0;
  const { signatures, documentTimestamps } = await verifyPdf(await openPdf(memorySource(bytes)), {
    at: now,
    trust: {
      anchors: [
        { certificate: root.certificate, name: 'raiz', uses: ['signature'] },
        ...authorities.map(({ root: certificate }) => ({ certificate, name: 'carimbo', uses: ['timestamp'] as const })),
      ],
      intermediates: [],
    },
    revocations: {
      material: () => {
        asked += 1;
        return crls === null ? Promise.reject(new Error('away')) : Promise.resolve({ certificates: [], crls, ocsps: [] });
      },
    },
  });
  const told = (one: { indication: string; reasons: readonly string[] }) => [one.indication, ...one.reasons].join(' ');
  const [signature] = signatures;
  assert.ok(signature);
  return { signature: told(signature), stamps: signature.timestamps.map(told), over: documentTimestamps.map(told), asked };
}

test('a key that was revoked before the signature is told of although the file carries a list from before that', { skip }, async () => {
  const [root, stamps] = [opensslRoot('Raiz'), await testStamps(now)];
  const ana = root.issue('Ana', { from: ago(100) });
  const before = root.list(ago(21), ago(15));
  root.revoke(ana, ago(20), 'keyCompromise');
  const today = root.list(ago(1), ago(-1));
  const signed = await withProofs(await signedAt(ago(18), ana, stamps.at(ago(18))), [before, stamps.list]);
  for (const bytes of [signed, await stamped(signed, stamps.at(ago(17)))]) {
    assert.equal((await verdictsOf(bytes, root, [stamps], [today, stamps.list])).signature, 'INDETERMINATE CERTIFICATE_REVOKED');
    // Nobody can be asked: what was said before and was in force then still counts.
    const { signature, asked } = await verdictsOf(bytes, root, [stamps], null);
    assert.deepEqual([signature, asked > 0], ['TOTAL-PASSED', true]);
  }
});

test('a file whose proofs are from after the signature needs nobody', { skip }, async () => {
  const [root, stamps] = [opensslRoot('Raiz'), await testStamps(now)];
  const ana = root.issue('Ana', { from: ago(100) });
  const signed = await signedAt(ago(18), ana, stamps.at(ago(18)));
  const bytes = await withProofs(signed, [root.list(ago(17), ago(-1)), stamps.list]);
  const { signature, asked } = await verdictsOf(bytes, root, [stamps], []);
  assert.deepEqual([signature, asked], ['TOTAL-PASSED', 0]);
});

test('who was revoked after the signature has signed well, whatever is said today', { skip }, async () => {
  const [root, stamps] = [opensslRoot('Raiz'), await testStamps(now)];
  const ana = root.issue('Ana', { from: ago(100) });
  const before = root.list(ago(21), ago(15));
  root.revoke(ana, ago(10), 'keyCompromise');
  const bytes = await withProofs(await signedAt(ago(18), ana, stamps.at(ago(18))), [before, stamps.list]);
  assert.equal((await verdictsOf(bytes, root, [stamps], [root.list(ago(1), ago(-1)), stamps.list])).signature, 'TOTAL-PASSED');
});

test(
  'a token that was backdated with the stolen key of its authority proves no time, although an older list stands beside it',
  { skip },
  async () => {
    const [root, stolen, other] = [opensslRoot('Raiz'), await testStamps(now), await testStamps(now)];
    const ana = root.issue('Ana', { from: ago(400), to: ago(35) });
    const signed = await signedAt(ago(60), ana, stolen.at(ago(60)));
    const stored = await withProofs(signed, [root.list(ago(61), ago(52)), await stolen.listOf(ago(21))]);
    const bytes = await stamped(stored, other.at(ago(19)));
    const today = [await stolen.listOf(ago(1), { at: ago(20), reason: 1 }), other.list];
    const { signature, stamps } = await verdictsOf(bytes, root, [stolen, other], today);
    assert.match(signature, /^INDETERMINATE CERTIFICATE_EXPIRED/);
    assert.deepEqual(stamps, ['INDETERMINATE CERTIFICATE_REVOKED']);
  },
);

test(
  'tokens from before a revocation whose stated reason leaves the key unharmed stay valid, others do not (RFC 3161 §4)',
  { skip },
  async () => {
    const [root, stamps] = [opensslRoot('Raiz'), await testStamps(now)];
    const ana = root.issue('Ana', { from: ago(400), to: ago(35) });
    const signed = await signedAt(ago(60), ana, stamps.at(ago(60)));
    const bytes = await withProofs(signed, [root.list(ago(61), ago(52)), await stamps.listOf(ago(61))], stamps.at(ago(59)));
    const over = async (at: Date, reason?: number) => {
      const list = await stamps.listOf(ago(1), { at, ...(reason === undefined ? {} : { reason }) });
      return (await verdictsOf(bytes, root, [stamps], [list])).over;
    };
    for (const reason of [3, 4, 5]) assert.deepEqual(await over(ago(10), reason), ['TOTAL-PASSED'], String(reason));
    for (const reason of [undefined, 1, 2])
      assert.deepEqual(await over(ago(10), reason), ['INDETERMINATE CERTIFICATE_REVOKED'], String(reason));
    // Made after it.
    assert.deepEqual(await over(ago(59.5), 4), ['INDETERMINATE CERTIFICATE_REVOKED']);
  },
);

test('who was on hold and was revoked then is revoked for good, since the day of the hold, whichever list comes first', async () => {
  const stamps = await testStamps(now);
  const hold = await stamps.listOf(ago(20), { at: ago(21), reason: 6 });
  for (const at of [ago(21), ago(15)]) {
    const final = await stamps.listOf(ago(1), { at, reason: 1 });
    for (const lists of [
      [hold, final],
      [final, hold],
    ]) {
      const proofs = { lists: lists.map((der) => ({ source: 'document' as const, value: parseRevocationList(der) })), responses: [] };
      const told = await revocationAt(parseCertificate(stamps.certificate), parseCertificate(stamps.root), now, proofs, platformCrypto);
      assert.deepEqual([told.status, told.reason, told.revokedAt], ['revoked', 1, ago(21)]);
    }
  }
});

test('of many signatures under one authority nobody is asked twice, and what is had is kept once', { skip }, async () => {
  const [root, stamps] = [opensslRoot('Raiz'), await testStamps(now)];
  const before = root.list(ago(21), ago(15));
  let bytes: Uint8Array = simplePdf();
  for (const name of ['a', 'b', 'c', 'd']) {
    const base = memorySource(bytes);
    const request = { field: { name }, signingTime: ago(18), signatureTimestamp: stamps.at(ago(18)) };
    bytes = await readAll(withRevision(base, await signPdf(await openPdf(base), root.issue(name, { from: ago(100) }), request)));
  }
  const stored = await withProofs(bytes, [before, stamps.list]);
  const { signature, asked } = await verdictsOf(stored, root, [stamps], [root.list(ago(1), ago(-1)), stamps.list]);
  assert.deepEqual([signature, asked], ['TOTAL-PASSED', 1]);
});

test('an authority whose harmless revocation was known for worse later proves no time, whichever list is embedded', { skip }, async () => {
  const [root, stamps] = [opensslRoot('Raiz'), await testStamps(now)];
  const ana = root.issue('Ana', { from: ago(400) });
  const signed = await signedAt(ago(60), ana, stamps.at(ago(60)));
  const superseded = await stamps.listOf(ago(5), { at: ago(10), reason: 4 });
  const stored = await withProofs(signed, [root.list(ago(59), ago(-5)), superseded]);
  const compromised = await stamps.listOf(ago(1), { at: ago(10), reason: 1 });
  assert.deepEqual((await verdictsOf(stored, root, [stamps], [superseded])).stamps, ['TOTAL-PASSED']);
  assert.deepEqual((await verdictsOf(stored, root, [stamps], [compromised])).stamps, ['INDETERMINATE CERTIFICATE_REVOKED']);
});
