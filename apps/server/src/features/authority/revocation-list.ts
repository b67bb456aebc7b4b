import type { Ctx } from '../../context.ts';
import { type PublicAnswer, publicAnswer } from '../../public-answer.ts';
import { kept } from '../../kept.ts';
import { type AuthorityId, type AuthorityMember, loadAuthority } from './authority.ts';
import { listRevoked, type Revoked } from './authority.store.ts';
import { ecdsaWithSha256, extension, integer, sequence, signed, time, tlv } from './der.ts';
import { generalizedTime } from './keys.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Below 2.5.29. */
const EXPIRED_CERTS_ON_CRL = 60;
const CRL_NUMBER = 20;
const VERSION_2 = integer('01');

/** The people CRL ends soon on purpose: docs/decisions/002 says which validator needs it. */
const lifetimeMs = { root: 90 * 24 * HOUR_MS, people: HOUR_MS, platform: 7 * 24 * HOUR_MS } as const;

export type CrlIssuer = keyof typeof lifetimeMs;

/** All that is revoked, and when that was read. */
export interface KnownRevoked {
  all: readonly Revoked[];
  at: Date;
}

/**
 * Fresh CRLs (RFC 5280 §5) of some of the installation's issuers, DER, in their order; each ends at its `until` if that is sooner.
 * `known`: believed for a minute, as the public list is.
 */
export async function makeRevocationLists(
  ctx: Ctx,
  wanted: readonly { issuer: CrlIssuer; until: Date | null }[],
  known?: KnownRevoked,
): Promise<Uint8Array[]> {
  if (wanted.length === 0) return [];
  const issuers = wanted.map(({ issuer }) => issuer);
  const isFresh = known !== undefined && Math.abs(ctx.clock.now().getTime() - known.at.getTime()) < MINUTE_MS;
  const revoked = isFresh ? known.all : await listRevoked(ctx, issuers);
  return Promise.all(
    wanted.map(({ issuer, until }) =>
      makeRevocationList(
        ctx,
        issuer,
        until,
        revoked.filter(({ issuerId }) => issuerId === issuer),
      ),
    ),
  );
}

async function makeRevocationList(ctx: Ctx, issuer: CrlIssuer, until: Date | null, revoked: readonly Revoked[]): Promise<Uint8Array> {
  const authority = (await loadAuthority(ctx))[issuer satisfies AuthorityId];
  const now = ctx.clock.now();
  const usualEnd = new Date(now.getTime() + lifetimeMs[issuer]);
  const entries = revoked.map(({ serial, revokedAt }) => sequence(integer(serial), time(revokedAt ?? now)));
  const toBeSigned = sequence(
    VERSION_2,
    ecdsaWithSha256,
    nameOf(authority),
    time(new Date(now.getTime() - 1000)),
    time(until && until < usualEnd ? until : usualEnd),
    ...(entries.length > 0 ? [sequence(...entries)] : []),
    tlv(
      0xa0,
      sequence(
        await keyIdentifierOf(authority),
        extension(CRL_NUMBER, false, integer(Math.floor(now.getTime() / 1000).toString(16))),
        // Expired certificates stay listed: a verifier of decades later may rely on their absence.
        extension(EXPIRED_CERTS_ON_CRL, false, generalizedTime(authority.certificate.notBefore)),
      ),
    ),
  );
  return new Uint8Array(signed(toBeSigned, authority.privateKey));
}

const names = new WeakMap<AuthorityMember, Uint8Array>();

/** An issuer's name, the same in every list of its. */
function nameOf(issuer: AuthorityMember): Uint8Array {
  const known = names.get(issuer) ?? new Uint8Array(issuer.certificate.subjectName.toArrayBuffer());
  names.set(issuer, known);
  return known;
}

const identifiers = new WeakMap<AuthorityMember, Promise<Uint8Array>>();

/** The extension that names an issuer's key: the same in every list of its. */
function keyIdentifierOf(issuer: AuthorityMember): Promise<Uint8Array> {
  const known = identifiers.get(issuer);
  if (known) return known;
  const made = import('./x509.ts')
    .then(({ x509 }) => x509.AuthorityKeyIdentifierExtension.create(issuer.certificate.publicKey))
    .then(({ rawData }) => new Uint8Array(rawData));
  identifiers.set(issuer, made);
  made.catch(() => identifiers.delete(issuer));
  return made;
}

const inPublic = (issuer: CrlIssuer) =>
  kept(MINUTE_MS, async (ctx) => {
    const [list] = await makeRevocationLists(ctx, [{ issuer, until: null }]);
    if (!list) throw new Error('no revocation list was made');
    return publicAnswer('application/pkix-crl', list);
  });
const currentLists = { root: inPublic('root'), people: inPublic('people'), platform: inPublic('platform') } as const;

/** The list that everybody is given: at most a minute old, so that a revocation shows within one on every node. */
export function currentRevocationList(ctx: Ctx, issuer: CrlIssuer): Promise<PublicAnswer> {
  return currentLists[issuer](ctx);
}
