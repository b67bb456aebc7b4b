import type { Appearance } from '../appearance/appearance.ts';
import type { SignaturePolicy } from '../cms/signed-attributes.ts';
import type { DigestName } from '../crypto.ts';
import type { SignatureFieldPlan } from '../prepare/plan.ts';
import type { Revision } from '../source.ts';

/** One of the signer's other form fields, filled in the same revision as their signature. */
export interface FieldFill {
  /** Fully qualified name of a text field. */
  readonly field: string;
  /** What the field says, for readers that do not see. */
  readonly value: string;
  readonly appearance: Appearance;
}

/** One signature: whose, where and with what beside it. Texts go into the dictionary (ISO 32000-2 §12.8.1). */
export interface SignatureRequest {
  /** Name of an empty signature field, or a field to be created in this revision. */
  readonly field: string | SignatureFieldPlan;
  /** The signer's certificate, DER. */
  readonly certificate: Uint8Array;
  /** Its issuers, DER, nearest first; the root may be left out. */
  readonly chain: readonly Uint8Array[];
  /** A signature policy (ICP-Brasil AD-RB…); `reason` is then left out of the file (EN 319 142-1 §6.3, requirement m). */
  readonly policy?: SignaturePolicy;
  /** Drawn in the field's box. Left out: nothing is drawn. Ignored by an invisible field. */
  readonly appearance?: Appearance;
  readonly fills?: readonly FieldFill[];
  /** Claimed time (M); a timestamp is what proves it. */
  readonly signingTime: Date;
  /** Default: as strong as the key, within the policy. Ed25519 goes with sha512 alone. */
  readonly digest?: DigestName;
  /** Room for the CMS in bytes. Default: the certificates and 16 KiB, enough for a timestamp with its chain; 4 KiB when there will be none. */
  readonly reserve?: number;
  /** False: step two asks for no signature timestamp, so that no room is kept for one. */
  readonly timestamped?: boolean;
  /**
   * How long the timestamp of step two will be, in bytes, where that was measured (`TimestampSource.tokenBytes`): no more room is kept
   * than the signature then needs. For whoever can begin anew when it was wrong, with the key at hand.
   */
  readonly timestampBytes?: number | undefined;
  readonly name?: string;
  readonly reason?: string;
  readonly location?: string;
  readonly contactInfo?: string;
}

/**
 * A signature that waits for its value: plain data, to be stored as JSON between the two steps. Byte strings are
 * base64. Nothing in it is secret.
 */
export interface PreparedSignature {
  readonly format: 1;
  /** Size of the file this revision is appended to. */
  readonly offset: number;
  /** The revision with its hole. */
  readonly revision: string;
  /** The four numbers of ByteRange, as written in the revision. */
  readonly byteRange: readonly [number, number, number, number];
  readonly digest: DigestName;
  /** DER, SET OF: the message of the signature, for keys that hash it themselves. */
  readonly signedAttributes: string;
  /**
   * What a key that does not hash signs: the digest of `signedAttributes` (RSA, ECDSA). Ed25519 has no such form: its
   * input is the message, so this is `signedAttributes` once more (RFC 8419 §3.1; never Ed25519ph).
   */
  readonly toBeSigned: string;
  /** As the revision says it (M), ISO 8601 with the seconds that a PDF date has; what was prepared before 22 November 2026 lacks it. */
  readonly signingTime?: string;
  /** The policy demands a signature timestamp: completing without one is refused. */
  readonly needsTimestamp?: true;
  readonly certificate: string;
  readonly chain: readonly string[];
}

/** A revision with a hole, and what is to be signed for it. */
export interface UnsignedRevision {
  readonly revision: Revision;
  readonly byteRange: PreparedSignature['byteRange'];
  readonly digest: DigestName;
  readonly signedAttributes: Uint8Array;
  readonly needsTimestamp: boolean;
  readonly certificate: Uint8Array;
  readonly chain: readonly Uint8Array[];
}
