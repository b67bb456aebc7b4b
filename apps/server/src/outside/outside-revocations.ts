import { createHash } from 'node:crypto';
import {
  type Certificate,
  CertificatePool,
  type Chain,
  type FetchedProof,
  findChain,
  issuersInAnswer,
  judgeFetchedList,
  judgeFetchedResponse,
  ocspRequest,
  parseCertificate,
  type ValidationMaterial,
} from '@lavra/pades';
import type { Ctx } from '../context.ts';
import { askOutside } from './ask-outside.ts';
import { judgeList, maxListBytes } from './judge-list.ts';
import { rememberListAddress } from './list-addresses.store.ts';

const MEGABYTE = 1024 * 1024;
const MAX_BYTES = { list: maxListBytes, response: MEGABYTE, issuer: MEGABYTE };
/** Addresses tried of one kind in one certificate. */
const MAX_URLS = 3;
/** No further address is tried after this long: a person may be looking at a page, and a job is tried again. */
const PATIENCE_MS = 20_000;
const MAX_CHAIN = 8;
/** A container holds its signer's way up and its timestamp's. Whoever packs in certificates by the hundred has an address called for each. */
const MAX_ISSUERS_ASKED = 16;
const ISSUERS_KEPT_MS = 7 * 24 * 3_600_000;

export interface RevocationQuestion {
  /** DER; in any order, with anything among them. */
  certificates: readonly Uint8Array[];
  /** Only certificates below one of these are spoken of; DER. */
  anchors: readonly Uint8Array[];
  /** Looked through before anybody is asked. */
  known: ValidationMaterial;
  /**
   * True where the certificates come from an authority that we chose: missing issuers are then asked for. Elsewhere nobody is
   * called before a chain has reached an anchor.
   */
  completes: boolean;
  /** How old a kept list or answer may be without asking again. */
  freshMs?: number;
}

/** What was found beyond the question, and what was not. */
export interface FoundRevocations extends ValidationMaterial {
  /** In force, below an anchor, and nobody tells whether they are revoked. */
  unproven: readonly Certificate[];
  /** Below an anchor, and their issuer says that they are revoked. */
  revoked: readonly Certificate[];
  /** Given, and no way leads from them to an anchor. */
  unanchored: readonly Certificate[];
}

/**
 * For every certificate below an anchor what tells whether it is revoked (RFC 5280 §6.3): what is known, else the CRL at the
 * addresses it names, else an OCSP answer (RFC 6960). Everything is checked against its issuer before it is used. What
 * cannot be had is missing and no error.
 */
export async function findRevocations(ctx: Ctx, question: RevocationQuestion): Promise<FoundRevocations> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  const given = question.certificates.flatMap(readable);
  const anchors = question.anchors.flatMap(readable);
  const pool = new CertificatePool();
  pool.add(...given, ...anchors, ...question.known.certificates.flatMap(readable));
  if (question.completes) await addMissingIssuers(ctx, given, { pool, anchors, giveUpAt });
  const chains = await Promise.all(given.map((leaf) => findChain(leaf, pool, anchors)));
  const anchored = chains.filter(isAnchored);
  const proofs = await Promise.all(linksOf(anchored).map((link) => proofOf(ctx, link, question, giveUpAt)));
  const members = new Map(anchored.flatMap(({ certificates }) => certificates).map(({ der }) => [idOf(der), der]));
  return {
    certificates: [...members.values()],
    crls: distinct(proofs.flatMap((proof) => (proof.kind === 'list' ? [proof.bytes] : []))),
    ocsps: distinct(proofs.flatMap((proof) => (proof.kind === 'response' ? [proof.bytes] : []))),
    unproven: proofs.flatMap((proof) => (proof.kind === 'none' && proof.of.notAfter > ctx.clock.now() ? [proof.of] : [])),
    revoked: proofs.flatMap((proof) => (proof.kind !== 'none' && proof.revoked ? [proof.revoked] : [])),
    unanchored: given.filter((_, index) => !chains[index] || !isAnchored(chains[index])),
  };
}

function isAnchored({ anchor, problem }: Chain): boolean {
  return anchor !== null && problem === null;
}

function readable(der: Uint8Array): Certificate[] {
  try {
    return [parseCertificate(der)];
  } catch {
    // A file may carry anything; it says nothing of the rest.
    return [];
  }
}

const idOf = (der: Uint8Array) => createHash('sha256').update(der).digest('hex');

function distinct(all: readonly Uint8Array[]): Uint8Array[] {
  return [...new Map(all.map((one) => [idOf(one), one])).values()];
}

interface Link {
  certificate: Certificate;
  issuer: Certificate;
}

/** Each certificate below an anchor with its issuer, once. */
function linksOf(chains: readonly Chain[]): Link[] {
  const links = new Map<string, Link>();
  for (const { certificates } of chains)
    for (const [index, certificate] of certificates.entries()) {
      const issuer = certificates[index + 1];
      if (issuer) links.set(idOf(certificate.der), { certificate, issuer });
    }
  return [...links.values()];
}

/** Follows caIssuers (RFC 5280 §4.2.2.1) upwards from each certificate, where the way to an anchor is not complete. */
async function addMissingIssuers(
  ctx: Ctx,
  given: readonly Certificate[],
  { pool, anchors, giveUpAt }: { pool: CertificatePool; anchors: readonly Certificate[]; giveUpAt: number },
): Promise<void> {
  let asked = 0;
  for (const leaf of given) {
    for (let steps = 0; steps < MAX_CHAIN; steps += 1) {
      const { certificates, problem } = await findChain(leaf, pool, anchors);
      const last = certificates.at(-1);
      if (problem !== 'incomplete' || !last) break;
      if (asked >= MAX_ISSUERS_ASKED || performance.now() > giveUpAt) return;
      asked += 1;
      const issuers = await issuersOf(ctx, last);
      if (issuers.length === 0) break;
      pool.add(...issuers);
    }
  }
}

async function issuersOf(ctx: Ctx, certificate: Certificate): Promise<readonly Certificate[]> {
  const until = new Date(ctx.clock.now().getTime() + ISSUERS_KEPT_MS);
  for (const url of webAddresses(certificate.issuerUrls)) {
    const found = await askOutside(ctx, {
      url,
      maxBytes: MAX_BYTES.issuer,
      async read(bytes) {
        const value = await issuersInAnswer(bytes, certificate);
        return value.length > 0 ? { value, until } : null;
      },
    });
    if (found) return found.value;
  }
  return [];
}

type Proof =
  | { kind: 'none'; of: Certificate }
  | { kind: 'known'; revoked: Certificate | null }
  | { kind: 'list' | 'response'; bytes: Uint8Array; revoked: Certificate | null };

async function proofOf(ctx: Ctx, link: Link, { known, freshMs }: RevocationQuestion, giveUpAt: number): Promise<Proof> {
  const fresh = freshMs === undefined ? {} : { freshMs };
  const { certificate, issuer } = link;
  if (certificate.neverRevoked) return { kind: 'known', revoked: null };
  const said = ({ status }: FetchedProof) => (status === 'revoked' ? certificate : null);
  const proof = await knownProof(ctx, link, known);
  if (proof) return { kind: 'known', revoked: said(proof) };
  const at = ctx.clock.now();
  for (const url of webAddresses(certificate.crlUrls)) {
    if (performance.now() > giveUpAt) break;
    const read = (bytes: Uint8Array) => judgeList(ctx, bytes, link, at).then(kept);
    const found = await askOutside(ctx, { url, maxBytes: MAX_BYTES.list, read, ...fresh });
    if (!found) continue;
    await rememberListAddress(ctx, { issuer, url });
    return { kind: 'list', bytes: found.bytes, revoked: said(found.value) };
  }
  for (const url of webAddresses(certificate.ocspUrls)) {
    if (performance.now() > giveUpAt) break;
    const body = { type: 'application/ocsp-request', bytes: await ocspRequest(certificate, issuer) };
    const read = (bytes: Uint8Array) => judgeFetchedResponse(bytes, certificate, issuer, at).then(kept);
    const found = await askOutside(ctx, { url, body, maxBytes: MAX_BYTES.response, read, ...fresh });
    if (found) return { kind: 'response', bytes: found.bytes, revoked: said(found.value) };
  }
  return { kind: 'none', of: certificate };
}

function kept<T extends { nextUpdate: Date | null }>(value: T | null): { value: T; until: Date | null } | null {
  return value && { value, until: value.nextUpdate };
}

async function knownProof(ctx: Ctx, { certificate, issuer }: Link, { crls, ocsps }: ValidationMaterial): Promise<FetchedProof | null> {
  const at = ctx.clock.now();
  for (const der of crls) {
    const proof = await judgeFetchedList(der, certificate, issuer, at);
    if (proof) return proof;
  }
  for (const der of ocsps) {
    const proof = await judgeFetchedResponse(der, certificate, issuer, at);
    if (proof) return proof;
  }
  return null;
}

/** LDAP and other ways that nobody can take are no addresses here. */
function webAddresses(urls: readonly string[]): string[] {
  return urls.filter((url) => /^https?:/i.test(url) && url.length <= 2048).slice(0, MAX_URLS);
}
