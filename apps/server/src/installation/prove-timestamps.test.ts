import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createIcpBrasilPki, type IcpBrasilPki, timestampAuthority, type Tree } from '@lavra/make-believe';
import pino from 'pino';
import { readConfig } from '../config.ts';
import { httpTimestampAuthority } from '../http-timestamp-authority.ts';
import { StartFault } from '../start-fault.ts';
import { makeBelieveTrust } from '../testing/certificates.ts';
import { approvedPolicies, policiesFolder, publishedPolicies } from '../testing/policies.ts';
import { nextListOf, readPolicyArtifacts } from './policy-artifacts.ts';
import { proveTimestamps } from './prove-timestamps.ts';

const log = pino({ level: 'silent' });
const user = 'lavra:s%C3%A9gredo@';
let pki: IcpBrasilPki;
const stamps = new Map<string, (request: Uint8Array) => Uint8Array>();
const server = createServer((request, response) => {
  const knows = request.headers.authorization === `Basic ${Buffer.from('lavra:ségredo').toString('base64')}`;
  const stamp = stamps.get(request.url ?? '');
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (!knows) return response.writeHead(401).end();
    if (request.url === '/busy') return response.writeHead(503).end();
    // A request that is none is rejected by RFC 3161's own status.
    response.end(stamp?.(request.url === '/refusing' ? Uint8Array.of(1) : Buffer.concat(chunks)));
  });
});

before(async () => {
  pki = await createIcpBrasilPki();
  for (const [path, tree] of [
    ['/act', 'v12'],
    ['/refusing', 'v12'],
    ['/outside', 'outside'],
  ] satisfies [string, Tree][]) {
    const { certificate, chain, key } = await pki.issueTimestampAuthority('ACT', { tree });
    stamps.set(path, timestampAuthority({ certificate, chain: chain.slice(0, -1), key }));
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
after(() => server.close());

async function proven(path: string, who = user): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const url = path === '/away' ? 'http://127.0.0.1:1/' : `http://${who}127.0.0.1:${port}${path}`;
  const icpBrasilTsa = { url };
  const icpBrasilTimestamps = { ...httpTimestampAuthority(icpBrasilTsa, [], null), trust: makeBelieveTrust(pki) };
  const config = { ...readConfig({}), icpBrasilTsa };
  return proveTimestamps({ config, icpBrasilTimestamps, log }).then(
    () => 'good',
    (error: unknown) => (error instanceof StartFault ? error.message : String(error)),
  );
}

describe('a start with a timestamp authority of ICP-Brasil', () => {
  it('goes on with one that knows us and is below a root of ICP-Brasil, and with one that is away', async () => {
    assert.deepEqual(await Promise.all(['/act', '/away', '/busy'].map((path) => proven(path))), ['good', 'good', 'good']);
  });

  it('is refused with one that is below another root, does not know us, or refuses', async () => {
    assert.match(await proven('/outside'), /^TSA_ICP_BRASIL_URL: its timestamp cannot be used: .*below none of the anchors$/);
    for (const who of ['', 'lavra:outra@']) assert.match(await proven('/act', who), /^TSA_ICP_BRASIL_URL: the authority does not know us/);
    assert.equal(await proven('/refusing'), 'TSA_ICP_BRASIL_URL: the authority refuses (status 2)');
  });

  it('names no secret in its fault', async () => {
    assert.ok(!(await proven('/act', 'lavra:outra@')).includes('outra'));
  });
});

describe('ITI’s files for AD-RA', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lavra-policies-'));
  after(() => rmSync(folder, { recursive: true }));
  const faultOf = (path: string) =>
    readPolicyArtifacts(path).then(
      () => 'good',
      (error: unknown) => (error instanceof StartFault ? error.message : String(error)),
    );

  it('that are missing, or pages that say so, are told by name', async () => {
    assert.match(await faultOf(join(folder, 'gone')), /^LAVRA_ICP_BRASIL_POLICIES: there is no such file or folder: .*gone/);
    for (const name of ['PA_PAdES_AD_RA_v1_4.der', 'LPA_PAdES.der', 'LPA_PAdES.p7s']) writeFileSync(join(folder, name), '<html>404</html>');
    assert.match(await faultOf(folder), /is not what ITI publishes/);
    writeFileSync(join(folder, 'LPA_PAdES.der'), approvedPolicies('PA_PAdES_AD_RA_v1_4.der', new Date()));
    for (const name of ['PA_PAdES_AD_RA_v1_4.der', 'LPA_PAdES.p7s']) writeFileSync(join(folder, name), Uint8Array.of(0x30, 0));
    assert.equal(await faultOf(folder), 'LAVRA_ICP_BRASIL_POLICIES: PA_PAdES_AD_RA_v1_4.der is another policy');
  });

  it('are taken as published; a list that does not approve of the policy is not', { skip: !publishedPolicies() }, async () => {
    const given = policiesFolder(new Date('2030-02-03T04:05:06Z')) ?? '';
    assert.equal(await faultOf(given), 'good');
    assert.deepEqual(nextListOf(await readPolicyArtifacts(given)), new Date('2030-02-03T04:05:06Z'));
    writeFileSync(join(given, 'LPA_PAdES.der'), approvedPolicies('PA_PAdES_AD_RA_v1_3.der', new Date()));
    assert.match(await faultOf(given), /LPA_PAdES\.der does not approve of PA_PAdES_AD_RA_v1_4\.der/);
    rmSync(given, { recursive: true });
  });
});
