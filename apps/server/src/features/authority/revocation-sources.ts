import { PadesError, parseCertificate, type RevocationSource, type TrustStore, type ValidationMaterial } from '@lavra/pades';
import type { Ctx } from '../../context.ts';
import { findRevocations, type FoundRevocations } from '../../outside/outside-revocations.ts';
import { loadAuthority } from './authority.ts';
import { revokedIn, selectRevoked, signerCertificatesOf, type SignersCertificate, signersCertificateIn } from './authority.store.ts';
import { type CrlIssuer, type KnownRevoked, makeRevocationLists } from './revocation-list.ts';

export type { SignersCertificate } from './authority.store.ts';
export type { KnownRevoked } from './revocation-list.ts';

/** What was issued to signers, and what was revoked, as SQL, for a statement that reads more of their process; `of`, `revokedOf`: what was read of each. */
export const certificateParts = { ofSigners: signerCertificatesOf, of: signersCertificateIn, revoked: selectRevoked, revokedOf: revokedIn };

const TIME_STAMPING = '1.3.6.1.5.5.7.3.8';

/**
 * What goes into the files of one process: the installation's own lists, made now, and the timestamp authority's, fetched.
 * The people CRL does not outlive any of these signers' certificates that still holds (docs/decisions/002).
 * Throws REVOCATION_UNAVAILABLE where the authority's is missing for a signature of this process: what is stored with a
 * signature is never added to later, so half of it would stay half (docs/decisions/008). `revoked`: where it was just read with the process.
 */
export async function archiveSource(
  ctx: Ctx,
  signerCertificates: readonly SignersCertificate[],
  revoked?: KnownRevoked,
): Promise<RevocationSource> {
  const { root, people, platform, seal } = await loadAuthority(ctx);
  const anchors = ctx.timestamps?.anchors ?? [];
  return {
    async material(certificates) {
      const carries = (wanted: Uint8Array) => certificates.some((one) => Buffer.from(wanted).equals(one));
      const isSigners = signerCertificates.some(({ der }) => carries(der));
      const isOurs = isSigners || carries(seal.der);
      const { crls, strangers } = await ownLists(ctx, certificates, { firstEnd: firstEnd(signerCertificates, ctx.clock.now()), revoked });
      const known = await atHand(ctx);
      // Its timestamps come from the authority that the configuration names; those of a signature in the upload, from anyone.
      const found = await findRevocations(ctx, { certificates: strangers, anchors, known, completes: isOurs });
      if (isOurs) demandAll(found, isSigners);
      return joined({ certificates: [root.der, people.der, platform.der], crls, ocsps: [] }, known, found);
    },
  };
}

/** When the first of the certificates that hold at `after` ends; null when none does. */
function firstEnd(certificates: readonly { notAfter: Date }[], after: Date): Date | null {
  const ends = certificates.filter(({ notAfter }) => notAfter > after).map(({ notAfter }) => notAfter.getTime());
  return ends.length > 0 ? new Date(Math.min(...ends)) : null;
}

/**
 * For documents signed with ICP-Brasil certificates: what tells of every one of these signers and of the timestamp authority,
 * fetched. Throws REVOCATION_UNAVAILABLE where something of it is missing (docs/decisions/008); of signatures that an upload
 * brought along, what can be had.
 */
export function digitalArchiveSource(ctx: Ctx, signers: readonly Uint8Array[]): RevocationSource {
  const anchors = ctx.icpBrasil.anchors.map(({ certificate }) => certificate);
  const known = { certificates: ctx.icpBrasil.intermediates, crls: [], ocsps: [] };
  return {
    async material(certificates) {
      const isOurs = certificates.some((one) => signers.some((signer) => Buffer.from(signer).equals(one)));
      const found = await findRevocations(ctx, { certificates, anchors, known, completes: isOurs });
      if (isOurs && found.unproven.length + found.unanchored.length > 0)
        throw new PadesError('REVOCATION_UNAVAILABLE', 'no list or answer for a signer or the timestamp authority');
      return found;
    },
  };
}

/** What verification asks for beyond the file: our own lists for what we issue, the outside for whom else we trust. */
export async function verificationSource(ctx: Ctx, trust: TrustStore): Promise<RevocationSource> {
  const { root, people, platform } = await loadAuthority(ctx);
  const anchors = trust.anchors.map(({ certificate }) => certificate).filter((der) => !Buffer.from(der).equals(root.der));
  return {
    async material(certificates) {
      const { crls, strangers } = await ownLists(ctx, certificates, { firstEnd: null });
      const own = { certificates: [root.der, people.der, platform.der], crls, ocsps: [] };
      const known = await atHand(ctx);
      return joined(own, known, await findRevocations(ctx, { certificates: strangers, anchors, known, completes: false }));
    },
  };
}

/**
 * Fresh lists of the issuers of those certificates that we issued (only theirs: another signer's short list would limit a
 * signature it says nothing about), and the certificates that we did not issue.
 */
async function ownLists(
  ctx: Ctx,
  certificates: readonly Uint8Array[],
  { firstEnd, revoked }: { firstEnd: Date | null; revoked?: KnownRevoked | undefined },
) {
  const { root, people, platform } = await loadAuthority(ctx);
  const members = [root, people, platform].map((member) => ({ id: member.id as CrlIssuer, subject: parseCertificate(member.der).subject }));
  const issuerOf = (der: Uint8Array) => members.find(({ subject }) => isNamed(subject, der));
  const wanted = members.filter((member) => certificates.some((der) => issuerOf(der) === member));
  return {
    crls: await makeRevocationLists(
      ctx,
      wanted.map(({ id }) => ({ issuer: id, until: id === 'people' ? firstEnd : null })),
      revoked,
    ),
    strangers: certificates.filter((der) => issuerOf(der) === undefined),
  };
}

function isNamed(issuer: Uint8Array, der: Uint8Array): boolean {
  try {
    return Buffer.from(issuer).equals(parseCertificate(der).issuer);
  } catch {
    // An upload's signature may carry anything.
    return false;
  }
}

/** Development's authority has its revocation data at hand. */
async function atHand(ctx: Ctx): Promise<ValidationMaterial> {
  return (await ctx.timestamps?.material?.()) ?? { certificates: [], crls: [], ocsps: [] };
}

/** A seal in an upload may have its timestamp from an authority of former times; a signer's of this process has not. */
function demandAll({ unproven, unanchored }: FoundRevocations, isSigners: boolean): void {
  if (unproven.length > 0) throw new PadesError('REVOCATION_UNAVAILABLE', 'no list or answer for the timestamp authority');
  const lost = unanchored.filter(({ purposes }) => purposes?.includes(TIME_STAMPING));
  if (isSigners && lost.length > 0) throw new PadesError('REVOCATION_UNAVAILABLE', 'the timestamp authority is below none of its anchors');
}

function joined(...all: readonly ValidationMaterial[]): ValidationMaterial {
  return {
    certificates: all.flatMap(({ certificates }) => certificates),
    crls: all.flatMap(({ crls }) => crls),
    ocsps: all.flatMap(({ ocsps }) => ocsps),
  };
}
