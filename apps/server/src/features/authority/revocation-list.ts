import type { Ctx } from '../../context.ts';
import { type PublicAnswer, publicAnswer } from '../../public-answer.ts';
import { kept } from '../../kept.ts';
import { type AuthorityId, loadAuthority } from './authority.ts';
import { listRevoked } from './authority.store.ts';
import { generalizedTime, KEY_ALGORITHM, x509 } from './x509.ts';

const HOUR_MS = 3_600_000;
const EXPIRED_CERTS_ON_CRL = '2.5.29.60';
const CRL_NUMBER = '2.5.29.20';

/** The people CRL ends soon on purpose: docs/decisions/002 says which validator needs it. */
const lifetimeMs = { root: 90 * 24 * HOUR_MS, people: HOUR_MS, platform: 7 * 24 * HOUR_MS } as const;

export type CrlIssuer = keyof typeof lifetimeMs;

/** Fresh CRLs (RFC 5280 §5) of some of the installation's issuers, DER, in their order; each ends at its `until` if that is sooner. */
export async function makeRevocationLists(ctx: Ctx, wanted: readonly { issuer: CrlIssuer; until: Date | null }[]): Promise<Uint8Array[]> {
  if (wanted.length === 0) return [];
  const revoked = await listRevoked(
    ctx,
    wanted.map(({ issuer }) => issuer),
  );
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

async function makeRevocationList(
  ctx: Ctx,
  issuer: CrlIssuer,
  until: Date | null,
  revoked: Awaited<ReturnType<typeof listRevoked>>,
): Promise<Uint8Array> {
  const authority = (await loadAuthority(ctx))[issuer satisfies AuthorityId];
  const now = ctx.clock.now();
  const usualEnd = new Date(now.getTime() + lifetimeMs[issuer]);
  const crl = await x509.X509CrlGenerator.create({
    issuer: authority.certificate.subject,
    thisUpdate: new Date(now.getTime() - 1000),
    nextUpdate: until && until < usualEnd ? until : usualEnd,
    signingAlgorithm: KEY_ALGORITHM,
    signingKey: authority.privateKey,
    entries: revoked.map((row) => ({ serialNumber: row.serial, revocationDate: row.revokedAt ?? now })),
    extensions: [
      await x509.AuthorityKeyIdentifierExtension.create(authority.certificate.publicKey),
      new x509.Extension(CRL_NUMBER, false, derInteger(Math.floor(now.getTime() / 1000))),
      // Expired certificates stay listed: a verifier of decades later may rely on their absence.
      new x509.Extension(EXPIRED_CERTS_ON_CRL, false, generalizedTime(authority.certificate.notBefore)),
    ],
  });
  return new Uint8Array(crl.rawData);
}

const MINUTE_MS = 60_000;
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

function derInteger(value: number): Uint8Array {
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex');
  const positive = (bytes[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes;
  return Uint8Array.from([0x02, positive.length, ...positive]);
}
