import { X509Certificate } from 'node:crypto';
import { DomainError } from '@lavra/domain';
import {
  type Certificate,
  CertificatePool,
  type CertificateHolder,
  findChain,
  holderOf,
  PadesError,
  parseCertificate,
  signingKeyOf,
} from '@lavra/pades';
import type { Ctx } from '../../../context.ts';
import { findRevocations } from '../../../outside/outside-revocations.ts';
import { formatInstant } from '../../../language/format-instant.ts';

export interface CertificateToJudge {
  /** DER. */
  certificate: Uint8Array;
  /** Issuers as far as the holder has them, DER, in any order. */
  chain: readonly Uint8Array[];
  /** The signer's, eleven digits. */
  cpf: string;
  /** Of the company that they represent; null: they sign for themselves. */
  cnpj: string | null;
}

export interface JudgedCertificate {
  certificate: Uint8Array;
  /** Its issuers below the root, nearest first. */
  chain: readonly Uint8Array[];
  holder: CertificateHolder;
}

/** Who revoked a stolen certificate this morning does not want yesterday's list to be asked. */
const FRESH_MS = 10 * 60_000;
/** digitalSignature or nonRepudiation (RFC 5280 §4.2.1.3). */
const SIGNS = 0x80 | 0x40;
/** What a person signs documents with (DOC-ICP-04, table 3); S is for secrecy, T for timestamp authorities. */
const SIGNATURE_TYPES = /^A[1-4]/;

/**
 * Whether somebody may sign with this certificate now, wherever its key is: below a root of ICP-Brasil for documents, in
 * force, a person's or that of the company which they represent, of this CPF, not revoked. One function for cloud, file and token; fails closed.
 * @throws DomainError certificate.unreadable, notIcpBrasil, unsuitable, notValid, application, company, otherCompany, otherHolder, revoked, revocationUnknown
 */
export async function judgeSigningCertificate(ctx: Ctx, { certificate, chain, cpf, cnpj }: CertificateToJudge): Promise<JudgedCertificate> {
  const leaf = read(certificate);
  const issuers = await issuersOf(ctx, leaf, chain);
  assertInForce(ctx, [leaf, ...issuers]);
  const holder = holderOf(leaf);
  assertSigns(leaf, holder, cnpj);
  // Of a company's certificate it is the CPF of who is responsible for it.
  if (holder.cpf !== cpf) throw new DomainError('certificate.otherHolder');
  await assertNotRevoked(ctx, leaf, issuers);
  // The root is known to everybody who may believe it.
  return { certificate, chain: issuers.slice(0, -1).map(({ der }) => der), holder };
}

function read(der: Uint8Array): Certificate {
  try {
    return parseExactly(der);
  } catch {
    throw new DomainError('certificate.unreadable');
  }
}

/** These very bytes go into the file, and their hash is signed: a certificate and nothing behind it, or no reader finds it again. */
function parseExactly(der: Uint8Array): Certificate {
  if (!new X509Certificate(der).raw.equals(der)) throw new Error('more than a certificate');
  return parseCertificate(der);
}

/** From the nearest issuer to the root. Nobody is asked for missing ones: the installation knows ICP-Brasil's authorities. */
async function issuersOf(ctx: Ctx, leaf: Certificate, chain: readonly Uint8Array[]): Promise<Certificate[]> {
  const anchors = ctx.icpBrasil.anchors.filter(({ uses }) => uses.includes('signature')).map((anchor) => read(anchor.certificate));
  const pool = new CertificatePool();
  for (const der of [...chain, ...ctx.icpBrasil.intermediates]) {
    try {
      pool.add(parseExactly(der));
    } catch {
      // A certificate file may carry anything beside the chain.
    }
  }
  const found = await findChain(leaf, pool, anchors);
  if (!found.anchor) throw new DomainError('certificate.notIcpBrasil');
  if (found.problem !== null) throw new DomainError('certificate.unsuitable');
  return found.certificates.slice(1);
}

function assertInForce(ctx: Ctx, path: readonly Certificate[]): void {
  const now = ctx.clock.now();
  for (const { notBefore, notAfter } of path) {
    if (notBefore <= now && now <= notAfter) continue;
    throw new DomainError('certificate.notValid', { params: { from: formatInstant(notBefore), to: formatInstant(notAfter) } });
  }
}

function assertSigns(leaf: Certificate, holder: CertificateHolder, cnpj: string | null): void {
  const { kind, type } = holder;
  if (kind === 'application') throw new DomainError('certificate.application');
  if (kind === 'company' && cnpj === null) throw new DomainError('certificate.company');
  if (kind === 'company' && holder.cnpj !== cnpj) throw new DomainError('certificate.otherCompany');
  const signs = leaf.keyUsage !== null && (leaf.keyUsage & SIGNS) !== 0;
  if ((kind !== 'person' && kind !== 'company') || leaf.isAuthority || !signs || !SIGNATURE_TYPES.test(type ?? ''))
    throw new DomainError('certificate.unsuitable');
  try {
    signingKeyOf(leaf.der);
  } catch (error) {
    if (error instanceof PadesError) throw new DomainError('certificate.unsuitable');
    throw error;
  }
}

async function assertNotRevoked(ctx: Ctx, leaf: Certificate, issuers: readonly Certificate[]): Promise<void> {
  const { revoked, unproven, unanchored } = await findRevocations(ctx, {
    certificates: [leaf, ...issuers].map(({ der }) => der),
    anchors: ctx.icpBrasil.anchors.map(({ certificate }) => certificate),
    known: { certificates: [], crls: [], ocsps: [] },
    completes: false,
    freshMs: FRESH_MS,
  });
  if (revoked.length > 0) throw new DomainError('certificate.revoked');
  if (unproven.length > 0 || unanchored.length > 0) throw new DomainError('certificate.revocationUnknown');
}
