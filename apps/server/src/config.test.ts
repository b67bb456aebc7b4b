import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { configurePscs } from '@lavra/psc';
import { createIcpBrasilPki, createRoot, issueTimestampCertificate } from '@lavra/make-believe';
import { variables } from './config-variables.ts';
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

/** What production demands. */
const prod = {
  LAVRA_PROFILE: 'prod',
  LAVRA_PUBLIC_URL: 'https://assina.exemplo.com.br/',
  SMTP_URL: 'smtp://mail',
  MAIL_FROM: 'Lavra <nao-responda@exemplo.com.br>',
};

/** Whole sentences. */
function sentencesOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.faults;
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
      'LAVRA_SERVICES',
    ]);
  });

  it('takes one to four https services that browsers ask for their address, and asks none by default', () => {
    const of = (given: string) => readConfig({ LAVRA_IP_LOOKUP_URLS: given }).ipLookupUrls;
    const one = 'https://ip.exemplo.com.br/json?a=1';
    assert.deepEqual(readConfig({}).ipLookupUrls, []);
    assert.deepEqual(of(` ${one}, https://b.test/`), [one, 'https://b.test/']);
    assert.equal(of(Array(4).fill(one).join()).length, 4);
    for (const wrong of [
      Array(5).fill(one).join(),
      'http://ip.exemplo.com.br/',
      `${one},`,
      'https://ana:x@b.test/',
      'https://b.test;script-src/',
      'b.test',
    ])
      assert.deepEqual(faultsOf({ LAVRA_IP_LOOKUP_URLS: wrong }), ['LAVRA_IP_LOOKUP_URLS'], wrong);
  });

  it('tells faults of form and what is missing together', () => {
    assert.deepEqual(sentencesOf({ LAVRA_PROFILE: 'prod', PORT: 'abc', DATABASE_URL: 'postgres://db/lavra', S3_REGION: 'sa-east-1' }), [
      'PORT: a number from 0 to 65535',
      'LAVRA_PUBLIC_URL: required in the prod profile (links in mails carry it)',
      'SMTP_URL: required in the prod profile (there is no mailbox to catch mails)',
      'MAIL_FROM: required in the prod profile (mails come from somebody)',
      'LAVRA_SECRET: required in the prod profile (all nodes share it, beside DATABASE_URL)',
      'S3_BUCKET: missing beside S3_REGION',
    ]);
    assert.ok(faultsOf({ LAVRA_PROFILE: 'production' }).includes('SMTP_URL'), 'what is not dev was meant to be prod');
  });

  it('names every variable that it does not know, and the one that was probably meant', () => {
    const meant = {
      TRUSTED_PROXY: 'TRUSTED_PROXIES',
      LAVRA_TRUSTED_PROXIES: 'TRUSTED_PROXIES',
      LAVRA_DATABASE_URL: 'DATABASE_URL',
      LAVRA_PORT: 'PORT',
      LAVRA_PUBLICURL: 'LAVRA_PUBLIC_URL',
      lavra_secret: 'LAVRA_SECRET',
      SMTP_HOST: 'SMTP_URL',
      SMTP_PORT: 'SMTP_URL',
      MAIL_SENDER: 'MAIL_FROM',
      S3_ACCESS_KEY: 'S3_ACCESS_KEY_ID',
      S3_SECRET_KEY: 'S3_SECRET_ACCESS_KEY',
      TSA_ROOT: 'TSA_ROOTS',
    };
    for (const [name, nearest] of Object.entries(meant))
      assert.deepEqual(sentencesOf({ [name]: '1' }), [`${name}: unknown; did you mean ${nearest}?`]);
    assert.deepEqual(sentencesOf({ LAVRA_COLOUR_OF_THE_HOUSE: 'blue' }), [
      'LAVRA_COLOUR_OF_THE_HOUSE: unknown; docs/operating.md lists what there is',
    ]);
  });

  it('leaves alone what others put into an environment, and what its own tests and tools read', () => {
    const strangers = { PATH: '/bin', MAIL: '/var/mail/root', S3FS: '1', LOG_LEVEL: 'x', CHROMIUM: '/usr/bin/chromium', TRUST: '1' };
    const tools = { LAVRA_TEST_DATABASE_URL: 'x', LAVRA_POLICIES: 'x', LAVRA_CORPUS: 'x', LAVRA_ICP_BRASIL: 'x', LAVRA_P12_PASSWORD: 'x' };
    const orchestrator = {
      LAVRA_SERVICE_HOST: '10.0.0.1',
      LAVRA_SERVICE_PORT: '80',
      LAVRA_SERVICE_PORT_HTTP: '80',
      LAVRA_PORT: 'tcp://10.0.0.1:80',
      LAVRA_PORT_80_TCP: 'tcp://10.0.0.1:80',
      LAVRA_PORT_80_TCP_ADDR: '10.0.0.1',
      LAVRA_DB_PORT_5432_TCP_PROTO: 'tcp',
    };
    assert.deepEqual(sentencesOf({ ...strangers, ...tools, ...orchestrator }), []);
  });

  it('takes no half of what belongs together', () => {
    const S3_BUCKET = 'lavra';
    assert.deepEqual(sentencesOf({ S3_BUCKET, S3_ACCESS_KEY_ID: 'id' }), ['S3_SECRET_ACCESS_KEY: missing beside S3_ACCESS_KEY_ID']);
    assert.deepEqual(sentencesOf({ S3_BUCKET, S3_SECRET_ACCESS_KEY: 'x' }), ['S3_ACCESS_KEY_ID: missing beside S3_SECRET_ACCESS_KEY']);
    assert.deepEqual(sentencesOf({ S3_ENDPOINT: 'https://s3.test', S3_ACCESS_KEY_ID: 'x', S3_SECRET_ACCESS_KEY: 'x' }), [
      'S3_BUCKET: missing beside S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY',
    ]);
    assert.deepEqual(faultsOf({ S3_BUCKET }), [], 'a role of the machine gives the credentials');
    for (const SMTP_URL of ['smtp://ana@mail', 'smtp://:segredo@mail']) assert.deepEqual(faultsOf({ SMTP_URL }), ['SMTP_URL']);
    assert.deepEqual(faultsOf({ SMTP_URL: 'smtps://ana:segredo@mail:465' }), []);
  });

  it('takes for a public address an origin alone, in production over https unless told otherwise', () => {
    const publicUrl = (LAVRA_PUBLIC_URL: string) => faultsOf({ LAVRA_PUBLIC_URL });
    for (const faulty of [
      'https://lavra.test/app',
      'https://lavra.test/lavra?x=1#y',
      'https://lavra.test?x=1',
      'https://lavra.test/#y',
      'https://a@b.test',
      'https://a:b@c.test',
      'ftp://lavra.test',
      'lavra.test',
      'https://',
      'https://lavra test',
    ])
      assert.deepEqual(publicUrl(faulty), ['LAVRA_PUBLIC_URL'], faulty);
    assert.equal(readConfig({ LAVRA_PUBLIC_URL: 'https://Assina.Exemplo.com.br:443/' }).publicUrl, 'https://assina.exemplo.com.br');
    const plain = { ...prod, LAVRA_PUBLIC_URL: 'http://intranet' };
    assert.deepEqual(sentencesOf(plain), [
      'LAVRA_PUBLIC_URL: https in the prod profile, since links in mails are as good as keys; LAVRA_INSECURE=true allows http',
    ]);
    assert.equal(readConfig({ ...plain, LAVRA_INSECURE: 'true' }).publicUrl, 'http://intranet');
  });

  it('takes a sender that is one mailbox', () => {
    const sender = (MAIL_FROM: string) => faultsOf({ MAIL_FROM });
    for (const faulty of ['nobody', 'Lavra', 'Lavra <nobody>', 'a@b.test, c@d.test', 'Lavra, Ltda <a@b.test>', 'a@b.test <x', '<a@b.test'])
      assert.deepEqual(sender(faulty), ['MAIL_FROM'], faulty);
    for (const good of ['a@b.test', 'Lavra <a@b.test>', '"Lavra, Ltda" <a@b.test>', 'Assinaturas da Prefeitura <a@b.test>', '<a@b.test>'])
      assert.deepEqual(sender(good), [], good);
  });

  it('never shows a value, which may be a secret in the wrong place', () => {
    const secret = 'muito-secreto';
    const environment = {
      PORT: secret,
      LAVRA_SECRET: secret,
      DATABASE_URL: `postgres://lavra:${secret}%@db/lavra`,
      SMTP_URL: `smtp//ana:${secret}@mail`,
      LAVRA_PUBLIC_URL: `https://ana:${secret}@lavra.test`,
      S3_ENDPOINT: `https://ana:${secret}@s3.test`,
      LAVRA_ALLOW_PRIVATE_FETCH: `${secret}/*`,
      LAVRA_SERVICES: secret,
      LAVRA_SMTP_PASSWORD: secret,
      LAVRA_LOG_LEVEL: secret,
      MAIL_FROM: secret,
    };
    const said = sentencesOf(environment).join('\n');
    for (const name of Object.keys(environment)) assert.match(said, new RegExp(`^${name}: `, 'm'));
    assert.ok(!said.includes('secreto'), said);
  });

  it('has a row for every variable in docs/operating.md', async () => {
    const readme = await readFile(new URL('../../../docs/operating.md', import.meta.url), 'utf8');
    const section = readme.slice(readme.indexOf('## Configuration'));
    const rows = [...section.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, names = '']) =>
      [...names.matchAll(/`([A-Z0-9_]+)`/g)].map(([, name]) => name),
    );
    const missing = Object.keys(variables).filter((name) => !rows.includes(name));
    assert.deepEqual(missing, []);
    assert.deepEqual(
      rows.filter((name = '') => !name.startsWith('_') && !Object.hasOwn(variables, name)),
      [],
    );
  });

  it('demands in production what development makes up', () => {
    assert.deepEqual(faultsOf({ LAVRA_PROFILE: 'prod', DATABASE_URL: 'postgres://db/lavra' }), [
      'LAVRA_PUBLIC_URL',
      'SMTP_URL',
      'MAIL_FROM',
      'LAVRA_SECRET',
    ]);
    assert.deepEqual(faultsOf(prod), []);
  });

  it('has single sign-on with one of the providers, which must be named where there are several', () => {
    const one = (name: string) => ({
      [`LAVRA_OIDC_${name}_ISSUER`]: 'https://id.exemplo.com.br/realms/empresa',
      [`LAVRA_OIDC_${name}_CLIENT_ID`]: 'lavra',
      [`LAVRA_OIDC_${name}_CLIENT_SECRET`]: 'segredo',
    });
    const several = { LAVRA_OIDC_PROVIDERS: 'empresa,outra', ...one('EMPRESA'), ...one('OUTRA') };
    assert.deepEqual(faultsOf({ LAVRA_SSO: 'true' }), ['LAVRA_OIDC_PROVIDERS']);
    assert.deepEqual(faultsOf({ ...several, LAVRA_SSO: 'true' }), ['LAVRA_SSO_PROVIDER']);
    assert.deepEqual(faultsOf({ ...several, LAVRA_SSO: 'true', LAVRA_SSO_PROVIDER: 'terceira' }), ['LAVRA_SSO_PROVIDER']);
    assert.equal(readConfig({ ...several, LAVRA_SSO_PROVIDER: 'outra' }).sso, null, 'the flag is what turns it on');
    const given = { ...several, LAVRA_SSO: 'true', LAVRA_SSO_PROVIDER: 'outra', LAVRA_SSO_CREATE_PROCESS_ROLE: 'cria processos' };
    const roles = { LOGIN: null, CREATE_PROCESS: 'cria processos' };
    assert.deepEqual(readConfig(given).sso, { provider: 'outra', permissionRoles: roles });
    const alone = { LAVRA_OIDC_PROVIDERS: 'empresa', ...one('EMPRESA'), LAVRA_SSO: 'true', LAVRA_SSO_LOGIN_ROLE: 'entra' };
    assert.deepEqual(readConfig(alone).sso, { provider: 'empresa', permissionRoles: { LOGIN: 'entra', CREATE_PROCESS: null } });
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

  it('reads the timestamp authority of ICP-Brasil with what it needs beside it, and refuses it alone', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'lavra-config-'));
    const path = (name: string, text: string) => {
      writeFileSync(join(directory, name), text);
      return join(directory, name);
    };
    const { certificate } = await createRoot('Raiz');
    const LAVRA_ICP_BRASIL_CAS = path('cas.pem', certificate.toString('pem'));
    const TSA_ICP_BRASIL_URL = 'https://lavra:segredo@carimbo.exemplo.com.br/';
    const both = { TSA_ICP_BRASIL_URL, LAVRA_ICP_BRASIL_CAS };
    assert.deepEqual(readConfig(both).icpBrasilTsa, { url: TSA_ICP_BRASIL_URL, client: null });
    assert.deepEqual(faultsOf({ TSA_ICP_BRASIL_URL }), ['LAVRA_ICP_BRASIL_CAS']);
    assert.deepEqual(faultsOf({ ...both, TSA_ICP_BRASIL_URL: 'https://lavra@carimbo.exemplo.com.br/' }), ['TSA_ICP_BRASIL_URL']);
    assert.deepEqual(faultsOf({ TSA_ICP_BRASIL_CLIENT: LAVRA_ICP_BRASIL_CAS }), ['TSA_ICP_BRASIL_URL']);
    for (const TSA_ICP_BRASIL_CLIENT of [join(directory, 'gone.pem'), LAVRA_ICP_BRASIL_CAS, path('empty.pem', '')])
      assert.deepEqual(faultsOf({ ...both, TSA_ICP_BRASIL_CLIENT }), ['TSA_ICP_BRASIL_CLIENT'], TSA_ICP_BRASIL_CLIENT);
    const open = { ...prod, TSA_URL: 'http://lavra:segredo@carimbo.exemplo.com.br/' };
    assert.deepEqual([faultsOf(open), faultsOf({ ...open, LAVRA_INSECURE: 'true' })], [['TSA_URL'], []]);
    assert.deepEqual(faultsOf({ ...prod, LAVRA_ICP_BRASIL_POLICIES: directory }), ['TSA_ICP_BRASIL_URL']);
    assert.equal(readConfig({ LAVRA_ICP_BRASIL_POLICIES: directory }).policiesDir, directory);
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
