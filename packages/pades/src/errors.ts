/**
 * Everything this package can refuse, as a closed set of codes.
 *
 * File:      NOT_A_PDF (no %PDF- header) · DAMAGED (unusable beyond what appending can keep right) · ENCRYPTED ·
 *            NO_PAGES · XFA_ONLY (dynamic XFA form: what is shown is not in the pages) · FORM_NOT_DRAWABLE (readers are asked to
 *            draw the form and one of its fields cannot be drawn: `field`) · TOO_COMPLEX (a bound was hit) ·
 *            NOT_VERIFIABLE (signed, it would not pass `verifyPdf`: `reasons`).
 * Permission: OWNER_FORBIDS (encrypted, and its owner's permissions allow neither filling in nor changing) ·
 *            CERTIFIED_NO_CHANGES (DocMDP P=1) · FIELD_LOCKED (a FieldMDP lock covers the field) ·
 *            CHANGE_NOT_PERMITTED (the change would break a signature that is already there).
 * Request:   FIELD_EXISTS · FIELD_NOT_FOUND · FIELD_ALREADY_SIGNED · FIELD_TYPE_MISMATCH · PAGE_NOT_FOUND · INVALID_PLAN.
 * Signing:   SIGNATURE_MISMATCH (value does not verify with the certificate) · RESERVE_TOO_SMALL (`needed` bytes) ·
 *            UNSUPPORTED_ALGORITHM · TIMESTAMP_UNAVAILABLE · TIMESTAMP_REFUSED · TIMESTAMP_INVALID ·
 *            CERTIFICATE_INVALID · CMS_INVALID · REVOCATION_UNAVAILABLE (sources of revocation data throw it) · POLICY_INVALID (a policy file that is none, or
 *            whose hash is not its own).
 * Certificate file: P12_WRONG_PASSWORD · P12_DAMAGED · P12_UNSUPPORTED (`algorithm`, or `iterations` beyond the bound) ·
 *            P12_NO_KEY (no private key, or no certificate for it).
 * Appearance: IMAGE_UNSUPPORTED · IMAGE_DAMAGED · TEXT_NOT_ENCODABLE (`characters`) · FONT_UNSUPPORTED.
 */
export type PadesErrorCode =
  | 'NOT_A_PDF'
  | 'DAMAGED'
  | 'ENCRYPTED'
  | 'NO_PAGES'
  | 'XFA_ONLY'
  | 'FORM_NOT_DRAWABLE'
  | 'OWNER_FORBIDS'
  | 'TOO_COMPLEX'
  | 'NOT_VERIFIABLE'
  | 'CERTIFIED_NO_CHANGES'
  | 'FIELD_LOCKED'
  | 'CHANGE_NOT_PERMITTED'
  | 'FIELD_EXISTS'
  | 'FIELD_NOT_FOUND'
  | 'FIELD_ALREADY_SIGNED'
  | 'FIELD_TYPE_MISMATCH'
  | 'PAGE_NOT_FOUND'
  | 'INVALID_PLAN'
  | 'SIGNATURE_MISMATCH'
  | 'RESERVE_TOO_SMALL'
  | 'UNSUPPORTED_ALGORITHM'
  | 'TIMESTAMP_UNAVAILABLE'
  | 'TIMESTAMP_REFUSED'
  | 'TIMESTAMP_INVALID'
  | 'CERTIFICATE_INVALID'
  | 'CMS_INVALID'
  | 'REVOCATION_UNAVAILABLE'
  | 'POLICY_INVALID'
  | 'P12_WRONG_PASSWORD'
  | 'P12_DAMAGED'
  | 'P12_UNSUPPORTED'
  | 'P12_NO_KEY'
  | 'IMAGE_UNSUPPORTED'
  | 'IMAGE_DAMAGED'
  | 'TEXT_NOT_ENCODABLE'
  | 'FONT_UNSUPPORTED';

/** A refusal. `message` is for logs; users are told by the code. */
export class PadesError extends Error {
  override readonly name = 'PadesError';
  readonly code: PadesErrorCode;
  readonly details: Readonly<Record<string, string | number>>;

  constructor(code: PadesErrorCode, message?: string, details: Record<string, string | number> = {}, cause?: unknown) {
    super(message ? `${code}: ${message}` : code, cause === undefined ? undefined : { cause });
    this.code = code;
    this.details = details;
  }
}
