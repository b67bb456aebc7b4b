/** What is known of a provider beforehand. */
export interface ProviderPreset {
  readonly name: string;
  readonly issuer: string;
  /** Where the issuer's metadata are, when not at the usual place. */
  readonly metadata?: string;
  /** Where its metadata leave it out. */
  readonly tokenEndpoint?: string;
  readonly scope: string;
  readonly clientAuth: 'basic' | 'post';
  readonly emailTrust: EmailTrust;
  /** The claim that is a CPF which the provider vouches for. */
  readonly cpfClaim: string | null;
}

/**
 * What makes an address a verified one. `claim`: `email_verified` (OpenID Connect Core §5.1). `domain-owner`: Microsoft's `xms_edov`,
 * because in its `email` a tenant's administrator may write any address. `always`: the operator's word, for a provider of their own.
 */
export type EmailTrust = 'claim' | 'domain-owner' | 'always';

const standard = { scope: 'openid email profile', clientAuth: 'post', emailTrust: 'claim', cpfClaim: null } as const;

export const providerPresets = {
  google: { ...standard, name: 'Google', issuer: 'https://accounts.google.com' },
  microsoft: { ...standard, name: 'Microsoft', issuer: 'https://login.microsoftonline.com/common/v2.0', emailTrust: 'domain-owner' },
  facebook: {
    ...standard,
    name: 'Facebook',
    issuer: 'https://www.facebook.com',
    metadata: 'https://www.facebook.com/.well-known/openid-configuration/',
    tokenEndpoint: 'https://graph.facebook.com/oauth/access_token',
    scope: 'openid email public_profile',
  },
  /** Its subject is the CPF (manual "Login Único", iniciarintegracao: `sub`). */
  govbr: {
    ...standard,
    name: 'gov.br',
    issuer: 'https://sso.acesso.gov.br/',
    scope: 'openid email profile govbr_confiabilidades',
    clientAuth: 'basic',
    cpfClaim: 'sub',
  },
} as const satisfies Readonly<Record<string, ProviderPreset>>;

export type PresetId = keyof typeof providerPresets;
