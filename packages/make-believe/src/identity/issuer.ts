import { generateKeyPairSync } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Configuration, interactionPolicy, type JWK, Provider } from 'oidc-provider';
import { choosePage } from './choose-page.ts';
import { clientId, makeBelieveIssuers, type MakeBelieveIssuerId } from './issuers.ts';
import { memoryAdapter } from './memory-adapter.ts';
import type { IdentityPerson } from './people.ts';

export interface IssuerOptions {
  id: MakeBelieveIssuerId;
  /** `http://127.0.0.1:port`, below which it has its path. */
  address: string;
  clientSecret: string;
  people: readonly IdentityPerson[];
  isAllowedRedirect(uri: string): boolean;
}

export interface MakeBelieveIssuer {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

/** A fresh signing key: what was signed before a start is over within minutes. */
export function newSigningKey(): JWK {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...(privateKey.export({ format: 'jwk' }) as JWK), alg: 'RS256', use: 'sig' };
}

/** One OpenID Connect provider, certified software with people of ours. Asks at every sign-in who one wants to be. */
export function createIssuer(options: IssuerOptions): MakeBelieveIssuer {
  const { id, address, people } = options;
  const path = `/${id}`;
  const provider = new Provider(`${address}${path}`, configurationOf(options));
  provider.Client.prototype.redirectUriAllowed = options.isAllowedRedirect;
  provider.Client.prototype.postLogoutRedirectUriAllowed = options.isAllowedRedirect;
  const answer = provider.callback();
  return {
    async handle(request, response) {
      const own = (request.url ?? '').slice(path.length) || '/';
      // How the provider learns below which path it is served.
      Object.assign(request, { originalUrl: request.url, url: own });
      if (!own.startsWith('/entrar/')) return answer(request, response);
      if (request.method !== 'POST') {
        const page = choosePage(makeBelieveIssuers[id].name, `${path}${own}`, people);
        // No form-action: Chromium holds it against the redirect back to the application as well.
        const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'";
        response.writeHead(200, {
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': policy,
          'cache-control': 'no-store',
        });
        response.end(page);
        return;
      }
      const chosen = (await readForm(request)).get('person') ?? '';
      const known = people.find((person) => person.id === chosen);
      const refused = { error: 'access_denied', error_description: 'a pessoa cancelou' };
      await provider.interactionFinished(
        request,
        response,
        known ? { login: { accountId: known[makeBelieveIssuers[id].subject] } } : refused,
      );
    },
  };
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let text = '';
  for await (const chunk of request) text = `${text}${String(chunk)}`.slice(0, 4096);
  return new URLSearchParams(text);
}

function configurationOf({ id, clientSecret, people }: IssuerOptions): Configuration {
  const { subject, claimsInIdToken, clientAuth } = makeBelieveIssuers[id];
  const policy = interactionPolicy.base();
  policy
    .get('login')
    ?.checks.add(
      new interactionPolicy.Check('everybody_is_asked', 'somebody must be chosen', 'login_required', ({ oidc }) =>
        Promise.resolve(oidc.result?.login === undefined),
      ),
    );
  return {
    adapter: memoryAdapter(),
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: ['http://127.0.0.1/'],
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: clientAuth,
      },
    ],
    jwks: { keys: [newSigningKey()] },
    cookies: { keys: [clientSecret], names: { interaction: `${id}_interaction`, resume: `${id}_resume`, session: `${id}_session` } },
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'given_name', 'family_name', 'locale', 'realm_access'],
      govbr_confiabilidades: ['reliability_info'],
    },
    scopes: ['openid', 'email', 'profile', 'offline_access', 'govbr_confiabilidades'],
    conformIdTokenClaims: !claimsInIdToken,
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: true } },
    interactions: { policy, url: (_ctx, { uid }) => `/${id}/entrar/${uid}` },
    pkce: { required: () => true },
    // A company's own gives one with every session, each good once.
    issueRefreshToken: () => Promise.resolve(id === 'empresa'),
    rotateRefreshToken: true,
    ttl: { AuthorizationCode: 60, AccessToken: 300, IdToken: 300, Interaction: 600, Session: 3600, Grant: 3600, RefreshToken: 3600 },
    // Nobody is asked again what may be told: choosing oneself was the consent.
    async loadExistingGrant(ctx) {
      const grant = new ctx.oidc.provider.Grant({ clientId, accountId: ctx.oidc.session?.accountId ?? '' });
      grant.addOIDCScope('openid email profile offline_access govbr_confiabilidades');
      await grant.save();
      return grant;
    },
    findAccount(_ctx, accountId) {
      const known = people.find((person) => person.id === accountId || person.cpf === accountId);
      if (!known) return undefined;
      return { accountId, claims: () => claimsOf(known, subject) };
    },
  };
}

function claimsOf(person: IdentityPerson, subject: 'id' | 'cpf') {
  const { givenName, familyName, email, emailVerified, level, roles } = person;
  return {
    sub: person[subject],
    name: `${givenName} ${familyName}`,
    given_name: givenName,
    family_name: familyName,
    locale: 'pt-BR',
    ...(email === null ? {} : { email, email_verified: emailVerified }),
    reliability_info: { level, reliabilities: [] },
    realm_access: { roles: [...roles] },
  };
}
