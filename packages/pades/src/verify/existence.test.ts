import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { extendPdf } from '../extend/extend-pdf.ts';
import { openPdf } from '../open-pdf.ts';
import { signPdf } from '../sign/sign-pdf.ts';
import { memorySource, readAll, withRevision } from '../source.ts';
import { simplePdf } from '../testing/make-pdf.ts';
import { opensslRoot } from '../testing/openssl-authority.ts';
import type { OpensslAuthority, OpensslIssued } from '../testing/openssl-authority.ts';
import { stamped, testStamps } from '../testing/stamps-at.ts';
import { existedAt } from './existence.ts';
import type { ProvenTime } from './existence.ts';
import { verifyPdf } from './verify-pdf.ts';

const skip = spawnSync('openssl', ['version']).status === 0 ? false : 'no openssl';
const day = 86_400_000;
const now = new Date(Math.floor(Date.now() / 1000) * 1000);
const ago = (days: number) => new Date(now.getTime() - days * day);
const proof = (gapStart: number, gapEnd: number, end: number, days: number, valid = true): ProvenTime => ({
  gapStart,
  gapEnd,
  end,
  valid,
  contradicted: false,
  isDeclared: true,
  root: null,
  time: ago(days),
  accuracy: 0,
});

test('an object is as old as the earliest valid timestamp over all of its bytes', () => {
  const proofs = [proof(100, 200, 300, 9), proof(500, 600, 700, 3), proof(900, 950, 1000, 7, false)];
  const at = (start: number, end: number) => existedAt({ start, end }, proofs);
  assert.deepEqual(at(10, 100), ago(9));
  assert.deepEqual(at(200, 300), ago(9), 'behind the gap');
  assert.deepEqual(at(90, 101), ago(3), 'reaches into the gap');
  assert.deepEqual(at(100, 200), ago(3), 'is the gap: proven by the next one');
  assert.deepEqual(at(290, 301), ago(3), 'reaches over the end');
  assert.deepEqual(at(310, 500), ago(3));
  assert.equal(at(690, 701), null);
  assert.equal(at(800, 810), null, 'a timestamp that is not valid proves nothing');
  assert.equal(existedAt({ start: 0, end: 1 }, []), null);
});

const authority = 'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign\nsubjectKeyIdentifier=hash';

/** Signed and stamped 60 days ago, its revocation data in the file; the issuer has ended 30 days ago. */
async function archive(archivedAt: Date | null, { responder }: { responder?: Date } = {}): Promise<string> {
  const [root, stamps] = [opensslRoot('Raiz'), await testStamps(now)];
  const issuer = root.issue('AC', { from: ago(1000), to: responder ? ago(-100) : ago(30), extensions: authority }) as OpensslAuthority;
  const ana = issuer.issue('Ana', { from: ago(200), to: responder ? ago(-50) : ago(40) });
  const base = memorySource(simplePdf());
  const signed = await signPdf(await openPdf(base), ana, {
    field: { name: 'a' },
    signingTime: ago(60),
    signatureTimestamp: stamps.at(ago(60)),
  });
  const source = memorySource(await readAll(withRevision(base, signed)));
  const usage = 'basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\nextendedKeyUsage=OCSPSigning';
  const by: OpensslIssued | null = responder ? issuer.issue('Respondedor', { from: ago(1), to: responder, extensions: usage }) : null;
  const material = {
    certificates: [],
    crls: [root.list(ago(59), ago(52)), stamps.list, ...(by ? [] : [issuer.list(ago(59), ago(52))])],
    ocsps: by ? [issuer.ocsp(ana, by)] : [],
  };
  const revocations = { material: () => Promise.resolve(material) };
  const kept = await readAll(withRevision(source, await extendPdf(await openPdf(source), 'B-LT', { revocations })));
  const file = archivedAt === null ? kept : await stamped(kept, stamps.at(archivedAt));
  const anchor = (certificate: Uint8Array, use: 'signature' | 'timestamp') => ({ certificate, name: use, uses: [use] });
  const anchors = [anchor(root.certificate, 'signature'), anchor(stamps.root, 'timestamp')];
  const at = responder ? new Date(responder.getTime() + day) : now;
  const { signatures } = await verifyPdf(await openPdf(memorySource(file)), { at, trust: { anchors, intermediates: [] } });
  return [signatures[0]?.indication, signatures[0]?.subIndication, signatures[0]?.reasons.join()].filter(Boolean).join(' ');
}

const unproven = 'INDETERMINATE REVOCATION_OUT_OF_BOUNDS_NO_POE REVOCATION_UNPROVEN';

test('the word of an issuer that has ended counts when it is proven to be older than the end', { skip }, async () => {
  assert.equal(await archive(null), unproven);
  assert.equal(await archive(ago(50)), 'TOTAL-PASSED');
  assert.equal(await archive(ago(20)), unproven);
});

test('so does the word of a delegated responder that has ended', { skip }, async () => {
  assert.equal(await archive(null, { responder: ago(-2) }), unproven);
  assert.equal(await archive(now, { responder: ago(-2) }), 'TOTAL-PASSED');
});
