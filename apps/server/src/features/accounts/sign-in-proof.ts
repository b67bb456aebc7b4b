import type { SecondFactorKind } from '@lavra/api';
import type { Vouch } from './single-sign-on/sso-sessions.store.ts';

/** A factor that was shown and held, and which of its kind it was: another one that took its place is not it. */
export interface TakenFactor {
  kind: SecondFactorKind;
  id: string;
}

/**
 * How somebody has shown here that an account is theirs. Of a password the hash that it matched: one that was replaced since
 * opens nothing. Of a provider whom it vouched for, for the same reason: an identity may be unbound since; a step that an older version
 * began does not say. A passkey has seen its holder besides: it is two factors, and opens nothing once it is removed.
 */
export type OwnProof =
  | { by: 'password'; passwordHash: string | null }
  | { by: 'provider'; identity?: { issuer: string; subject: string } }
  | { by: 'passkey'; passkey: TakenFactor }
  | { by: 'firstRegistration' };

/** Single sign-on: the one provider that knows everybody says what they may, and for how long it said so. */
export type Proof = OwnProof | { by: 'singleSignOn'; vouch: Vouch };
