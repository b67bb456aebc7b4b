import { createHash, timingSafeEqual } from 'node:crypto';
import type { ProvenIdentity } from './identity.ts';

type Claims = Readonly<Record<string, unknown>>;

/**
 * The realm roles of somebody who signed in: `realm_access.roles` of what was checked, else of the access token, where Keycloak puts
 * them. An access token is another's letter: it is believed only where the ID token, whose signature was checked, carries its hash.
 * Where nobody says anything there are no roles.
 */
export function realmRoles({ claims, tokens, subject }: Pick<ProvenIdentity, 'claims' | 'tokens' | 'subject'>): readonly string[] {
  const said = rolesIn(claims);
  if (said) return said;
  if (tokens.idToken === null || !isVouchedFor(tokens.accessToken, tokens.idToken)) return [];
  const access = partOf(tokens.accessToken, 1);
  return access?.['sub'] === subject ? (rolesIn(access) ?? []) : [];
}

function rolesIn(claims: Claims): string[] | null {
  const roles = (claims['realm_access'] as { roles?: unknown } | undefined)?.roles;
  return Array.isArray(roles) ? roles.filter((role) => typeof role === 'string') : null;
}

/** Header (0) or claims (1) of a JWT; null: it is none. */
function partOf(token: string, index: 0 | 1): Claims | null {
  const parts = token.split('.');
  if (parts.length !== 3) return null;
  try {
    const part: unknown = JSON.parse(Buffer.from(parts[index] ?? '', 'base64url').toString());
    return typeof part === 'object' && part !== null ? (part as Claims) : null;
  } catch {
    return null;
  }
}

/** `at_hash` (OpenID Connect Core §3.1.3.6): the left half of the hash that belongs to the ID token's algorithm. */
function isVouchedFor(accessToken: string, idToken: string): boolean {
  const algorithm = partOf(idToken, 0)?.['alg'];
  const stated = partOf(idToken, 1)?.['at_hash'];
  const hash = typeof algorithm === 'string' ? hashOf(algorithm) : null;
  if (hash === null || typeof stated !== 'string') return false;
  const whole = createHash(hash).update(accessToken).digest();
  const expected = Buffer.from(whole.subarray(0, whole.length / 2).toString('base64url'));
  const given = Buffer.from(stated);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function hashOf(algorithm: string): string | null {
  if (algorithm === 'EdDSA' || algorithm === 'Ed25519') return 'sha512';
  const [, bits] = /^[A-Z]{2}(256|384|512)$/.exec(algorithm) ?? [];
  return bits === undefined ? null : `sha${bits}`;
}
