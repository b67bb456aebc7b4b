import type { Cpf } from '@lavra/domain';

/**
 * Who somebody is, as a provider of OpenID Connect says. The other way in, e-mail and password in our own database, asks nobody
 * outside: features/accounts/authenticate.ts (docs/decisions/039).
 */
export interface Identity {
  /** In the order of the configuration, which is the order of the buttons. */
  readonly providers: readonly ProviderFacts[];
  /** The provider's address for one sign-in. @throws DomainError identity.provider* */
  authorise(provider: string, request: SignInRequest): Promise<string>;
  /** Takes the answer that came back to our address: exchanges the code, once, and checks what is said. @throws DomainError identity.* */
  whoIs(provider: string, request: SignInRequest, answer: URLSearchParams): Promise<ProvenIdentity>;
  /** Whether the provider still vouches, and fresh tokens. @throws DomainError identity.* */
  refresh(provider: string, held: { refreshToken: string; subject: string }): Promise<ProvenIdentity>;
  /** Where the provider ends its own session; null: it has no such address. @throws DomainError identity.provider* */
  endSessionUrl(provider: string, leaving: { idToken: string | null; returnTo: string }): Promise<string | null>;
}

/** What pages may know of a provider. */
export interface ProviderFacts {
  readonly id: string;
  /** On its button: `Google`, `gov.br`. */
  readonly name: string;
}

/** Known only to us until the answer comes back (RFC 7636, OpenID Connect Core §3.1.2.1). */
export interface SignInRequest {
  redirectUri: string;
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** What was checked: signature, issuer, audience, nonce and time of the ID token. */
export interface ProvenIdentity {
  provider: string;
  /** As its button has it. */
  providerName: string;
  /** With the subject the only name of a person that never changes hands. */
  issuer: string;
  subject: string;
  /** In the form that is compared and stored; null: none that could be an address. */
  email: string | null;
  /** The provider has seen that whoever this is reads that mailbox. */
  emailVerified: boolean;
  /** Cleaned and cut to what an account takes; '' where there is none. */
  firstName: string;
  lastName: string;
  langKey: 'pt-br' | 'en' | 'es' | null;
  /** Of a provider that vouches for it. */
  cpf: Cpf | null;
  /** How sure the provider is of who this is, in its own word; null: it does not say. */
  assurance: string | null;
  /** Everything that was said, for who knows this provider's own claims (roles). */
  claims: Readonly<Record<string, unknown>>;
  tokens: ProviderTokens;
}

export interface ProviderTokens {
  idToken: string | null;
  accessToken: string;
  refreshToken: string | null;
  /** Of the access token; null: the provider does not say. */
  expiresInSeconds: number | null;
}
