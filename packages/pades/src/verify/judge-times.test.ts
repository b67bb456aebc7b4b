import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { platformCrypto } from '../crypto.ts';
import { openPdf } from '../open-pdf.ts';
import { signPdf } from '../sign/sign-pdf.ts';
import { memorySource, readAll, withRevision } from '../source.ts';
import { handMade } from '../testing/attacks/bases.ts';
import { attackCms } from '../testing/attacks/forge-cms.ts';
import { attackWorld } from '../testing/attacks/world.ts';
import { simplePdf } from '../testing/make-pdf.ts';
import { opensslRoot } from '../testing/openssl-authority.ts';
import type { OpensslIssued } from '../testing/openssl-authority.ts';
import { stamped, testStamps } from '../testing/stamps-at.ts';
import type { TestStamps } from '../testing/stamps-at.ts';
import { requestTimestamp } from '../timestamp/timestamp.ts';
import { contradicts } from './existence.ts';
import type { Verdict } from './report.ts';
import { verifyPdf } from './verify-pdf.ts';

const skip = spawnSync('openssl', ['version']).status === 0 ? false : 'no openssl';
const day = 86_400_000;
const now = new Date(Math.floor(Date.now() / 1000) * 1000);
const ago = (days: number) => new Date(now.getTime() - days * day);
const ahead = (days: number) => ago(-days);
const shown = (one: Verdict | undefined): string => [one?.indication, one?.subIndication, one?.reasons.join(',')].filter(Boolean).join(' ');

async function sign(bytes: Uint8Array, signer: OpensslIssued, stamps?: TestStamps, at?: Date): Promise<Uint8Array> {
  const base = memorySource(bytes);
  const own = stamps && at ? { signatureTimestamp: stamps.at(at) } : {};
  return readAll(withRevision(base, await signPdf(await openPdf(base), signer, { field: { name: 'a' }, signingTime: ago(1), ...own })));
}

async function reportOf(bytes: Uint8Array, root: OpensslIssued, stamps: TestStamps, crls: readonly Uint8Array[]) {
  const anchor = (certificate: Uint8Array, use: 'signature' | 'timestamp') => ({ certificate, name: use, uses: [use] });
  return verifyPdf(await openPdf(memorySource(bytes)), {
    at: now,
    trust: { anchors: [anchor(root.certificate, 'signature'), anchor(stamps.root, 'timestamp')], intermediates: [] },
    revocations: { material: () => Promise.resolve({ certificates: [], crls: [...crls, stamps.list], ocsps: [] }) },
  });
}

const keepsExpired = 'authorityKeyIdentifier=keyid\n2.5.29.60=DER:180F32303130303130313030303030305A';

test('what was signed after a timestamp that came after the revocation is TOTAL-FAILED, REVOKED', { skip }, async () => {
  const [root, stamps] = [opensslRoot('Raiz'), await testStamps(now)];
  const ana = root.issue('Ana', { from: ago(100) });
  root.revoke(ana, ago(20));
  const crls = [root.list(ago(1), ahead(1))];
  const verdict = async (before: Date): Promise<string> => {
    const { signatures } = await reportOf(await sign(await stamped(simplePdf(), stamps.at(before)), ana), root, stamps, crls);
    assert.deepEqual(signatures[0]?.provenAfter, before);
    return shown(signatures[0]);
  };
  assert.equal(await verdict(ago(10)), 'TOTAL-FAILED REVOKED SIGNED_AFTER_REVOCATION');
  assert.equal(await verdict(ago(30)), 'INDETERMINATE REVOKED_NO_POE CERTIFICATE_REVOKED');
});

test('what was signed after a timestamp that came after the certificate ended is TOTAL-FAILED, EXPIRED', { skip }, async () => {
  const [root, stamps] = [opensslRoot('Raiz'), await testStamps(now)];
  const ana = root.issue('Ana', { from: ago(100), to: ago(35) });
  const crls = [root.list(ago(40), ago(34)), root.list(ago(1), ahead(1), keepsExpired)];
  const verdict = async (before: Date, own?: Date): Promise<string> => {
    const file = await sign(await stamped(simplePdf(), stamps.at(before)), ana, stamps, own);
    return shown((await reportOf(file, root, stamps, crls)).signatures[0]);
  };
  assert.equal(await verdict(ago(10)), 'TOTAL-FAILED EXPIRED SIGNED_AFTER_EXPIRY');
  assert.equal(await verdict(ago(60)), 'INDETERMINATE OUT_OF_BOUNDS_NOT_REVOKED CERTIFICATE_EXPIRED');
  assert.equal(await verdict(ago(60), ago(50)), 'TOTAL-PASSED');
});

test('a certificate on hold is for later, and one that was released is good', { skip }, async () => {
  const [root, stamps] = [opensslRoot('Raiz'), await testStamps(now)];
  const ana = root.issue('Ana', { from: ago(100) });
  const before = root.list(ago(1), ahead(1));
  root.revoke(ana, ago(20), 'certificateHold');
  const verdict = async (crls: Uint8Array[], own?: Date): Promise<string> =>
    shown((await reportOf(await sign(simplePdf(), ana, stamps, own), root, stamps, crls)).signatures[0]);
  const held = root.list(ago(2), ahead(1));
  assert.equal(await verdict([held]), 'INDETERMINATE TRY_LATER CERTIFICATE_SUSPENDED');
  assert.equal(await verdict([held], ago(30)), 'TOTAL-PASSED');
  assert.equal(await verdict([held, before]), 'TOTAL-PASSED', 'the newer list no longer names it');
  assert.equal(await verdict([root.list(ago(0.5), ahead(1)), before]), 'INDETERMINATE TRY_LATER CERTIFICATE_SUSPENDED');
});

test('timestamps whose times contradict the order they were made in are TIMESTAMP_ORDER_FAILURE', { skip }, async () => {
  const [root, stamps] = [opensslRoot('Raiz'), await testStamps(now)];
  const ana = root.issue('Ana', { from: ago(100) });
  const crls = [root.list(ago(1), ahead(1))];
  const wrong = 'INDETERMINATE TIMESTAMP_ORDER_FAILURE TIMESTAMP_ORDER';
  interface Times {
    before?: Date;
    own?: Date;
    after?: readonly Date[];
  }
  const verdicts = async ({ before, own, after = [] }: Times): Promise<string[]> => {
    let file = await sign(before ? await stamped(simplePdf(), stamps.at(before)) : simplePdf(), ana, stamps, own);
    for (const time of after) file = await stamped(file, stamps.at(time));
    const report = await reportOf(file, root, stamps, crls);
    return [...report.signatures, ...report.documentTimestamps].map(shown);
  };
  const fine = 'TOTAL-PASSED';
  assert.deepEqual(await verdicts({ before: ago(9), own: ago(8), after: [ago(7), ago(6)] }), [fine, fine, fine, fine]);
  assert.deepEqual(await verdicts({ own: ago(7), after: [ago(8)] }), [wrong, fine], 'stamped over before it was stamped');
  assert.deepEqual(await verdicts({ before: ago(7), own: ago(8) }), [wrong, fine], 'stamped before what it signs');
  assert.deepEqual(await verdicts({ own: ago(9), after: [ago(6), ago(7)] }), [fine, wrong, fine], 'the newer one proves nothing');
  assert.deepEqual(await verdicts({ before: ago(6), after: [ago(7)] }), [wrong, wrong, fine], 'signed between the two');
});

test('one second of clock is no contradiction', () => {
  const time = (second: number, accuracy: number) => ({ time: new Date(second * 1000), accuracy });
  assert.equal(contradicts(time(12, 1000), time(10, 1000)), false);
  assert.equal(contradicts(time(12.001, 1000), time(10, 1000)), true);
  assert.equal(contradicts(time(10.002, 1), time(10, 0)), true);
  assert.equal(contradicts(time(9, 0), time(10, 0)), false);
});

test('a timestamp of the content is what the signature came after', async () => {
  const [world, stamps] = [await attackWorld(now), await testStamps(now)];
  const token = (time: Date) => (imprint: Uint8Array) =>
    requestTimestamp(stamps.at(time), imprint, 'sha256', (n) => platformCrypto.random(n));
  const reported = async (time: Date, other?: true) => {
    const contentTimestamp = other ? () => token(time)(new Uint8Array(32)) : token(time);
    const anchors = [...world.options.trust.anchors, { certificate: stamps.root, name: 'c', uses: ['timestamp'] as const }];
    const { signatures } = await verifyPdf(await openPdf(memorySource(await handMade(world, { cms: attackCms({ contentTimestamp }) }))), {
      ...world.options,
      trust: { anchors, intermediates: [] },
      revocations: {
        material: async (certificates) => {
          const material = await world.revocations.material(certificates);
          return { ...material, crls: [...material.crls, stamps.list] };
        },
      },
    });
    return signatures[0];
  };
  const good = await reported(ago(1));
  assert.equal(shown(good), 'TOTAL-PASSED');
  assert.deepEqual(good?.provenAfter, ago(1));
  assert.deepEqual(good.contentTimestamps.map(shown), ['TOTAL-PASSED']);
  const foreign = await reported(ago(1), true);
  assert.equal(foreign?.provenAfter, null);
  assert.deepEqual(foreign?.contentTimestamps.map(shown), ['TOTAL-FAILED HASH_FAILURE TIMESTAMP_IMPRINT_MISMATCH']);
});
