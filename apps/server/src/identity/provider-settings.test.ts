import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readProviderSettings } from './provider-settings.ts';

const credentials = (id: string) => ({
  [`LAVRA_OIDC_${id}_CLIENT_ID`]: 'nosso',
  [`LAVRA_OIDC_${id}_CLIENT_SECRET`]: 'segredo-que-ninguem-ve',
});

function read(given: Record<string, string>) {
  const faults: string[] = [];
  const settings = readProviderSettings(given, faults);
  return { settings, faults };
}

describe('the configured sign-in providers', () => {
  it('come in the order of their list, with what is known of them beforehand', () => {
    const { settings, faults } = read({ LAVRA_OIDC_PROVIDERS: 'govbr, google', ...credentials('GOOGLE'), ...credentials('GOVBR') });
    assert.deepEqual(faults, []);
    assert.deepEqual(
      settings.map(({ id, name, issuer, clientAuth, cpfClaim }) => [id, name, issuer, clientAuth, cpfClaim]),
      [
        ['govbr', 'gov.br', 'https://sso.acesso.gov.br/', 'basic', 'sub'],
        ['google', 'Google', 'https://accounts.google.com', 'post', null],
      ],
    );
  });

  it('may be anybody’s: a name and an issuer of their own', () => {
    const own = { LAVRA_OIDC_PROVIDERS: 'acme', ...credentials('ACME'), LAVRA_OIDC_ACME_ISSUER: 'https://id.acme.com.br/realms/a' };
    const { settings, faults } = read({ ...own, LAVRA_OIDC_ACME_NAME: 'Acme S.A.', LAVRA_OIDC_ACME_EMAIL_TRUST: 'always' });
    assert.deepEqual(faults, []);
    assert.deepEqual([settings[0]?.name, settings[0]?.emailTrust, settings[0]?.scope], ['Acme S.A.', 'always', 'openid email profile']);
  });

  it('of another issuer have nothing of the known one’s addresses', () => {
    const { settings } = read({
      LAVRA_OIDC_PROVIDERS: 'facebook',
      ...credentials('FACEBOOK'),
      LAVRA_OIDC_FACEBOOK_ISSUER: 'https://id.exemplo.com.br',
    });
    assert.deepEqual([settings[0]?.metadata, settings[0]?.tokenEndpoint], [undefined, undefined]);
  });

  it('do not trust an e-mail of Microsoft’s without its domain’s owner', () => {
    const { settings } = read({ LAVRA_OIDC_PROVIDERS: 'microsoft', ...credentials('MICROSOFT') });
    assert.equal(settings[0]?.emailTrust, 'domain-owner');
  });

  it('have their faults named together, never with a secret', () => {
    const { faults } = read({
      LAVRA_OIDC_PROVIDERS: 'google,acme',
      LAVRA_OIDC_GOOGLE_CLIENT_SECRET: 'segredo-que-ninguem-ve',
      LAVRA_OIDC_GOOGLE_CLIENT_ID: 'nosso',
      LAVRA_OIDC_GOOGLE_SECRET: 'segredo-que-ninguem-ve',
      LAVRA_OIDC_GOGLE_CLIENT_ID: 'nosso',
      LAVRA_OIDC_GOOGLE_SCOPE: 'email',
      LAVRA_OIDC_ACME_ISSUER: 'http://id.acme.com.br',
    });
    assert.deepEqual(
      faults.map((fault) => fault.split(':')[0]),
      [
        'LAVRA_OIDC_GOOGLE_SECRET',
        'LAVRA_OIDC_GOGLE_CLIENT_ID',
        'LAVRA_OIDC_GOOGLE_SCOPE',
        'LAVRA_OIDC_ACME_ISSUER',
        'LAVRA_OIDC_ACME_CLIENT_ID',
        'LAVRA_OIDC_ACME_CLIENT_SECRET',
        'LAVRA_OIDC_ACME_ISSUER',
      ],
    );
    assert.ok(!faults.join('\n').includes('segredo'), faults.join('\n'));
  });
});
