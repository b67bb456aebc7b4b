/**
 * # @lavra/pades
 *
 * PAdES signatures (EN 319 142-1) for Node and the browser, append-only and in two storable steps:
 *
 *     const pdf = await openPdf(source);
 *     const prepared = await prepareSignature(pdf, { field, certificate, chain, signingTime });
 *     // … store `prepared`; anyone signs `prepared.signedAttributes` (or its hash, `prepared.toBeSigned`) …
 *     const revision = await completeSignature(prepared, signatureValue, { signatureTimestamp });
 *     // the signed file is the original bytes followed by `revision.bytes`
 *
 * Coordinates are PDF points in the page's unrotated user space. No network, file system or clock inside.
 */
export { PadesError } from './errors.ts';
export type { PadesErrorCode } from './errors.ts';
export { chunksOf, coveredSource, joinRevisions, memorySource, readAll, withRevision } from './source.ts';
export type { PdfSource, Revision } from './source.ts';
export { platformCrypto, streamingCrypto } from './crypto.ts';
export type { Crypto, DigestName, Hash, HashName } from './crypto.ts';

export { openPdf, openRevised } from './open-pdf.ts';
export type { Pdf } from './pdf/pdf.ts';
export { inspectPdf } from './inspect/inspect-pdf.ts';
export type { Conformance } from './pdf/conformance.ts';
export type { PdfInspection } from './inspect/inspect-pdf.ts';
export { withoutPassword } from './pdf/security/without-password.ts';
export type { OwnerPermissions } from './pdf/security/file-security.ts';
export type { OpenField } from './pdf/open-fields.ts';
export type { XfaUse } from './pdf/xfa.ts';
export type { PageInfo } from './pdf/pages.ts';
export type { CertificationLevel, FieldLock, SignatureFieldInfo } from './pdf/permissions.ts';
export { displayToUser, userToDisplay } from './pdf/geometry.ts';
export type { Box, Rect, Rotation } from './pdf/geometry.ts';

export { preparePdf } from './prepare/prepare-pdf.ts';
export type { FieldPosition, PreparationPlan, SignatureFieldPlan, TextFieldPlan } from './prepare/plan.ts';
export type { Appearance, AppearanceGround, ImagePosition, TextAlignment, TextFontName } from './appearance/appearance.ts';
export { readImage } from './appearance/read-image.ts';
export type { ReadImage } from './appearance/read-image.ts';
export type { Pixels } from './appearance/png.ts';
export { layoutAppearance } from './appearance/layout.ts';
export type { Layout } from './appearance/layout.ts';

export { printableCopy } from './print/printable-copy.ts';
export type { PrintableCopyPlan } from './print/printable-copy.ts';
export { rehearseSigning } from './rehearse/rehearse-signing.ts';
export { isUsual } from './rehearse/usual-plan.ts';

export { prepareSignature } from './sign/prepare-signature.ts';
export { completeSignature } from './sign/complete-signature.ts';
export type { CompletionOptions } from './sign/complete-signature.ts';
export { signPdf } from './sign/sign-pdf.ts';
export type { Signer } from './sign/sign-pdf.ts';
export type { FieldFill, PreparedSignature, SignatureRequest } from './sign/request.ts';
export { fromBase64, toBase64 } from './base64.ts';
export type { SignaturePolicy } from './cms/signed-attributes.ts';
export { tryTimestamps } from './timestamp/timestamp.ts';
export type { TimestampSource } from './timestamp/timestamp.ts';

export { extendPdf } from './extend/extend-pdf.ts';
export { askForMaterial } from './extend/security-store.ts';
export type { ExtensionOptions, PadesLevel } from './extend/extend-pdf.ts';
export type { RevocationSource, ValidationMaterial } from './material.ts';

export { verifyPdf } from './verify/verify-pdf.ts';
export type { VerificationOptions } from './verify/verify-pdf.ts';
export { changeKindCodes, noteCodes, reasonCodes } from './verify/report.ts';
export { govBrTrust, icpBrasilTrust } from './trust/brazil.ts';
export { certificatesInPem, joinTrust } from './trust/trust-store.ts';
export type { TrustAnchor, TrustStore } from './trust/trust-store.ts';
export type {
  BaselineLevel,
  CertificateSummary,
  NoteCode,
  Change,
  ChangeKind,
  ChangeLevel,
  DocumentTimestampReport,
  Indication,
  PolicyReport,
  ReasonCode,
  SignatureReport,
  SubIndication,
  TimestampReport,
  VerificationReport,
  Verdict,
} from './verify/report.ts';
export type { RevocationStatus } from './revocation/status.ts';
export { issuersInAnswer, judgeFetchedList, judgeFetchedResponse, judgeIssuersList } from './revocation/fetched.ts';
export type { FetchedProof } from './revocation/fetched.ts';
export { listedRevocations } from './revocation/listed.ts';
export type { ListAt } from './revocation/listed.ts';
export { ocspRequest } from './revocation/ocsp-request.ts';
export { CertificatePool, findChain } from './x509/chain.ts';
export type { Chain } from './x509/chain.ts';
export { parseCertificate } from './x509/certificate.ts';
export type { Certificate } from './x509/certificate.ts';
export { holderOf } from './x509/icp-brasil.ts';
export type { CertificateHolder, CertificateHolderKind, CertificateType } from './x509/icp-brasil.ts';
export { adRa14, adRb13, adRc14, adRt13, knownPolicies } from './policies/icp-brasil.ts';
export type { IcpBrasilFamily, KnownPolicy } from './policies/icp-brasil.ts';
export { readPolicyHash } from './policies/policy-hash.ts';
export type { PolicyHash } from './policies/policy-hash.ts';
export { digestFor, signingKeyOf } from './cms/signing-key.ts';
export type { CurveName, SigningKey } from './cms/signing-key.ts';
export type { PolicyArtifacts } from './material.ts';
