import { errors, jwtVerify, SignJWT } from 'jose';
import type { Ctx } from '../context.ts';

/** How long an access token is good for; a new one comes from `api/refresh` while its session lasts. */
export const ACCESS_MINUTES = 10;

/** What an access token says; the session row says whether it still holds. */
export interface TokenClaims {
  sub: string;
  sid: string;
}

const TYPE = 'at+jwt';
const STRICT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

const keyOf = (ctx: Ctx) => ctx.secrets.key('access-token');
// The key tells installations apart; its addresses may change, and nodes may have several.
const parties = { issuer: 'lavra', audience: 'lavra:api' };

/** JWT (RFC 7519, RFC 9068), HS256 under a key derived from the installation secret. `until`: no longer than that. */
export function signToken(ctx: Ctx, claims: TokenClaims, until?: Date): Promise<string> {
  const now = Math.floor(ctx.clock.now().getTime() / 1000);
  const most = now + ACCESS_MINUTES * 60;
  return new SignJWT({ sid: claims.sid })
    .setProtectedHeader({ alg: 'HS256', typ: TYPE })
    .setSubject(claims.sub)
    .setIssuer(parties.issuer)
    .setAudience(parties.audience)
    .setIssuedAt(now)
    .setExpirationTime(until === undefined ? most : Math.min(most, Math.floor(until.getTime() / 1000)))
    .sign(keyOf(ctx));
}

/** The claims of a token that is ours, and whether its time is over; null for every other. */
export async function readToken(ctx: Ctx, token: string): Promise<(TokenClaims & { expired: boolean }) | null> {
  if (!STRICT.test(token) || !isCanonical(token)) return null;
  try {
    const { payload } = await jwtVerify(token, keyOf(ctx), {
      ...parties,
      algorithms: ['HS256'],
      typ: TYPE,
      requiredClaims: ['sub', 'sid', 'iat', 'exp'],
      currentDate: ctx.clock.now(),
    });
    return { sub: payload.sub ?? '', sid: String(payload['sid']), expired: false };
  } catch (error) {
    // Its signature, its parties and its type were checked before its time.
    if (error instanceof errors.JWTExpired) return { sub: error.payload.sub ?? '', sid: String(error.payload['sid']), expired: true };
    return null;
  }
}

/** The last letter of the MAC has bits that no byte needs: one MAC, one spelling. */
function isCanonical(token: string): boolean {
  const mac = token.slice(token.lastIndexOf('.') + 1);
  return Buffer.from(mac, 'base64url').toString('base64url') === mac;
}
