import type { CertificationLevel } from '../pdf/permissions.ts';
import type { RevocationStatus } from '../revocation/status.ts';
import type { CertificateHolder } from '../x509/icp-brasil.ts';

/** EN 319 102-1 §5.1.3. */
export type Indication = 'TOTAL-PASSED' | 'TOTAL-FAILED' | 'INDETERMINATE';

/** EN 319 102-1 §5.1.3, those this verifier gives. */
export type SubIndication =
  | 'FORMAT_FAILURE'
  | 'HASH_FAILURE'
  | 'SIG_CRYPTO_FAILURE'
  | 'REVOKED'
  | 'EXPIRED'
  | 'NOT_YET_VALID'
  | 'SIG_CONSTRAINTS_FAILURE'
  | 'CHAIN_CONSTRAINTS_FAILURE'
  | 'CERTIFICATE_CHAIN_GENERAL_FAILURE'
  | 'CRYPTO_CONSTRAINTS_FAILURE'
  | 'POLICY_PROCESSING_ERROR'
  | 'SIGNATURE_POLICY_NOT_AVAILABLE'
  | 'TIMESTAMP_ORDER_FAILURE'
  | 'NO_SIGNING_CERTIFICATE_FOUND'
  | 'NO_CERTIFICATE_CHAIN_FOUND'
  | 'REVOKED_NO_POE'
  | 'REVOKED_CA_NO_POE'
  | 'OUT_OF_BOUNDS_NO_POE'
  | 'OUT_OF_BOUNDS_NOT_REVOKED'
  | 'REVOCATION_OUT_OF_BOUNDS_NO_POE'
  | 'TRY_LATER';

/** Why a verdict is not TOTAL-PASSED, one code per cause; texts for people live with the product. */
export const reasonCodes = [
  // The file around the signature.
  'BYTE_RANGE_INVALID',
  'CONTENTS_INVALID',
  'CONTENTS_NOT_IN_GAP',
  'RANGE_NOT_A_REVISION',
  'RANGES_OVERLAP',
  'SUBFILTER_UNSUPPORTED',
  'SIGNATURE_DICTIONARY_AMBIGUOUS',
  'CHANGED_AFTER_SIGNATURE',
  'LATER_CHANGES_UNREADABLE',
  'BOX_ADDED_AFTER_CERTIFICATION',
  'BOX_OVER_FIELD',
  // The CMS.
  'CMS_MALFORMED',
  'NOT_ONE_SIGNER',
  'CONTENT_ATTACHED',
  'NO_SIGNED_ATTRIBUTES',
  'CONTENT_TYPE_MISMATCH',
  'DIGEST_MISMATCH',
  'SIGNATURE_INVALID',
  'ALGORITHM_UNSUPPORTED',
  'ALGORITHMS_DISAGREE',
  'ALGORITHM_WEAK',
  'SIGNING_CERTIFICATE_NOT_FOUND',
  'SIGNING_CERTIFICATE_UNPROTECTED',
  'SIGNING_CERTIFICATE_MISMATCH',
  // Certificates and time.
  'CHAIN_INCOMPLETE',
  'CHAIN_UNTRUSTED',
  'CHAIN_CONSTRAINTS',
  'KEY_USAGE',
  'CERTIFICATE_EXPIRED',
  'CERTIFICATE_NOT_YET_VALID',
  'SIGNED_AFTER_EXPIRY',
  'CERTIFICATE_REVOKED',
  'SIGNED_AFTER_REVOCATION',
  'CERTIFICATE_SUSPENDED',
  'AUTHORITY_REVOKED',
  'REVOCATION_UNKNOWN',
  'REVOCATION_UNPROVEN',
  // Timestamps.
  'TIMESTAMP_IMPRINT_MISMATCH',
  'TIMESTAMP_PURPOSE',
  'TIMESTAMP_ORDER',
  // The signature policy.
  'POLICY_UNKNOWN',
  'POLICY_HASH_MISMATCH',
  'POLICY_ATTRIBUTE_FORBIDDEN',
  'POLICY_TIMESTAMP_MISSING',
  'POLICY_PERIOD',
  'POLICY_ALGORITHM',
  'POLICY_ATTRIBUTE_MISSING',
  'POLICY_ENTRY_FORBIDDEN',
  'POLICY_ROOT',
  'POLICY_STORE_INCOMPLETE',
  'POLICY_ARCHIVE_MISSING',
  'POLICY_ARTIFACTS_MISSING',
] as const;

/** Why a verdict is not TOTAL-PASSED: one of `reasonCodes`. */
export type ReasonCode = (typeof reasonCodes)[number];

/** What is worth knowing and changes no verdict. */
export const noteCodes = [
  /** The CMS is BER, which CMS allows and PAdES does not (EN 319 142-1 §5.2): no level is met to the letter. */
  'CMS_NOT_DER',
  /** Something else than zeros fills the rest of the room that was left for the signature. */
  'ROOM_NOT_ZERO',
  /** No chain leads to anybody who is trusted: the level is that of the form. */
  'LEVEL_FORM_ONLY',
] as const;

/** Something worth telling that changes no verdict. */
export type NoteCode = (typeof noteCodes)[number];

/** EN 319 102-1 §5.1.3: an indication, for all but TOTAL-PASSED a sub-indication, and every cause that was found. */
export interface Verdict {
  readonly indication: Indication;
  readonly subIndication: SubIndication | null;
  readonly reasons: readonly ReasonCode[];
}

/** What later revisions may do: keep the evidence alive, fill and sign, annotate; anything else is forbidden. */
export type ChangeLevel = 'archive' | 'fill' | 'annotate' | 'forbidden';

/** What can happen to a file behind signed bytes, one code per rule. */
export const changeKindCodes = [
  'validation-data',
  'document-timestamp',
  'metadata',
  'structure-tree',
  'field-filled',
  'field-signed',
  'signature-field-added',
  'box-over-field',
  'annotation-added',
  'annotation-changed',
  'annotation-removed',
  'field-added',
  'field-removed',
  'field-altered',
  'appearance-replaced',
  'page-content',
  'page-tree',
  'catalog',
  'trailer',
  'cross-reference',
  'hidden-object-revealed',
  'ambiguous-object',
  'data-after-end',
  'object',
] as const;

/** What happened: one of `changeKindCodes`. */
export type ChangeKind = (typeof changeKindCodes)[number];

/** One thing that happened to the file behind the signed bytes, and the rule it falls under. */
export interface Change {
  readonly level: ChangeLevel;
  readonly kind: ChangeKind;
  /** Fully qualified, where a form field is concerned. */
  readonly field: string | null;
  /** True when the change shows a new box on a page. */
  readonly visible: boolean;
  readonly objectNumber: number | null;
  /**
   * Where a visible or a forbidden change is seen: one-based numbers of pages of the file as it is now. Empty: on none, or
   * nobody can tell.
   */
  readonly pages: readonly number[];
}

/** A certificate of the chain and what is known of its revocation at the time that counts. */
export interface CertificateSummary {
  readonly subject: string;
  readonly issuer: string;
  /** Hexadecimal. */
  readonly serial: string;
  readonly notBefore: Date;
  readonly notAfter: Date;
  /** DER. */
  readonly der: Uint8Array;
  readonly revocation: RevocationStatus | null;
}

/** The verdict on one timestamp token (RFC 3161), its own chain included. */
export interface TimestampReport extends Verdict {
  readonly kind: 'content-timestamp' | 'signature-timestamp' | 'document-timestamp';
  /** Field of a document timestamp. */
  readonly field: string | null;
  readonly time: Date | null;
  /** Milliseconds to either side that the authority leaves open (RFC 3161 §2.4.2). */
  readonly accuracy: number;
  readonly authority: string | null;
  /** Dotted, of the authority's policy. */
  readonly policy: string | null;
  readonly chain: readonly CertificateSummary[];
  readonly trust: string | null;
}

/** The signature policy that the signature names (RFC 5126 §5.8.1) and whether its hash is the published one. */
export interface PolicyReport {
  /** Dotted. */
  readonly oid: string;
  /** As `AD-RB 1.3`, when it is one of ICP-Brasil's. */
  readonly name: string | null;
  readonly hash: 'matches' | 'differs' | 'unknown-policy';
  /** Everything the policy asks, or what of it is not so. It may be violated by a signature that is TOTAL-PASSED. */
  readonly status: 'matches' | 'violated' | 'unknown-policy';
  readonly reasons: readonly ReasonCode[];
}

/** EN 319 142-1 §6.1, as far as the file fulfils it; says nothing about validity, and without a chain only of the form. */
export type BaselineLevel = 'B-B' | 'B-T' | 'B-LT' | 'B-LTA';

/** The verdict on one signature, whose it is, when it was made and what came after it. */
export interface SignatureReport extends Verdict {
  readonly kind: 'signature';
  /** Every field that shows it; more than one is unusual. */
  readonly fields: readonly string[];
  readonly subFilter: string;
  /** Where the signed bytes end. */
  readonly end: number;
  readonly coversWholeFile: boolean;
  readonly level: BaselineLevel | null;
  readonly notes: readonly NoteCode[];
  readonly policy: PolicyReport | null;
  readonly signer: CertificateHolder | null;
  readonly chain: readonly CertificateSummary[];
  /** Name of the trust anchor reached. */
  readonly trust: string | null;
  /** M of the dictionary, or signing-time: a claim. */
  readonly claimedTime: Date | null;
  /** The earliest proven time, and what proves it. */
  readonly provenTime: Date | null;
  readonly provenBy: 'signature-timestamp' | 'document-timestamp' | null;
  readonly timestamps: readonly TimestampReport[];
  /** Over the content, made before the signature (EN 319 122-1 §5.2.8). */
  readonly contentTimestamps: readonly TimestampReport[];
  /** The signature was made after this: the latest valid timestamp among what it signs. */
  readonly provenAfter: Date | null;
  /** DocMDP in force for what follows this signature. */
  readonly permission: CertificationLevel | null;
  readonly changes: readonly Change[];
  /** Those of `changes` that this signature does not allow. */
  readonly forbidden: readonly Change[];
}

/** The verdict on a document timestamp (ISO 32000-2 §12.8.5) and what came after it. */
export interface DocumentTimestampReport extends TimestampReport {
  readonly kind: 'document-timestamp';
  readonly notes: readonly NoteCode[];
  readonly end: number;
  readonly coversWholeFile: boolean;
  readonly changes: readonly Change[];
  /** Those of `changes` that nobody may make. */
  readonly forbidden: readonly Change[];
}

/** Everything that was verified in a file. */
export interface VerificationReport {
  /** In the order they were made. */
  readonly signatures: readonly SignatureReport[];
  readonly documentTimestamps: readonly DocumentTimestampReport[];
  /** What the whole document deserves: the worst of its signatures and timestamps; null when there is no signature. */
  readonly indication: Indication | null;
}

/** Reports gather verdicts: the first failure decides the indication, every reason is told. */
export class VerdictBuilder {
  private indication: Indication = 'TOTAL-PASSED';
  private subIndication: SubIndication | null = null;
  private readonly reasons: ReasonCode[] = [];

  fail(sub: SubIndication, reason: ReasonCode): void {
    if (this.indication !== 'TOTAL-FAILED') this.subIndication = sub;
    this.indication = 'TOTAL-FAILED';
    this.note(reason);
  }

  doubt(sub: SubIndication, reason: ReasonCode): void {
    if (this.indication === 'TOTAL-PASSED') {
      this.indication = 'INDETERMINATE';
      this.subIndication = sub;
    }
    this.note(reason);
  }

  get passed(): boolean {
    return this.indication === 'TOTAL-PASSED';
  }

  get failed(): boolean {
    return this.indication === 'TOTAL-FAILED';
  }

  get verdict(): Verdict {
    return { indication: this.indication, subIndication: this.subIndication, reasons: [...this.reasons] };
  }

  private note(reason: ReasonCode): void {
    if (!this.reasons.includes(reason)) this.reasons.push(reason);
  }
}
