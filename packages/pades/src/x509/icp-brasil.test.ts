import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createIcpBrasilPki } from '@lavra/make-believe';
import { issuersInAnswer, judgeFetchedList } from '../revocation/fetched.ts';
import { hasTool, pem, runWith } from '../testing/tools.ts';
import { parseCertificate } from './certificate.ts';
import { CertificatePool, findChain } from './chain.ts';
import { holderOf } from './icp-brasil.ts';

const now = new Date();
const pki = await createIcpBrasilPki({ now: () => now, address: 'http://icp.invalid' });
const ana = { name: 'Ana Conceição', cpf: '01234567890', email: 'ana@example.com' };
const company = { name: 'Padaria São Bento Ltda', cnpj: '12ABC34501DE35', responsible: ana };
const person = await pki.issuePerson(ana);
const anchors = [pki.roots.v5, pki.roots.v12].map(parseCertificate);
const pool = new CertificatePool();
pool.add(...pki.intermediates.map(parseCertificate));

for (const tree of ['v5', 'v12'] as const) {
  for (const type of ['A1', 'A3'] as const) {
    test(`an e-CPF ${type} under ${tree} names its holder and reaches the root`, async () => {
      const { certificate } = await pki.issuePerson(ana, { tree, type, keys: person.keys });
      const read = parseCertificate(certificate);
      assert.deepEqual(holderOf(read), {
        name: 'ANA CONCEICAO',
        kind: 'person',
        cpf: ana.cpf,
        cnpj: null,
        responsible: null,
        email: ana.email,
        type,
      });
      // digitalSignature, nonRepudiation, keyEncipherment; clientAuth and emailProtection.
      assert.equal(read.keyUsage, 0xe0);
      assert.deepEqual(read.purposes, ['1.3.6.1.5.5.7.3.2', '1.3.6.1.5.5.7.3.4']);
      assert.equal(read.crlUrls.length, 2);
      assert.equal(read.issuerUrls.length, 1);
      const { anchor, problem, certificates } = await findChain(read, pool, anchors);
      assert.equal(problem, null);
      assert.equal(certificates.length, 4);
      assert.deepEqual(anchor?.der, pki.roots[tree]);
    });
  }
}

test('an e-CNPJ names the company and the person responsible for it', async () => {
  for (const tree of ['v5', 'v12'] as const) {
    const holder = holderOf(parseCertificate((await pki.issueCompany(company, { tree, keys: person.keys })).certificate));
    assert.equal(holder.kind, 'company');
    assert.equal(holder.cnpj, company.cnpj);
    assert.equal(holder.cpf, ana.cpf);
    assert.equal(holder.responsible, 'ANA CONCEICAO');
    assert.equal(holder.name, 'PADARIA SAO BENTO LTDA');
  }
});

test('an application’s certificate is not taken for the company that runs it', async () => {
  const { certificate } = await pki.issueApplication(company, { keys: person.keys });
  assert.equal(holderOf(parseCertificate(certificate)).kind, 'application');
});

test('the type is the policy’s group, exactly; what is not known, or not clear, has none', () => {
  const of = (...policies: string[]) => holderOf({ ...parseCertificate(person.certificate), policies }).type;
  const arc = '2.16.76.1.2';
  const groups = { 1: 'A1', 2: 'A2', 3: 'A3', 4: 'A4', 101: 'S1', 102: 'S2', 103: 'S3', 104: 'S4', 303: 'T3', 304: 'T4' };
  const newer = { 201: 'SE-S', 202: 'SE-H', 500: 'A CF-e-SAT', 550: 'OM-BR' };
  for (const [group, type] of Object.entries({ ...groups, ...newer })) assert.equal(of(`${arc}.${group}.77`), type);
  for (const odd of [`${arc}.5.1`, `${arc}.203.1`, `${arc}.401.1`, `${arc}.3`, `${arc}.3.1.1`, `9${arc}.3.1`, '2.16.76.1.1.3.1'])
    assert.equal(of(odd), null, odd);
  assert.equal(of(), null);
  assert.equal(of(`${arc}.3.1`, '2.23.140.1.1', `${arc}.3.9`), 'A3');
  assert.equal(of(`${arc}.3.1`, `${arc}.202.1`), null);
  assert.equal(of(`${arc}.3.1`, `${arc}.999.1`), null);
});

test('a seal is no person and no company that signs', async () => {
  const read = parseCertificate((await pki.issueCompany(company, { keys: person.keys })).certificate);
  const holder = holderOf({ ...read, policies: ['2.16.76.1.2.202.3'] });
  assert.equal(holder.kind, 'seal');
  assert.equal(holder.cnpj, company.cnpj);
});

test('the chain is found from what stands at the addresses alone, and the list tells who is revoked', async () => {
  const read = parseCertificate(person.certificate);
  const at = async (url: string | undefined) => {
    const found = await pki.publication(new URL(url ?? '').pathname);
    assert.ok(found);
    return found;
  };
  const issuers = await issuersInAnswer(await at(read.issuerUrls[0]), read);
  const fetched = new CertificatePool();
  fetched.add(...issuers);
  const { certificates, problem } = await findChain(read, fetched, anchors);
  assert.equal(problem, null);
  const [, issuer] = certificates;
  assert.ok(issuer);
  for (const url of read.crlUrls) {
    assert.equal((await judgeFetchedList(await at(url), read, issuer, now))?.status, 'good');
  }
  const lost = await pki.issuePerson(ana);
  pki.revoke(lost);
  assert.equal((await judgeFetchedList(await at(read.crlUrls[0]), parseCertificate(lost.certificate), issuer, now))?.status, 'revoked');
});

test('a certificate that only looks like one reaches no root of ICP-Brasil', async () => {
  const { certificate, chain } = await pki.issuePerson(ana, { tree: 'outside', keys: person.keys });
  const helpers = new CertificatePool();
  helpers.add(...chain.map(parseCertificate));
  const found = await findChain(parseCertificate(certificate), helpers, anchors);
  assert.equal(found.anchor, null);
  assert.equal(found.problem, 'untrusted');
});

test('OpenSSL builds the same chain and shows the policy and the key usage', async (t) => {
  if (!(await hasTool('openssl'))) return t.skip('no openssl');
  const files = { root: pem(pki.roots.v5), middle: pem(...pki.intermediates), leaf: pem(person.certificate) };
  const verified = await runWith('openssl', ['verify', '-CAfile', '{root}', '-untrusted', '{middle}', '{leaf}'], files);
  assert.equal(verified.code, 0, verified.output);
  const shown = await runWith('openssl', ['x509', '-noout', '-text', '-in', '{leaf}'], files);
  assert.match(shown.output, /Digital Signature, Non Repudiation, Key Encipherment/);
  assert.match(shown.output, /Policy: 2\.16\.76\.1\.2\.3\.999\s+CPS: http:\/\/icp\.invalid\/dpc\//);
  assert.match(shown.output, /Subject: .*CN *= *ANA CONCEICAO:01234567890/);
});
