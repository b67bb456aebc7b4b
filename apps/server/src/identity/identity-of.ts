import { DomainError, limits, parseCpf, parseEmail } from '@lavra/domain';
import type { TokenEndpointResponse } from 'openid-client';
import type { ProvenIdentity } from './identity.ts';
import type { ProviderSettings } from './provider-settings.ts';

/** Claims that were checked, of the ID token and the user's information together, and the tokens they came with. */
export interface Said {
  claims: Readonly<Record<string, unknown>>;
  tokens: Pick<TokenEndpointResponse, 'id_token' | 'access_token' | 'refresh_token' | 'expires_in'>;
}

/** OpenID Connect Core §2: at most 255 characters. */
const SUBJECT_MAX = 255;

/** What we understand of a provider's words. @throws DomainError identity.providerFault without a subject that can be kept */
export function identityOf(provider: string, settings: ProviderSettings, { claims, tokens }: Said): ProvenIdentity {
  const { iss: issuer, sub: subject } = claims;
  if (typeof issuer !== 'string' || typeof subject !== 'string' || subject === '' || subject.length > SUBJECT_MAX)
    throw new DomainError('identity.providerFault');
  const email = typeof claims['email'] === 'string' ? parseEmail(claims['email']) : null;
  return {
    provider,
    providerName: settings.name,
    issuer,
    subject,
    email,
    emailVerified: email !== null && isVerified(settings, claims),
    ...namesOf(claims),
    langKey: langKeyOf(claims['locale']),
    cpf: settings.cpfClaim === null ? null : parseCpf(String(claims[settings.cpfClaim] ?? '')),
    assurance: assuranceOf(claims),
    claims,
    tokens: {
      idToken: tokens.id_token ?? null,
      accessToken: tokens.access_token,
      refreshToken: tokens.refresh_token ?? null,
      expiresInSeconds: tokens.expires_in ?? null,
    },
  };
}

/** Some write their truth values as words or numbers; nothing else is one. */
const isTrue = (value: unknown) => value === true || value === 'true' || value === 1 || value === '1';

function isVerified({ emailTrust }: ProviderSettings, claims: Said['claims']): boolean {
  if (emailTrust === 'always') return true;
  return isTrue(claims[emailTrust === 'domain-owner' ? 'xms_edov' : 'email_verified']);
}

function namesOf(claims: Said['claims']): { firstName: string; lastName: string } {
  const first = lineOf(claims['given_name']);
  const last = lineOf(claims['family_name']);
  return first === '' ? { firstName: lineOf(claims['name']), lastName: '' } : { firstName: first, lastName: last };
}

/** One line of what can be seen, cut between characters. */
function lineOf(value: unknown): string {
  if (typeof value !== 'string') return '';
  const line = value
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  return [...line].reduce((kept, character) => (kept.length + character.length > limits.nameMax ? kept : kept + character), '').trim();
}

function langKeyOf(locale: unknown): ProvenIdentity['langKey'] {
  const language = typeof locale === 'string' ? locale.slice(0, 2).toLowerCase() : '';
  return language === 'pt' ? 'pt-br' : language === 'en' || language === 'es' ? language : null;
}

/** gov.br's seal of an account (`reliability_info.level`: bronze, silver, gold). */
function assuranceOf(claims: Said['claims']): string | null {
  const level = (claims['reliability_info'] as { level?: unknown } | undefined)?.level;
  return typeof level === 'string' && /^[a-z]{1,20}$/.test(level) ? level : null;
}
