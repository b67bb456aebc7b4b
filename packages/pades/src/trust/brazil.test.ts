import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { PadesError } from '../errors.ts';
import { openPdf } from '../open-pdf.ts';
import { memorySource } from '../source.ts';
import { findChain, CertificatePool } from '../x509/chain.ts';
import { parseCertificate } from '../x509/certificate.ts';
import { verifyPdf } from '../verify/verify-pdf.ts';
import { govBrTrust, icpBrasilTrust } from './brazil.ts';
import { certificatesInPem } from './trust-store.ts';

const shared = resolve(import.meta.dirname, '../../../../../shared');
const lists = process.env['LAVRA_ICP_BRASIL'] ?? join(shared, 'icp-brasil');
const corpus = process.env['LAVRA_CORPUS'] ?? join(shared, 'corpus');
const skip = existsSync(lists) ? false : 'set LAVRA_ICP_BRASIL to a folder with icp-brasil-cas.pem and gov-br-cas.pem';
const listed = (name: string) => certificatesInPem(readFileSync(join(lists, name), 'utf8'));

test('the anchors for documents are v5 and v12, v2 for history, never v10 or v11', { skip }, async () => {
  const certificates = listed('icp-brasil-cas.pem');
  const names = async (history: boolean) => (await icpBrasilTrust(certificates, { history })).anchors.map(({ name }) => name).toSorted();
  assert.deepEqual(await names(false), ['ICP-Brasil v12', 'ICP-Brasil v5']);
  assert.deepEqual(await names(true), ['ICP-Brasil v12', 'ICP-Brasil v2', 'ICP-Brasil v5']);
});

test('a list without a pinned root is refused, whatever its certificates call themselves', { skip }, async () => {
  const others = (await icpBrasilTrust(listed('icp-brasil-cas.pem'), { history: true })).intermediates;
  await assert.rejects(icpBrasilTrust(others), (error: PadesError) => error.code === 'CERTIFICATE_INVALID');
});

test('every authority under v5 and v12 reaches its anchor; those of v10 and v11 reach none', { skip }, async () => {
  const trust = await icpBrasilTrust(listed('icp-brasil-cas.pem'));
  const anchors = trust.anchors.map(({ certificate }) => parseCertificate(certificate));
  const all = trust.intermediates.map(parseCertificate);
  const pool = new CertificatePool();
  pool.add(...all);
  const reached = new Map<string, number>();
  for (const authority of all) {
    const { anchor } = await findChain(authority, pool, anchors);
    const name = trust.anchors[anchors.indexOf(anchor as never)]?.name ?? 'none';
    reached.set(name, (reached.get(name) ?? 0) + 1);
  }
  assert.ok((reached.get('ICP-Brasil v5') ?? 0) > 100);
  assert.ok((reached.get('ICP-Brasil v12') ?? 0) >= 10);
  assert.ok((reached.get('none') ?? 0) > 0);
});

test('gov.br’s root anchors signatures, not timestamps', { skip }, async () => {
  const { anchors, intermediates } = await govBrTrust(listed('gov-br-cas.pem'));
  assert.deepEqual(
    anchors.map(({ name, uses }) => [name, uses]),
    [['gov.br v1', ['signature']]],
  );
  assert.equal(intermediates.length, 2);
});

const genuine = join(corpus, 'signed/AD-RB.pdf');

test(
  'a genuine AD-RB signature: policy, person, CPF, kind of certificate and chain to its root of then, v2',
  {
    skip: skip || (existsSync(genuine) ? false : 'set LAVRA_CORPUS'),
  },
  async () => {
    const pdf = await openPdf(memorySource(new Uint8Array(readFileSync(genuine))));
    const trust = await icpBrasilTrust(listed('icp-brasil-cas.pem'), { history: true });
    const { signatures } = await verifyPdf(pdf, { trust, at: new Date('2017-11-01T00:00:00Z') });
    const [first] = signatures;
    assert.deepEqual(first?.policy, { oid: '2.16.76.1.7.1.11.1', name: 'AD-RB 1.0', hash: 'matches', status: 'matches', reasons: [] });
    assert.deepEqual([first?.signer?.kind, first?.signer?.cpf?.length, first?.signer?.type], ['person', 11, 'A3']);
    assert.equal(first?.trust, 'ICP-Brasil v2');
    // Offline, and the file carries no revocation data: that is said, not guessed.
    assert.deepEqual([first?.indication, first?.subIndication], ['INDETERMINATE', 'TRY_LATER']);
  },
);
