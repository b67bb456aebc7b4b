import { JWTExpired } from 'jose/errors';
import { SignJWT } from 'jose/jwt/sign';
import { jwtVerify } from 'jose/jwt/verify';
import type { JWTPayload } from 'jose';
import type { Ctx } from '../context.ts';
import { LeastRecent } from '../storage/least-recent.ts';

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

/** A token that was found to be ours: what it says, and until when, in seconds since 1970. */
interface Held {
  claims: TokenClaims;
  until: number;
}

/** A browser shows its token with every call for ten minutes: its MAC is computed once. By secret, as many as fit into a megabyte or two. */
const held = new WeakMap<Ctx['secrets'], LeastRecent<Held>>();
const TOKENS_HELD = 3000;

/** The claims of a token that is ours, and whether its time is over; null for every other. */
export async function readToken(ctx: Ctx, token: string): Promise<(TokenClaims & { expired: boolean }) | null> {
  const known = held.get(ctx.secrets) ?? new LeastRecent<Held>(TOKENS_HELD);
  held.set(ctx.secrets, known);
  const found = known.get(token) ?? (await verified(ctx, token));
  if (!found) return null;
  known.set(token, found, 1);
  return { ...found.claims, expired: found.until <= Math.floor(ctx.clock.now().getTime() / 1000) };
}

/** Null for a token that is not ours; one whose time is over is. */
async function verified(ctx: Ctx, token: string): Promise<Held | null> {
  if (!STRICT.test(token) || !isCanonical(token)) return null;
  const heldOf = ({ sub = '', sid, exp = 0 }: JWTPayload): Held => ({ claims: { sub, sid: String(sid) }, until: exp });
  try {
    const { payload } = await jwtVerify(token, keyOf(ctx), {
      ...parties,
      algorithms: ['HS256'],
      typ: TYPE,
      requiredClaims: ['sub', 'sid', 'iat', 'exp'],
      currentDate: ctx.clock.now(),
    });
    return heldOf(payload);
  } catch (error) {
    // Its signature, its parties and its type were checked before its time.
    return error instanceof JWTExpired ? heldOf(error.payload) : null;
  }
}

/** The last letter of the MAC has bits that no byte needs: one MAC, one spelling. */
function isCanonical(token: string): boolean {
  const mac = token.slice(token.lastIndexOf('.') + 1);
  return Buffer.from(mac, 'base64url').toString('base64url') === mac;
}
