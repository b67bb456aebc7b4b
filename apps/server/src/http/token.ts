import type { Secrets } from '../secrets.ts';

/** What the session's token says; the session row says whether it still holds. */
export interface TokenClaims {
  sub: string;
  sid: string;
  /** Seconds since the epoch. */
  exp: number;
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const header = encode({ alg: 'HS256', typ: 'JWT' });

/** JWT (RFC 7519), HS256 under a key derived from the installation secret. */
export function signToken(secrets: Secrets, claims: TokenClaims): string {
  const content = `${header}.${encode(claims)}`;
  return `${content}.${secrets.sign('session-token', content).toString('base64url')}`;
}

/** The claims of a token that is ours and has not ended; null otherwise. Only our own header is accepted: no algorithm to choose. */
export function readToken(secrets: Secrets, token: string, now: Date): TokenClaims | null {
  const [head, body, mac, rest] = token.split('.');
  if (head !== header || !body || !mac || rest !== undefined) return null;
  if (!secrets.verify('session-token', `${head}.${body}`, Buffer.from(mac, 'base64url'))) return null;
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as TokenClaims;
  return claims.exp * 1000 > now.getTime() ? claims : null;
}
