import assert from 'node:assert/strict';
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import {
  answerOcsp,
  createRoot,
  issueSignerCertificate,
  issueTimestampCertificate,
  privateKeyOf,
  rootRevocationList,
  timestampAuthority,
} from '@lavra/make-believe';
import { ocspRequest } from '../revocation/ocsp-request.ts';
import { parseCertificate } from '../x509/certificate.ts';
import { simplePdf } from '../testing/make-pdf.ts';
import { hasTool, pdfsig } from '../testing/tools.ts';

const missing = spawnSync('openssl', ['version']).status !== 0 ? 'no openssl' : false;
const folder = mkdtempSync(join(tmpdir(), 'lavra-pades-'));
const at = (name: string): string => join(folder, name);

const root = await createRoot('Raiz');
const authority = await issueTimestampCertificate(root, 'Carimbo');
const answer = timestampAuthority({
  certificate: new Uint8Array(authority.certificate.rawData),
  chain: [new Uint8Array(root.certificate.rawData)],
  key: await privateKeyOf(authority),
});
const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    if (request.url === '/broken') return void response.writeHead(500).end();
    response.setHeader('content-type', 'application/timestamp-reply');
    response.end(answer(new Uint8Array(Buffer.concat(parts))));
  });
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const tsa = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

after(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

if (!missing) {
  const openssl = (...parameters: string[]): void => void execFileSync('openssl', parameters, { cwd: folder, stdio: 'pipe' });
  openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-keyout',
    'k.pem',
    '-out',
    'c.pem',
    '-subj',
    '/CN=Maria:52998224725',
    '-days',
    '9',
  );
  openssl('pkcs12', '-export', '-inkey', 'k.pem', '-in', 'c.pem', '-passout', 'pass:maçã', '-out', 'maria.p12');
}
writeFileSync(at('plain.pdf'), simplePdf());
writeFileSync(at('password.txt'), 'maçã\n');
const rootKey = { certificate: root.certificate, privateKey: root.keys.privateKey };
writeFileSync(at('root.pem'), root.certificate.toString('pem'));
writeFileSync(at('list.crl'), await rootRevocationList(rootKey));
writeFileSync(at('number.der'), Uint8Array.of(0x30, 0x03, 0x02, 0x01, 0x07));

interface Ended {
  code: number;
  out: string;
  error: string;
}

/** `lavra-pades` in a process of its own. */
function lavra(line: string[], options: { environment?: Record<string, string>; input?: string } = {}): Promise<Ended> {
  const script = join(import.meta.dirname, 'main.ts');
  return new Promise((resolve) => {
    const env = { ...process.env, ...options.environment };
    const child = execFile(process.execPath, [script, ...line], { cwd: folder, env, timeout: 120_000 }, (error, out, said) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, out, error: said });
    });
    child.stdin?.end(options.input ?? '');
  });
}

const certificate = ['--p12', 'maria.p12', '--password-file', 'password.txt'];

test('signs, extends and inspects, one file after the other, and others find the signature good', { skip: missing }, async () => {
  const box = ['--page', '1', '--rect', '50,60,150,75', '--text', 'Assinado por\\nMaria', '--field', 'maria'];
  const under = ['--tsa', tsa, '--policy', 'AD-RT', '--json'];
  const signed = await lavra(['sign', 'plain.pdf', '--out', 'signed.pdf', ...certificate, ...under, ...box]);
  assert.equal(signed.code, 0, signed.error + signed.out);
  const size = readFileSync(at('signed.pdf')).length;
  const policy = '2.16.76.1.7.1.12.1.3';
  assert.deepEqual(JSON.parse(signed.out), { command: 'sign', ok: true, out: 'signed.pdf', field: 'maria', level: 'B-T', policy, size });
  const second = await lavra(['sign', 'signed.pdf', '--out', 'twice.pdf', ...certificate]);
  assert.equal(second.code, 0, second.error);
  assert.match(second.out, /^Assinado no campo Signature1, nível B-B: twice\.pdf\n$/);
  const extended = await lavra(['extend', 'twice.pdf', '--out', 'lta.pdf', '--level', 'B-LTA', '--tsa', tsa, '--crl', 'list.crl']);
  assert.equal(extended.code, 0, extended.error);
  const inspected = await lavra(['inspect', 'lta.pdf', '--json']);
  assert.equal(inspected.code, 0);
  const said = JSON.parse(inspected.out) as { signatures: { name: string; kind: string }[]; pageCount: number };
  assert.equal(said.pageCount, 1);
  assert.deepEqual(
    said.signatures.map(({ name, kind }) => [name, kind]),
    [
      ['maria', 'signature'],
      ['Signature1', 'signature'],
      ['Timestamp1', 'timestamp'],
    ],
  );
  const human = await lavra(['inspect', 'lta.pdf']);
  assert.match(
    human.out,
    /PDF 1\.7, 1 página, [\d.]+ bytes, 5 revisões\nPode ser assinado\nAinda se pode: criar campos visíveis de assinatura, assinar\nCampo maria: assinado \(ETSI\.CAdES\.detached\), cobre os primeiros [\d.]+ bytes\n {2}Depois dela: {3}campo de assinatura acrescentado: Signature1\n/,
  );
  const bytes = new Uint8Array(readFileSync(at('lta.pdf')));
  assert.deepEqual(bytes.subarray(0, size), new Uint8Array(readFileSync(at('signed.pdf'))));
  if (await hasTool('pdfsig')) assert.deepEqual(await pdfsig(bytes), { valid: 2, total: 1 });
});

test('verify tells of each signature what it is worth and why, and ends with 0, 6 or 1', { skip: missing }, async () => {
  const signed = await lavra(['sign', 'plain.pdf', '--out', 'verify.pdf', ...certificate, '--field', 'maria']);
  assert.equal(signed.code, 0, signed.error);
  const trusted = ['verify', 'verify.pdf', '--trust', 'c.pem'];
  const good = await lavra(trusted);
  assert.equal(good.code, 0, good.out + good.error);
  assert.match(
    good.out,
    /^Tudo certo: o documento é o que foi assinado por Maria\.\nAssinatura 1 de 1: VÁLIDA\n {2}Assinada por: {2}Maria\n {2}Autoridade: {4}Maria:52998224725 \(--trust\)\n/,
  );
  assert.match(good.out, /\n {2}Campo: {9}maria \(cobre o arquivo todo\)\nResultado: VÁLIDA\n$/);
  const stranger = await lavra(['verify', 'verify.pdf', '--json']);
  assert.equal(stranger.code, 6);
  const said = JSON.parse(stranger.out) as { indication: string; signatures: { reasons: string[]; chain: { der: string }[] }[] };
  assert.deepEqual([said.indication, said.signatures[0]?.reasons], ['INDETERMINATE', ['CHAIN_UNTRUSTED']]);
  assert.match(said.signatures[0]?.chain[0]?.der ?? '', /^MII/);
  assert.match(
    (await lavra(['verify', 'verify.pdf'])).out,
    /INDETERMINADA.*\n.*CHAIN_UNTRUSTED.*\n(.*\n)*Nenhuma autoridade de confiança/s,
  );
  const late = await lavra([...trusted, '--at', '2100-01-01T00:00:00Z']);
  assert.equal(late.code, 6, late.out);
  const bytes = readFileSync(at('verify.pdf'));
  bytes[bytes.indexOf('MediaBox') + 10] = 0x31;
  writeFileSync(at('changed.pdf'), bytes);
  const changed = await lavra(['verify', 'changed.pdf', '--trust', 'c.pem']);
  assert.equal(changed.code, 1);
  assert.match(
    changed.out,
    /^Não confie neste arquivo: .*\nAssinatura 1 de 1: INVÁLIDA \(HASH_FAILURE\)\n(.*\n)* {2}Motivo: {8}o conteúdo assinado foi alterado.* \[DIGEST_MISMATCH\]\n/,
  );
  assert.equal((await lavra(['verify', 'plain.pdf'])).code, 1);
  assert.equal((await lavra([...trusted, '--at', 'ontem'])).code, 2);
});

test('verify takes lists and answers from files: good, revoked, and what is neither is refused', { skip: missing }, async () => {
  const signer = await issueSignerCertificate(root, 'Ana');
  const [issued, authority] = [signer, root].map(({ certificate }) => parseCertificate(new Uint8Array(certificate.rawData)));
  assert.ok(issued && authority);
  const request = await ocspRequest(issued, authority);
  writeFileSync(at('good.ocsp'), await answerOcsp(request, root, [{ serial: issued.serial }]));
  writeFileSync(at('revoked.ocsp'), await answerOcsp(request, root, [{ serial: issued.serial, revoked: true }]));
  writeFileSync(at('revoked.crl'), await rootRevocationList(rootKey, new Date(), [issued.serial]));
  writeFileSync(
    at('ana.pem'),
    `${signer.certificate.toString('pem')}\n${(await privateKeyOf(signer)).export({ format: 'pem', type: 'pkcs8' })}`,
  );
  execFileSync('openssl', ['pkcs12', '-export', '-in', 'ana.pem', '-passout', 'pass:maçã', '-out', 'ana.p12'], { cwd: folder });
  const signed = await lavra(['sign', 'plain.pdf', '--out', 'ana.pdf', '--p12', 'ana.p12', '--password-file', 'password.txt']);
  assert.equal(signed.code, 0, signed.error);
  const verify = (...more: string[]): Promise<Ended> => lavra(['verify', 'ana.pdf', '--trust', 'root.pem', ...more]);
  const alone = await verify();
  assert.equal(alone.code, 6, alone.out);
  assert.match(alone.out, /\(--crl, --ocsp\) \[REVOCATION_UNKNOWN\]/);
  for (const proof of ['--ocsp=good.ocsp', '--crl=list.crl']) assert.equal((await verify(proof)).code, 0, proof);
  for (const proof of [['--ocsp=revoked.ocsp'], ['--crl=revoked.crl'], ['--ocsp=good.ocsp', '--ocsp=revoked.ocsp']]) {
    const revoked = await verify(...proof);
    assert.notEqual(revoked.code, 0);
    assert.match(revoked.out, /\[CERTIFICATE_REVOKED\]/, proof.join(' '));
  }
  const faults = [
    ['--ocsp=list.crl', /OCSP/],
    ['--crl=number.der', /lista/],
    ['--trust=list.crl', /certificado/],
    ['--chain=number.der', /certificado/],
  ] as const;
  for (const [option, message] of faults) {
    const { code, error } = await verify(option);
    assert.equal(code, 3, option);
    assert.match(error, message);
  }
  assert.equal((await verify('--icp-brasil=root.pem')).code, 1, 'a list without a root of ICP-Brasil is no trust');
});

test('a name out of a file cannot forge a verdict on the terminal', { skip: missing }, async () => {
  const name = 'x\r\u001b[2K\u202emaria: válida';
  const signed = await lavra(['sign', 'plain.pdf', '--out', 'escape.pdf', ...certificate, '--field', name]);
  assert.equal(signed.code, 0, signed.error);
  const said = await lavra(['verify', 'escape.pdf']);
  assert.match(
    said.out,
    /^Não dá para afirmar: .*\nAssinatura 1 de 1: INDETERMINADA .*\n(.*\n)* {2}Campo: {9}x\ufffd\ufffd\[2K\ufffdmaria: válida /,
  );
});

test(
  'the password comes from the environment or standard input too, and a wrong one is refused by its code',
  { skip: missing },
  async () => {
    const line = ['sign', 'plain.pdf', '--p12', 'maria.p12'];
    const environment = { LAVRA_P12_PASSWORD: 'maçã' };
    assert.equal((await lavra([...line, '--out', 'a.pdf'], { environment })).code, 0);
    assert.equal((await lavra([...line, '--out', 'b.pdf', '--password-file', '-'], { input: 'maçã\n' })).code, 0);
    const wrong = await lavra([...line, '--out', 'c.pdf', '--password-file', '-', '--json'], { input: 'pera\n' });
    assert.equal(wrong.code, 1);
    assert.equal((JSON.parse(wrong.out) as { code: string }).code, 'P12_WRONG_PASSWORD');
    const none = await lavra([...line, '--out', 'c.pdf']);
    assert.equal(none.code, 2);
    assert.match(none.error, /LAVRA_P12_PASSWORD/);
  },
);

test('each way to fail has its exit code: refused 1, usage 2, files 3, network 4', { skip: missing }, async () => {
  const sign = (more: string[]): Promise<Ended> => lavra(['sign', 'plain.pdf', ...certificate, ...more]);
  writeFileSync(at('junk.pdf'), 'not a pdf');
  const cases: [Promise<Ended>, number, RegExp][] = [
    [lavra(['inspect', 'junk.pdf']), 1, /NOT_A_PDF/],
    [sign(['--out', 'x.pdf', '--policy', 'AD-RT']), 1, /INVALID_PLAN/],
    [sign(['--out', 'x.pdf', '--digest', 'md5']), 2, /sha256, sha384, sha512/],
    [sign([]), 2, /--out/],
    [sign(['--out', 'x.pdf', '--colour', 'red']), 2, /colour/],
    [sign(['--out', 'x.pdf', '--rect', '1,2']), 2, /--rect/],
    [lavra([]), 2, /Uso: lavra-pades/],
    [lavra(['seal']), 2, /Comando desconhecido: seal/],
    [lavra(['extend', 'plain.pdf', '--out', 'x.pdf', '--level', 'B-LTA', '--crl', 'list.crl']), 2, /--tsa/],
    [lavra(['inspect', 'nowhere.pdf']), 3, /ENOENT/],
    [lavra(['verify', '.']), 3, /EISDIR/],
    [lavra(['verify', '/dev/null']), 3, /ESPIPE/],
    [sign(['--out', 'plain.pdf']), 3, /já existe/],
    [sign(['--out', 'no/where.pdf']), 3, /ENOENT/],
    [sign(['--out', 'x.pdf', '--tsa', 'http://127.0.0.1:1/']), 4, /carimbo do tempo/],
    [sign(['--out', 'x.pdf', '--tsa', `${tsa}broken`]), 4, /HTTP 500/],
  ];
  for (const [ended, code, message] of cases) {
    const { code: actual, error, out } = await ended;
    assert.equal(actual, code, error + out);
    assert.match(error, message);
  }
  assert.throws(() => readFileSync(at('x.pdf')), 'nothing half-made is left');
});

test('help is printed and is no failure', async () => {
  for (const line of [['--help'], ['sign', '--help'], ['extend', '--help'], ['inspect', '--help'], ['verify', '--help']]) {
    const { code, out } = await lavra(line);
    assert.equal(code, 0);
    assert.match(out, /^Uso: lavra-pades/);
  }
});

test('it speaks the language that LAVRA_LANGUAGE names, Portuguese without it, and the same codes to machines', async () => {
  const said = {
    'pt-br': /^Não há assinatura neste arquivo$/m,
    en: /^There is no signature in this file$/m,
    es: /^No hay ninguna firma en este archivo$/m,
  };
  const missing = { 'pt-br': /^falta --out$/m, en: /^--out is missing$/m, es: /^falta --out$/m };
  const usage = { 'pt-br': /^Uso: .* <arquivo\.pdf>/, en: /^Usage: .* <file\.pdf>/, es: /^Uso: .* <archivo\.pdf>/ };
  for (const language of ['pt-br', 'en', 'es'] as const) {
    const environment = { LAVRA_LANGUAGE: language };
    assert.match((await lavra(['verify', 'plain.pdf'], { environment })).out, said[language]);
    assert.match((await lavra(['sign', 'plain.pdf'], { environment })).error, missing[language]);
    assert.match((await lavra(['verify', '--help'], { environment })).out, usage[language]);
  }
  const json = await lavra(['sign', 'plain.pdf', '--json'], { environment: { LAVRA_LANGUAGE: 'en' } });
  assert.deepEqual(JSON.parse(json.out), { command: 'sign', ok: false, code: 'USAGE', message: '--out is missing' });
});
