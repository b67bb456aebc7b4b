import { type EmailTrust, type PresetId, type ProviderPreset, providerPresets } from './provider-presets.ts';

/** A configured provider of identities. */
export interface ProviderSettings extends ProviderPreset {
  readonly id: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

const PREFIX = 'LAVRA_OIDC_';
const LIST = 'LAVRA_OIDC_PROVIDERS';
/** Names of providers. Who breaks it is told by the variable's own reader. */
export const PROVIDER_LIST = /^\s*[a-z][a-z0-9]{0,19}(\s*,\s*[a-z][a-z0-9]{0,19})*\s*$/;

type Setting = (value: string) => Partial<ProviderSettings> | null;

/** What each variable of a provider takes; null: that is no value for it. */
const readers: Readonly<Record<string, { expects: string; read: Setting }>> = {
  CLIENT_ID: { expects: 'the client_id that the provider gave', read: (clientId) => ({ clientId }) },
  CLIENT_SECRET: { expects: 'the client_secret that the provider gave', read: (clientSecret) => ({ clientSecret }) },
  ISSUER: {
    expects: 'the address of the issuer, https (http: this machine only), without user, query or fragment',
    read: (issuer) => (isProviderAddress(issuer) ? { issuer } : null),
  },
  NAME: { expects: 'the words on its button, 40 characters at most', read: (name) => (name.length <= 40 ? { name } : null) },
  SCOPE: {
    expects: 'scopes separated by blanks, openid among them',
    read: (scope) => (/(^| )openid( |$)/.test(scope) ? { scope } : null),
  },
  CLIENT_AUTH: {
    expects: 'basic or post',
    read: (clientAuth) => (clientAuth === 'basic' || clientAuth === 'post' ? { clientAuth } : null),
  },
  EMAIL_TRUST: {
    expects: 'claim, domain-owner or always',
    read: (emailTrust) => (['claim', 'domain-owner', 'always'].includes(emailTrust) ? { emailTrust: emailTrust as EmailTrust } : null),
  },
  CPF_CLAIM: {
    expects: 'the name of the claim that is a CPF which the provider vouches for',
    read: (cpfClaim) => (/^[\w-]{1,60}$/.test(cpfClaim) ? { cpfClaim } : null),
  },
};

const ownKind: ProviderPreset = {
  name: '',
  issuer: '',
  scope: 'openid email profile',
  clientAuth: 'post',
  emailTrust: 'claim',
  cpfClaim: null,
};

/** Over https, or to this machine: passwords, codes and tokens go there. */
export function isProviderAddress(text: string): boolean {
  const url = URL.parse(text);
  if (!url || url.username + url.password + url.search + url.hash !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname));
}

/**
 * Providers by `LAVRA_OIDC_<ID>_<SETTING>`, those that `LAVRA_OIDC_PROVIDERS` lists, in its order. A name that is nearly right is a
 * fault, not a provider that is silently off. No value of a secret stands in a fault.
 */
export function readProviderSettings(given: Readonly<Record<string, string | undefined>>, faults: string[]): ProviderSettings[] {
  const listed = PROVIDER_LIST.test(given[LIST] ?? '') ? (given[LIST] ?? '') : '';
  const ids = [...new Set(listed.split(',').flatMap((id) => id.trim() || []))];
  const found = new Map<string, Partial<ProviderSettings>>();
  for (const [name, value] of Object.entries(given)) {
    if (!name.startsWith(PREFIX) || name === LIST || value === undefined) continue;
    const [, id = '', setting = ''] = /^([A-Z][A-Z0-9]*)_(\w+)$/.exec(name.slice(PREFIX.length)) ?? [];
    const reader = Object.hasOwn(readers, setting) ? readers[setting] : undefined;
    if (!ids.includes(id.toLowerCase())) faults.push(`${name}: ${LIST} does not list this provider`);
    else if (!reader) faults.push(`${name}: no such setting; there are ${Object.keys(readers).join(', ')}`);
    else {
      const read = reader.read(value.trim());
      if (!read) faults.push(`${name}: ${reader.expects}`);
      found.set(id.toLowerCase(), { ...found.get(id.toLowerCase()), ...read });
    }
  }
  return ids.map((id) => whole(id, found.get(id) ?? {}, faults));
}

/** With what is known of it beforehand. */
function whole(id: string, own: Partial<ProviderSettings>, faults: string[]): ProviderSettings {
  const preset = Object.hasOwn(providerPresets, id) ? providerPresets[id as PresetId] : ownKind;
  const settings = { ...preset, clientId: '', clientSecret: '', ...own, id };
  const variable = (setting: string) => `${PREFIX}${id.toUpperCase()}_${setting}`;
  if (settings.clientId === '') faults.push(`${variable('CLIENT_ID')}: missing beside ${LIST}`);
  if (settings.clientSecret === '') faults.push(`${variable('CLIENT_SECRET')}: missing beside ${LIST}`);
  if (settings.issuer === '') faults.push(`${variable('ISSUER')}: missing; only ${Object.keys(providerPresets).join(', ')} are known`);
  // Another issuer has its metadata at the usual place, and says where tokens are had.
  if (own.issuer === undefined) return { ...settings, name: settings.name || id };
  const { metadata: _metadata, tokenEndpoint: _tokenEndpoint, ...elsewhere } = settings as ProviderSettings;
  return { ...elsewhere, name: settings.name || id };
}
