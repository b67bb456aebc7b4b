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
export { startTimestampWorld, type TimestampWorld } from './timestamp-world.ts';
