import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type DevelopmentCertificates, startDevelopmentCertificates } from './certificates.ts';
import type { KeptCertificates } from './kept-certificates.ts';
import { demonstrationPeople, filePassword } from './people.ts';

const redirectUris = ['http://localhost:8080/callback/psc'];
const idsOfFiles = demonstrationPeople.flatMap(({ certificates }) => certificates.filter(({ file }) => file).map(({ id }) => id));
const anchorsOf = ({ anchors }: DevelopmentCertificates) => anchors.map(({ certificate }) => Buffer.from(certificate).toString('hex'));
const recordOf = async (directory: string) => JSON.parse(await readFile(join(directory, 'icp-brasil.json'), 'utf8')) as KeptCertificates;
const noOpenssl = spawnSync('openssl', ['version']).status !== 0 ? 'no openssl' : false;

/** Key and certificate as OpenSSL finds them in a .p12. */
function opened(path: string, ...more: string[]): X509Certificate {
  const text = execFileSync('openssl', ['pkcs12', '-in', path, '-passin', `pass:${filePassword}`, '-nodes', ...more], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const certificate = new X509Certificate(text.slice(text.indexOf('-----BEGIN CERTIFICATE')));
  assert.ok(certificate.checkPrivateKey(createPrivateKey(text.slice(text.indexOf('-----BEGIN PRIVATE KEY')))));
  return certificate;
}

describe('the make-believe ICP-Brasil of a development start', () => {
  let directory: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lavra-people-'));
  });
  after(() => rm(directory, { recursive: true, force: true }));

  it('is made once: the next start has the same roots, certificates and files at the same address', async () => {
    const first = await startDevelopmentCertificates(directory, redirectUris);
    await first.close();
    const names = (await readdir(first.files)).toSorted();
    assert.deepEqual(names, ['LEIA-ME.txt', ...idsOfFiles.map((id) => `${id}.p12`).toSorted()]);
    const states = await Promise.all(idsOfFiles.map((id) => readFile(join(first.files, `${id}.p12`))));
    const record = await readFile(join(directory, 'icp-brasil.json'));
    await rm(join(first.files, 'ana-a1.p12'));
    const second = await startDevelopmentCertificates(directory, redirectUris);
    await second.close();
    assert.deepEqual([second.host, anchorsOf(second)], [first.host, anchorsOf(first)]);
    assert.deepEqual(await readFile(join(directory, 'icp-brasil.json')), record);
    for (const [index, id] of idsOfFiles.entries()) {
      const now = await readFile(join(second.files, `${id}.p12`));
      assert.equal(now.equals(states[index] ?? Buffer.alloc(0)), id !== 'ana-a1', id);
    }
  });

  it('keeps keys to the owner of the installation', async () => {
    for (const name of ['icp-brasil.json', 'certificados/ana-a1.p12'])
      assert.equal((await stat(join(directory, name))).mode & 0o777, 0o600, name);
  });

  it('writes files that OpenSSL opens with the password of LEIA-ME.txt', { skip: noOpenssl }, async () => {
    const files = join(directory, 'certificados');
    assert.ok((await readFile(join(files, 'LEIA-ME.txt'), 'utf8')).includes(`Senha: ${filePassword}`));
    for (const { cpf, certificates } of demonstrationPeople)
      for (const { id, file, company, state } of certificates) {
        if (!file) continue;
        const certificate = opened(join(files, `${id}.p12`), ...(file === 'legacy' ? ['-legacy'] : []));
        assert.match(certificate.subject, new RegExp(`:${company?.cnpj ?? cpf}$`, 'm'));
        assert.equal(new Date(certificate.validTo) < new Date(), state === 'expired', id);
      }
  });

  it('names lists and answers that are there, in which one person is revoked', { skip: noOpenssl }, async () => {
    const running = await startDevelopmentCertificates(directory, redirectUris);
    const stated = async (id: string) => {
      const leaf = opened(join(running.files, `${id}.p12`));
      const record = await recordOf(directory);
      const issuer = record.authorities.find(({ slug }) => slug === 'ac-nivel2-v5');
      const path = (name: string) => join(directory, name);
      await writeFile(path('leaf.pem'), leaf.toString());
      await writeFile(path('issuer.pem'), new X509Certificate(Buffer.from(issuer?.certificate ?? '', 'base64')).toString());
      const files = ['-issuer', path('issuer.pem'), '-cert', path('leaf.pem'), '-reqout', path('request')];
      execFileSync('openssl', ['ocsp', '-no_nonce', ...files], { stdio: 'pipe' });
      const answer = await fetch(`http://${running.host}/ocsp/ac-nivel2-v5`, { method: 'POST', body: await readFile(path('request')) });
      await writeFile(path('answer'), Buffer.from(await answer.arrayBuffer()));
      const read = ['-respin', path('answer'), '-CAfile', path('issuer.pem'), '-partial_chain', '-issuer', path('issuer.pem')];
      const said = spawnSync('openssl', ['ocsp', '-no_nonce', ...read, '-cert', path('leaf.pem')], { encoding: 'utf8' });
      const list = await fetch(`http://${running.host}/lcr/ac-nivel2-v5.crl`);
      const listed = execFileSync('openssl', ['crl', '-inform', 'DER', '-noout', '-text'], {
        input: Buffer.from(await list.arrayBuffer()),
      });
      return [/leaf\.pem: (\w+)/.exec(said.stdout)?.[1], listed.toString().includes(leaf.serialNumber)];
    };
    try {
      assert.deepEqual(await stated('gustavo-a1-revogado'), ['revoked', true]);
      assert.deepEqual(await stated('ana-a1'), ['good', false]);
    } finally {
      await running.close();
    }
  });

  it('two nodes of one installation share one infrastructure, started at one moment or one after the other', async () => {
    const shared = await mkdtemp(join(tmpdir(), 'lavra-people-'));
    const nodes = await Promise.all([
      startDevelopmentCertificates(shared, redirectUris),
      startDevelopmentCertificates(shared, redirectUris),
    ]);
    const [one, two] = nodes;
    assert.deepEqual([two?.host, two && anchorsOf(two)], [one?.host, one && anchorsOf(one)]);
    const third = await startDevelopmentCertificates(shared, redirectUris);
    assert.deepEqual(anchorsOf(third), one && anchorsOf(one));
    for (const node of [...nodes, third]) await node.close();
    await rm(shared, { recursive: true });
  });

  it('is made anew where a stranger has its port, and still believes what was signed before', async () => {
    const before = await recordOf(directory);
    const stranger = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => stranger.listen(before.port, '127.0.0.1', resolve));
    const moved = await startDevelopmentCertificates(directory, redirectUris);
    try {
      assert.notEqual(moved.host, `127.0.0.1:${before.port}`);
      // Those of a start before, too, whose port was taken by somebody else on this machine.
      assert.equal(moved.anchors.length, 4 + before.formerRoots.length);
      const former = before.authorities.find(({ slug }) => slug === 'ac-raiz-v5')?.certificate;
      assert.ok(moved.anchors.some(({ certificate }) => Buffer.from(certificate).toString('base64') === former));
      assert.equal((await fetch(`http://${moved.host}/lcr/ac-nivel2-v5.crl`)).status, 200);
      const { certificates } = await recordOf(directory);
      const leaf = Buffer.from(certificates['ana-a1']?.certificate ?? '', 'base64');
      assert.ok(leaf.includes(`http://${moved.host}/lcr/`) && !leaf.includes(`:${before.port}/`));
    } finally {
      await moved.close();
      stranger.close();
    }
  });
});
