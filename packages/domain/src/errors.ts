/**
 * Every refusal the product can give, as a code. Sentences live in `locales/<locale>/errors.json`
 * under the same key; `docs/errors.md` explains each. A code is part of the wire: never reworded.
 */
export const domainErrorCodes = [
  // accounts
  'account.nameRequired',
  'account.nameTooLong',
  'account.emailInvalid',
  'account.passwordWeak',
  'account.passwordKnown',
  'account.userexists',
  'account.loginNotFound',
  'account.wrongPassword',
  'account.incorrectPassword',
  'account.locked',
  'account.notActivated',
  'account.deactivated',
  'account.keyInvalid',
  'account.proofRequired',
  'account.registeredPasswordWrong',
  'account.firstKeyRequired',
  'account.firstKeyInvalid',
  // sign-in through a provider
  'identity.providerUnknown',
  'identity.providerUnavailable',
  'identity.providerMisconfigured',
  'identity.providerFault',
  'identity.answerInvalid',
  'identity.refused',
  'identity.codeUsed',
  'identity.clockOff',
  'identity.emailMissing',
  'identity.emailUnverified',
  'identity.otherCpf',
  'identity.signInUnknown',
  'identity.signInUsed',
  'identity.signInExpired',
  'account.singleSignOn',
  // permissions
  'permission.login',
  'permission.createProcess',
  // processes
  'process.titleRequired',
  'process.titleTooLong',
  'process.signersRequired',
  'process.documentsRequired',
  'process.tooManyDocuments',
  'process.tooManySigners',
  'process.duplicateFileName',
  'process.modalityRequired',
  'process.digitalNotAvailable',
  'process.otherModality',
  'process.deadlineTooEarly',
  'process.deadlineBeforeLastIndividual',
  'process.individualDeadlinesNotAscending',
  'process.reminderConflict',
  'process.positionsMissing',
  'process.positionOutsidePage',
  'process.tooManyBoxes',
  'process.tooManyInvitations',
  'process.notInProgress',
  'process.notDraft',
  'process.linkEnded',
  'process.notFound',
  'process.contractSuspended',
  // texts of people
  'text.invisible',
  // signers
  'signer.nameRequired',
  'signer.nameInvalid',
  'signer.nameUndrawable',
  'signer.nameCharacters',
  'signer.emailInvalid',
  'signer.phoneInvalid',
  'signer.quantityInvalid',
  'signer.notFound',
  'signer.notYourTurn',
  'signer.alreadySigned',
  'signer.alreadyRejected',
  'signer.deadlinePassed',
  'signer.rejectCauseRequired',
  'signer.rejectCauseTooLong',
  'stakeholder.duplicateEmail',
  // signature models
  'model.nameRequired',
  'model.nameTooLong',
  'model.nameTaken',
  'model.textUndrawable',
  'model.invalid',
  'model.inUse',
  'model.notFound',
  // records of entities
  'record.nameRequired',
  'record.nameTooLong',
  'record.nameTaken',
  'record.quantityInvalid',
  'record.permanent',
  'record.inUse',
  'record.changed',
  // signing
  'user.lastAdministrator',
  'user.notConfirmed',
  'user.confirmed',
  'user.emailConfirmed',
  'user.inUse',
  'signing.timestampUnavailable',
  'signing.underWay',
  'signing.documentBusy',
  'signing.prepareAgain',
  'signing.valueInvalid',
  'signing.canceled',
  'signing.authorizationExpired',
  'signing.authorizationRefused',
  'signing.authorizationUnknown',
  'signing.authorizationUsed',
  'signing.providerUnknown',
  'signing.providerUnavailable',
  'signing.providerMisconfigured',
  'signing.providerFault',
  // certificates
  'certificate.unreadable',
  'certificate.notIcpBrasil',
  'certificate.notValid',
  'certificate.revoked',
  'certificate.revocationUnknown',
  'certificate.otherHolder',
  'signer.otherCpf',
  'certificate.company',
  'certificate.application',
  'certificate.unsuitable',
  'certificate.notFound',
  // evidence
  'evidence.nameRequired',
  'evidence.nameUndrawable',
  'evidence.nameCharacters',
  'evidence.cpfInvalid',
  'evidence.imageRequired',
  'evidence.imageInvalid',
  'evidence.imageDamaged',
  'evidence.imageAnimated',
  'evidence.imageTooSmall',
  'evidence.imageBlank',
  'evidence.imageTooLarge',
  'evidence.geolocationRequired',
  'evidence.consentRequired',
  'evidence.ipMissing',
  // documents
  'document.notFound',
  'document.notPdf',
  'document.empty',
  'document.tooLarge',
  'document.encrypted',
  'document.damaged',
  'document.tooComplex',
  'document.noPages',
  'document.xfaOnly',
  'document.formNotDrawable',
  'document.ownerForbids',
  'document.certifiedNoChanges',
  'document.signaturesForbid',
  'document.notVerifiable',
  'document.nameInvalid',
  'document.inUse',
  'document.notFinished',
  'document.notPrintable',
  'document.dailyLimitReached',
  'document.accountLimitReached',
  'document.nothingSelected',
  // verification
  'verification.identifierInvalid',
  'verification.notPermitted',
  // generic
  'request.invalid',
  'request.unauthorized',
  'request.forbidden',
  'request.notFound',
  'request.tooMany',
  'request.conflict',
  'request.idempotencyMismatch',
  'server.databaseAway',
  'server.outcomeUnknown',
  'storage.damaged',
  'storage.full',
  'storage.unavailable',
  'server.busy',
  'server.clockBehind',
  'server.unexpected',
] as const;

export type DomainErrorCode = (typeof domainErrorCodes)[number];

/** A code that was stored as a word; one that is none of ours any more counts as unexpected. */
export function storedErrorCode(word: string | null | undefined): DomainErrorCode {
  return domainErrorCodes.find((code) => code === word) ?? 'server.unexpected';
}

/** A refusal by a rule of the product. `params` fill the sentence's placeholders; `field` names the input at fault. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: DomainErrorCode;
  readonly params: Readonly<Record<string, string | number>>;
  readonly field: string | undefined;

  constructor(code: DomainErrorCode, options: { params?: Record<string, string | number>; field?: string } = {}) {
    super(code);
    this.code = code;
    this.params = options.params ?? {};
    this.field = options.field;
  }
}
