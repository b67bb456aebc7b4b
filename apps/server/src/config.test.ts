import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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

  it('takes an empty variable for an unset one', () => {
    assert.equal(readConfig({ SMTP_URL: '', PORT: '' }).smtpUrl, null);
  });
});
