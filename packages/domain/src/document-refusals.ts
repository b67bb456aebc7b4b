import type { DomainErrorCode } from './errors.ts';

/** By the engine's codes. */
const refusals: Readonly<Record<string, DomainErrorCode>> = {
  NOT_A_PDF: 'document.notPdf',
  ENCRYPTED: 'document.encrypted',
  DAMAGED: 'document.damaged',
  TOO_COMPLEX: 'document.tooComplex',
  NO_PAGES: 'document.noPages',
  XFA_ONLY: 'document.xfaOnly',
  FORM_NOT_DRAWABLE: 'document.formNotDrawable',
  OWNER_FORBIDS: 'document.ownerForbids',
  CERTIFIED_NO_CHANGES: 'document.certifiedNoChanges',
  FIELD_LOCKED: 'document.signaturesForbid',
  CHANGE_NOT_PERMITTED: 'document.signaturesForbid',
  NOT_VERIFIABLE: 'document.notVerifiable',
};

/** What its owner is told of a file that the engine refuses, in the browser before it is sent and on the server in the same words. */
export function documentRefusal(engineCode: string): DomainErrorCode {
  return refusals[engineCode] ?? 'document.damaged';
}
