import { DomainError } from '@lavra/domain';
import * as oidc from 'openid-client';
import type { Logger } from 'pino';
import type { Clock } from '../context.ts';
import { boundedFetch } from './bounded-fetch.ts';
import type { Identity, ProvenIdentity, SignInRequest } from './identity.ts';
import { identityOf, type Said } from './identity-of.ts';
import { providerFault } from './provider-fault.ts';
import type { ProviderSettings } from './provider-settings.ts';

const TIMEOUT_SECONDS = 10;
/** A provider may change keys' and endpoints' places; keys themselves are looked up anew whenever one is unknown. */
const METADATA_MS = 3_600_000;
/** Two computers' clocks, RFC 7519 §4.1.4. */
const TOLERANCE_SECONDS = 60;
const ISSUED_AHEAD_SECONDS = 300;

interface Known {
  configuration: oidc.Configuration;
  until: number;
  skew: number;
}

/**
 * The adapter for OpenID Connect: authorisation code with PKCE, state and nonce; the ID token's signature is checked although it
 * came over TLS. What a provider says of itself is kept for an hour, and anyone may lose it.
 */
export function oidcIdentity(settings: readonly ProviderSettings[], { clock, log }: { clock: Clock; log: Logger }): Identity {
  const known = new Map<string, Known>();
  // The library reads the system's clock; everything here goes by the installation's.
  const skewNow = () => Math.round((clock.now().getTime() - Date.now()) / 1000);

  function settingsOf(provider: string): ProviderSettings {
    const one = settings.find(({ id }) => id === provider);
    if (!one) throw new DomainError('identity.providerUnknown', { field: 'provider' });
    return one;
  }

  async function configurationOf(one: ProviderSettings): Promise<oidc.Configuration> {
    const skew = skewNow();
    const held = known.get(one.id);
    if (held && held.until > Date.now() && Math.abs(held.skew - skew) <= 1) return held.configuration;
    const configuration = await discover(one, skew);
    known.set(one.id, { configuration, until: Date.now() + METADATA_MS, skew });
    return configuration;
  }

  /** With a word for the operator where it is theirs, or the provider's, to mend. */
  async function asking<T>(provider: string, ask: (configuration: oidc.Configuration, one: ProviderSettings) => Promise<T>): Promise<T> {
    const one = settingsOf(provider);
    try {
      return await ask(await configurationOf(one), one);
    } catch (error) {
      const fault = providerFault(error);
      if (fault.code !== 'identity.refused') log.warn({ provider, reason: fault.code, fault: inWords(error) }, 'a sign-in provider failed');
      throw fault;
    }
  }

  const checked = (provider: string, one: ProviderSettings, what: Said): ProvenIdentity => {
    const { iat } = what.claims;
    if (typeof iat === 'number' && iat > clock.now().getTime() / 1000 + ISSUED_AHEAD_SECONDS) throw new DomainError('identity.clockOff');
    return identityOf(provider, one, what);
  };

  return {
    providers: settings.map(({ id, name }) => ({ id, name })),
    authorise: (provider, request) => asking(provider, (configuration, one) => authorisationUrl(configuration, one, request)),
    whoIs: (provider, request, answer) =>
      asking(provider, async (configuration, one) => checked(provider, one, await exchange(configuration, request, answer))),
    refresh: (provider, { refreshToken, subject }) =>
      asking(provider, async (configuration, one) => {
        const tokens = await oidc.refreshTokenGrant(configuration, refreshToken);
        const said = tokens.claims();
        if (said && said.sub !== subject) throw new DomainError('identity.answerInvalid');
        const claims = { ...(await moreClaims(configuration, tokens.access_token, { ...said, sub: subject })), ...said };
        return checked(provider, one, { claims: { sub: subject, ...claims, iss: issuerOf(configuration) }, tokens });
      }),
    endSessionUrl: (provider, { idToken, returnTo }) =>
      asking(provider, (configuration) => {
        if (!configuration.serverMetadata().end_session_endpoint) return Promise.resolve(null);
        const hint = idToken === null ? {} : { id_token_hint: idToken };
        return Promise.resolve(oidc.buildEndSessionUrl(configuration, { post_logout_redirect_uri: returnTo, ...hint }).href);
      }),
  };
}

const issuerOf = (configuration: oidc.Configuration) => configuration.serverMetadata().issuer;

/** Names and codes of faults; never what was sent, which has secrets in it. */
function inWords(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code, error: said } = error as { code?: unknown; error?: unknown };
  const parts = [error.name, code, said, error.message].filter((part) => typeof part === 'string');
  return parts.map((part) => part.slice(0, 100)).join(': ');
}

async function discover(one: ProviderSettings, skew: number): Promise<oidc.Configuration> {
  const { issuer, metadata, tokenEndpoint, clientId, clientSecret } = one;
  const client = { client_secret: clientSecret, [oidc.clockSkew]: skew, [oidc.clockTolerance]: TOLERANCE_SECONDS };
  const auth = one.clientAuth === 'basic' ? oidc.ClientSecretBasic(clientSecret) : oidc.ClientSecretPost(clientSecret);
  const found = await oidc.discovery(new URL(metadata ?? issuer), clientId, client, auth, {
    [oidc.customFetch]: boundedFetch,
    timeout: TIMEOUT_SECONDS,
    // The settings take http for this machine alone.
    ...(issuer.startsWith('http:') ? { execute: [oidc.allowInsecureRequests] } : {}),
  });
  if (metadata !== undefined && issuerOf(found) !== issuer) throw new DomainError('identity.answerInvalid');
  const configuration = tokenEndpoint === undefined ? found : withTokenEndpoint(found, tokenEndpoint, client, auth);
  oidc.enableNonRepudiationChecks(configuration);
  return configuration;
}

/** One whose metadata leave out where codes are exchanged. */
function withTokenEndpoint(found: oidc.Configuration, tokenEndpoint: string, client: Partial<oidc.ClientMetadata>, auth: oidc.ClientAuth) {
  const { supportsPKCE: _helper, ...metadata } = found.serverMetadata();
  const configuration = new oidc.Configuration(
    { token_endpoint: tokenEndpoint, ...metadata },
    found.clientMetadata().client_id,
    client,
    auth,
  );
  configuration[oidc.customFetch] = boundedFetch;
  configuration.timeout = TIMEOUT_SECONDS;
  return configuration;
}

async function authorisationUrl(configuration: oidc.Configuration, one: ProviderSettings, request: SignInRequest): Promise<string> {
  const { redirectUri, state, nonce, codeVerifier } = request;
  return oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope: one.scope,
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
  }).href;
}

async function exchange(configuration: oidc.Configuration, request: SignInRequest, answer: URLSearchParams): Promise<Said> {
  const { redirectUri, state, nonce, codeVerifier } = request;
  const returned = new URL(redirectUri);
  returned.search = answer.toString();
  const tokens = await oidc.authorizationCodeGrant(configuration, returned, {
    pkceCodeVerifier: codeVerifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (!claims) throw new DomainError('identity.providerFault');
  return { claims: { ...(await moreClaims(configuration, tokens.access_token, claims)), ...claims }, tokens };
}

/** Providers may keep everything but the subject for the user's information (OpenID Connect Core §5.4). */
async function moreClaims(
  configuration: oidc.Configuration,
  accessToken: string,
  said: Readonly<Record<string, unknown>> & { sub: string },
): Promise<Readonly<Record<string, unknown>>> {
  const isMore = said['email'] === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined;
  return isMore ? oidc.fetchUserInfo(configuration, accessToken, said.sub) : {};
}
