export {
  createRoot,
  issueAuthority,
  issueSignerCertificate,
  issueTimestampCertificate,
  type Issuer,
  privateKeyOf,
  rootRevocationList,
} from './certificate-authority.ts';
export { type DevelopmentWorld, startDevelopmentWorld } from './development-world.ts';
export { type CaughtMail, type Mailbox, type MailCatcher, startMailCatcher } from './mail-catcher.ts';
export { mailboxPages } from './mailbox-pages.ts';
export { answerOcsp } from './ocsp-responder.ts';
export { type AuthorityIdentity, timestampAuthority } from './timestamp-authority.ts';
export { type MakeBelieveS3, type S3Fault, startMakeBelieveS3 } from './s3.ts';
export { startTimestampWorld, type TimestampWorld } from './timestamp-world.ts';
export { type DevelopmentCertificates, startDevelopmentCertificates } from './development/certificates.ts';
export { demonstrationPeople, type DemonstrationPerson, filePassword } from './development/people.ts';
export { type CertificateFileContent, type CertificateFileKind, writeCertificateFile } from './icp-brasil/certificate-file.ts';
export { keyPool, type KeySource } from './icp-brasil/key-pool.ts';
export { createIcpBrasilPki, type IcpBrasilPki, type IssuedCertificate, type IssueOptions, type Tree } from './icp-brasil/pki.ts';
export type { CertificateType, CompanyData, PersonData } from './icp-brasil/profile.ts';
export { makeBelievePscs, type MakeBelievePscId, type PscBehaviour, type PscCall, type PscQuirks } from './psc/behaviour.ts';
export type { MakeBelievePsc } from './psc/provider.ts';
export { pressButton, type PscWorld, type PscWorldOptions, startPscWorld } from './psc/world.ts';
export { type MakeBelieveIssuerId } from './identity/issuers.ts';
export { identityPeople, type IdentityPerson } from './identity/people.ts';
export { type IdentityWorld, type IdentityWorldOptions, signInAt, startIdentityWorld } from './identity/world.ts';
