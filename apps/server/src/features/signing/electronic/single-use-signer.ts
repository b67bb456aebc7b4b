import { createHash } from 'node:crypto';
import { type Deadlines, signerCertificateEnd } from '@lavra/domain';
import type { Signer } from '@lavra/pades';
import type { Ctx } from '../../../context.ts';
import type { Write } from '../../../db/at-once.ts';
import { LeastRecent } from '../../../storage/least-recent.ts';
import { loadAuthority } from '../../authority/authority.ts';
import { issueSignerCertificate, type SignerCertificate } from '../../authority/issue-signer-certificate.ts';
import { issuedCertificateWrites, recordIssuedCertificate } from '../../authority/record-issued-certificate.ts';
import { signEcdsa } from '../../authority/sign-ecdsa.ts';
import type { LoadedProcess, ProcessSigner } from '../../processes/signature-process.ts';
import { newKeyPair } from '../../authority/keys.ts';

/** Whom a certificate names, and until when their process lasts. */
export interface CertifiedPerson {
  id: string;
  name: string;
  email: string;
  deadlines: Deadlines;
}

export function certifiedPerson(
  { dueDate: general, signers }: Pick<LoadedProcess, 'dueDate' | 'signers'>,
  { id, email }: Pick<ProcessSigner, 'id' | 'email'>,
  name: string,
): CertifiedPerson {
  return { id, name, email, deadlines: { general, individual: signers.map(({ dueDate }) => dueDate) } };
}

/** A key for one act: it cannot be exported and is forgotten with the object. */
export interface SingleUseSigner {
  signer: Signer;
  serial: string;
  fingerprint: string;
}

/** Between an act and its signature, which this program or another one makes. */
interface Waiting {
  made: SingleUseSigner;
  /** Of whom, as they were then. */
  facts: string;
}

const waiting = new WeakMap<Ctx['secrets'], LeastRecent<Waiting>>();
const MOST_WAITING = 200;
const WAITS_MS = 60_000;

function waitingOf(ctx: Ctx): LeastRecent<Waiting> {
  const known = waiting.get(ctx.secrets) ?? new LeastRecent<Waiting>(MOST_WAITING);
  waiting.set(ctx.secrets, known);
  return known;
}

/**
 * Issues the certificate of an act with the act itself, as a part of its statement. The key waits for the job of this attempt, which there is only where
 * that was written; where the job runs elsewhere, or later, or the signer is another by then, one of its own is issued.
 */
export async function issueForAttempt(ctx: Ctx, attemptId: string, person: CertifiedPerson): Promise<Write[]> {
  const { made, certificate } = await issue(ctx, person);
  const all = waitingOf(ctx);
  all.set(attemptId, { made, facts: JSON.stringify(person) }, 1);
  // Refused, or taken up elsewhere: nobody comes for it.
  setTimeout(() => all.delete(attemptId), WAITS_MS).unref();
  return issuedCertificateWrites(ctx, certificate, person.id);
}

/** The key of an attempt, once, with a certificate that is written down. */
export async function singleUseSigner(ctx: Ctx, attemptId: string, person: CertifiedPerson): Promise<SingleUseSigner> {
  const found = waitingOf(ctx).get(attemptId);
  waitingOf(ctx).delete(attemptId);
  if (found?.facts === JSON.stringify(person)) return found.made;
  const { made, certificate } = await issue(ctx, person);
  await recordIssuedCertificate(ctx, certificate, person.id);
  return made;
}

/**
 * The certificate lives past the process's last deadline because validators want the final proofs to
 * be made while it holds (docs/decisions/002).
 */
async function issue(ctx: Ctx, person: CertifiedPerson): Promise<{ made: SingleUseSigner; certificate: SignerCertificate }> {
  const { people, root } = await loadAuthority(ctx);
  const keys = await newKeyPair(false);
  const certificate = await issueSignerCertificate(ctx, person, keys, signerCertificateEnd(person.deadlines, ctx.clock.now()));
  const { der } = certificate;
  const made = {
    signer: { certificate: der, chain: [people.der, root.der], sign: (data: Uint8Array) => signEcdsa(keys.privateKey, data) },
    serial: certificate.serial,
    fingerprint: createHash('sha256').update(der).digest('hex'),
  };
  return { made, certificate };
}
