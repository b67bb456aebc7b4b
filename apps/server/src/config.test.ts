import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { configurePscs } from '@lavra/psc';
import { createIcpBrasilPki, createRoot, issueTimestampCertificate } from '@lavra/test-pki';
import { ConfigError, readConfig } from './config.ts';

function faultsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.faults.map((fault) => fault.split(':')[0] ?? '');
  }
}

describe('the configuration', () => {
  it('needs nothing in development', () => {
    const config = readConfig({});
    assert.deepEqual(
      [config.profile, config.host, config.port, config.databaseUrl, config.enumerationProtection],
      ['dev', '127.0.0.1', 8080, null, true],
    );
    assert.equal(config.maxUploadBytes, 100 * 1024 * 1024);
    assert.match(config.dataDir, /\.lavra$/);
  });

  it('names every fault at once', () => {
    assert.deepEqual(faultsOf({ PORT: 'x', DATABASE_URL: 'mysql://x', LAVRA_SECRET: 'short', LAVRA_SERVICES: 'web,other' }), [
      'PORT',
      'DATABASE_URL',
      'LAVRA_SECRET',
      'LAVRA_SERVICES.1',
    ]);
  });

  it('demands in production what development makes up', () => {
    assert.deepEqual(faultsOf({ LAVRA_PROFILE: 'prod', DATABASE_URL: 'postgres://db/lavra' }), [
      'LAVRA_PUBLIC_URL',
      'SMTP_URL',
      'LAVRA_SECRET',
    ]);
    assert.deepEqual(faultsOf({ LAVRA_PROFILE: 'prod', LAVRA_PUBLIC_URL: 'https://assina.exemplo.com.br/', SMTP_URL: 'smtp://mail' }), []);
  });

  it('refuses single sign-on instead of ignoring it', () => {
    assert.deepEqual(faultsOf({ LAVRA_SSO: 'true' }), ['LAVRA_SSO']);
  });

  it('refuses roots of the make-believe world in the prod profile', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'lavra-config-'));
    const pki = await createIcpBrasilPki();
    const stamps = await createRoot('Raiz de carimbo do tempo de desenvolvimento');
    const path = (name: string, der: Uint8Array) => {
      const file = join(directory, name);
      writeFileSync(file, new X509Certificate(der).toString());
      return file;
    };
    const prod = { LAVRA_PROFILE: 'prod', LAVRA_PUBLIC_URL: 'https://assina.exemplo.com.br/', SMTP_URL: 'smtp://mail' };
    const [level2] = pki.intermediates;
    assert.ok(level2);
    for (const der of [pki.roots.v5, pki.roots.v12, level2, new Uint8Array(stamps.certificate.rawData)]) {
      const file = path('one.pem', der);
      assert.deepEqual(faultsOf({ ...prod, LAVRA_ICP_BRASIL_CAS: file }), ['LAVRA_ICP_BRASIL_CAS']);
      assert.deepEqual(faultsOf({ ...prod, LAVRA_GOV_BR_CAS: file }), ['LAVRA_GOV_BR_CAS']);
      assert.deepEqual(faultsOf({ ...prod, TSA_URL: 'https://carimbo.exemplo.com.br/', TSA_ROOTS: file }), ['TSA_ROOTS']);
      assert.deepEqual(faultsOf({ LAVRA_ICP_BRASIL_CAS: file }), []);
    }
    rmSync(directory, { recursive: true });
  });

  it('reads the roots of the timestamp authority when it starts, and refuses what is none', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'lavra-config-'));
    const path = (name: string, text: string) => {
      writeFileSync(join(directory, name), text);
      return join(directory, name);
    };
    const { certificate } = await createRoot('Raiz');
    const leaf = await issueTimestampCertificate(await createRoot('Raiz'), 'Folha');
    const TSA_URL = 'https://carimbo.exemplo.com.br/';
    const good = path('good.pem', `# a comment\n${certificate.toString('pem')}\n`);
    assert.deepEqual(readConfig({ TSA_URL, TSA_ROOTS: good }).tsaRoots, [new Uint8Array(certificate.rawData)]);
    for (const TSA_ROOTS of [
      join(directory, 'missing.pem'),
      directory,
      path('empty.pem', ''),
      path('broken.pem', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'),
      path('leaf.pem', leaf.certificate.toString('pem')),
    ])
      assert.deepEqual(faultsOf({ TSA_URL, TSA_ROOTS }), ['TSA_ROOTS'], TSA_ROOTS);
    assert.deepEqual(faultsOf({ TSA_ROOTS: good }), ['TSA_ROOTS'], 'roots of nobody');
    rmSync(directory, { recursive: true });
  });

  it('takes hosts that may be fetched from though they are private, one by one', () => {
    const { allowedPrivateHosts } = readConfig({ LAVRA_ALLOW_PRIVATE_FETCH: 'crl.intranet, 10.1.2.3:8080,' });
    assert.deepEqual(allowedPrivateHosts, [
      { hostname: 'crl.intranet', port: null },
      { hostname: '10.1.2.3', port: 8080 },
    ]);
    assert.deepEqual(faultsOf({ LAVRA_ALLOW_PRIVATE_FETCH: '10.0.0.0/8,*' }), ['LAVRA_ALLOW_PRIVATE_FETCH', 'LAVRA_ALLOW_PRIVATE_FETCH']);
  });

  it('reads the cloud providers, one variable for each thing that differs', () => {
    const { pscs } = readConfig({
      LAVRA_PSC_BIRDID_CLIENT_ID: 'lavra',
      LAVRA_PSC_BIRDID_CLIENT_SECRET: 'segredo',
      LAVRA_PSC_BIRDID_ENVIRONMENT: 'homologation',
      LAVRA_PSC_SYN_CLIENT_ID: 'lavra',
      LAVRA_PSC_SYN_CLIENT_SECRET: 'segredo',
      LAVRA_PSC_SYN_BASE_URL: 'https://syn.example/',
      LAVRA_PSC_SYN_HASH_ENCODING: 'hex',
      LAVRA_PSC_SYN_MAX_HASHES: '10',
      LAVRA_PSC_SYN_AUTHORIZATION: 'push',
      LAVRA_PSC_NEOID_CLIENT_ID: '',
    });
    assert.deepEqual(pscs, {
      BIRDID: { clientId: 'lavra', clientSecret: 'segredo', environment: 'homologation' },
      SYN: {
        clientId: 'lavra',
        clientSecret: 'segredo',
        baseUrl: 'https://syn.example/',
        hashEncoding: 'hex',
        maxHashes: 10,
        authorization: 'push',
      },
    });
    assert.deepEqual(
      configurePscs(pscs).map(({ id, baseUrl, maxHashes }) => [id, baseUrl, maxHashes]),
      [
        ['BIRDID', 'https://apihom.birdid.com.br', null],
        ['SYN', 'https://syn.example', 10],
      ],
    );
  });

  it('names every fault of the cloud providers at once, and no secret with it', () => {
    const environment = {
      LAVRA_PSC_BIRDI_CLIENT_ID: 'lavra',
      LAVRA_PSC_BIRDID_CLIENTID: 'lavra',
      LAVRA_PSC_NEOID_CLIENT_SECRET: 'muito-secreto',
      LAVRA_PSC_NEOID_ENVIRONMENT: 'homologation',
      LAVRA_PSC_SAFEID_CLIENT_ID: 'lavra',
      LAVRA_PSC_SAFEID_BASE_URL: 'http://usuario:muito-secreto@safeid.example',
      LAVRA_PSC_VIDAAS_ENVIRONMENT: 'teste',
      LAVRA_PSC_VIDAAS_HASH_ENCODING: 'base32',
      LAVRA_PSC_VIDAAS_MAX_HASHES: '0',
      LAVRA_PSC_VIDAAS_AUTHORIZATION: 'vendor',
      LAVRA_PSC_DSCLOUD_CLIENT_ID: 'lavra',
      LAVRA_PSC_DSCLOUD_CLIENT_SECRET: 'muito-secreto',
    };
    assert.deepEqual(faultsOf(environment).toSorted(), [
      'LAVRA_PSC_BIRDID_CLIENTID',
      'LAVRA_PSC_BIRDI_CLIENT_ID',
      'LAVRA_PSC_DSCLOUD_BASE_URL',
      'LAVRA_PSC_NEOID_BASE_URL',
      'LAVRA_PSC_NEOID_CLIENT_ID',
      'LAVRA_PSC_SAFEID_BASE_URL',
      'LAVRA_PSC_SAFEID_CLIENT_SECRET',
      'LAVRA_PSC_VIDAAS_AUTHORIZATION',
      'LAVRA_PSC_VIDAAS_ENVIRONMENT',
      'LAVRA_PSC_VIDAAS_HASH_ENCODING',
      'LAVRA_PSC_VIDAAS_MAX_HASHES',
    ]);
    assert.throws(
      () => readConfig(environment),
      (error) => error instanceof ConfigError && !error.message.includes('secreto'),
    );
  });

  it('takes an empty variable for an unset one', () => {
    assert.equal(readConfig({ SMTP_URL: '', PORT: '' }).smtpUrl, null);
  });
});
