import type { Certificate } from '../x509/certificate.ts';
import { isSelfIssued } from '../x509/chain.ts';
import type { TimeBounds } from './existence.ts';
import { judgeCertificate } from './judge-certificate.ts';
import type { JudgeContext, JudgedChain } from './judge-certificate.ts';
import type { VerdictBuilder } from './report.ts';

const maySign = 0x80 | 0x40;
/** Purposes that go with signing documents: any, e-mail, document signing (RFC 9336), Microsoft's and Adobe's, the card's. */
const signingPurposes = new Set([
  '2.5.29.37.0',
  '1.3.6.1.5.5.7.3.4',
  '1.3.6.1.5.5.7.3.36',
  '1.3.6.1.4.1.311.10.3.12',
  '1.3.6.1.4.1.311.20.2.2',
  '1.2.840.113583.1.1.5',
]);
const serverAuth = '1.3.6.1.5.5.7.3.1';
const clientAuth = '1.3.6.1.5.5.7.3.2';
/** Purposes that are somebody's own may be meant for documents; those of RFC 5280 and Microsoft say what they are for. */
const statedArcs = /^1\.3\.6\.1\.(5\.5\.7\.3|4\.1\.311)\./;

/** A server, a program, an authority: all that the certificate may be used for is something else. */
function isForOtherPurposes(purposes: readonly string[] | null): boolean {
  if (purposes === null || purposes.length === 0) return false;
  // A person who logs in somewhere signs with the same key in Brazil; a server that is somebody's client does not.
  if (purposes.includes(clientAuth) && !purposes.includes(serverAuth)) return false;
  return purposes.every((purpose) => !signingPurposes.has(purpose) && statedArcs.test(purpose));
}

/** The signer's chain, and whether its certificate is one to sign documents with. */
export function judgeSigner(
  certificate: Certificate,
  bounds: TimeBounds,
  context: JudgeContext,
  out: VerdictBuilder,
): Promise<JudgedChain> {
  // digitalSignature or nonRepudiation (RFC 5280 §4.2.1.3).
  const { keyUsage, purposes } = certificate;
  if (keyUsage !== null && (keyUsage & maySign) === 0) out.doubt('CHAIN_CONSTRAINTS_FAILURE', 'KEY_USAGE');
  // An authority signs certificates. Who only vouches for themself says so too, by the habit of the tools, and issues nothing.
  const issues = certificate.isAuthority && !(isSelfIssued(certificate) && keyUsage === null);
  if (isForOtherPurposes(purposes) || issues) out.doubt('CHAIN_CONSTRAINTS_FAILURE', 'KEY_USAGE');
  return judgeCertificate(certificate, bounds, context, out);
}
