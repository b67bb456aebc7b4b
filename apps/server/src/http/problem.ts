import { DomainError, type DomainErrorCode } from '@lavra/domain';
import type { FastifyReply } from 'fastify';
import type { Ctx } from '../context.ts';
import { DatabaseAwayError } from '../db/database-away.ts';
import { FENCED, isFenced } from '../db/writing-fence.ts';
import { entityNamed } from './entity-named.ts';
import { loggerFor } from '../loggers.ts';
import { preferredLocale } from './request-facts.ts';

/** A request that does not fit its schema: one entry per field. */
export class InvalidRequestError extends Error {
  override readonly name = 'InvalidRequestError';
  readonly fieldErrors: readonly { field: string; message: string }[];

  constructor(fieldErrors: readonly { field: string; message: string }[]) {
    super('request.invalid');
    this.fieldErrors = fieldErrors;
  }
}

/** Total: a new code has no status until somebody thought of one. docs/errors.md says the same, and a test compares. */
export const statusByCode: Readonly<Record<DomainErrorCode, number>> = {
  'account.nameRequired': 400,
  'account.nameTooLong': 400,
  'account.emailInvalid': 400,
  'account.passwordWeak': 400,
  'account.passwordKnown': 400,
  'account.userexists': 400,
  'account.loginNotFound': 401,
  'account.wrongPassword': 401,
  'account.incorrectPassword': 400,
  'account.locked': 429,
  'account.notActivated': 401,
  'account.deactivated': 401,
  'account.noPassword': 400,
  'account.passwordRequired': 400,
  'account.emailOfProvider': 400,
  'account.timeZoneUnknown': 400,
  'account.keyInvalid': 400,
  'account.proofRequired': 409,
  'account.registeredPasswordWrong': 400,
  'account.firstKeyRequired': 400,
  'account.firstKeyInvalid': 400,
  'identity.providerUnknown': 400,
  'identity.providerUnavailable': 503,
  'identity.providerMisconfigured': 502,
  'identity.providerFault': 502,
  'identity.answerInvalid': 400,
  'identity.refused': 400,
  'identity.codeUsed': 409,
  'identity.clockOff': 503,
  'identity.unbound': 409,
  'identity.emailMissing': 400,
  'identity.emailUnverified': 400,
  'identity.otherCpf': 409,
  'identity.otherPerson': 409,
  'identity.signInUnknown': 404,
  'identity.signInUsed': 409,
  'identity.signInExpired': 409,
  'account.singleSignOn': 409,
  'permission.login': 403,
  'permission.createProcess': 403,
  'account.stepEnded': 400,
  'account.codeWrong': 400,
  'account.codeUsed': 400,
  'account.codesLocked': 429,
  'account.backupCodeWrong': 400,
  'account.passkeyWrong': 400,
  'account.passkeyTaken': 409,
  'account.passkeysNotOffered': 409,
  'account.totpExists': 409,
  'account.secondFactorRequired': 409,
  'account.ownSecondFactor': 409,
  'account.lastWayIn': 409,
  'process.titleRequired': 400,
  'process.titleTooLong': 400,
  'process.signersRequired': 400,
  'process.documentsRequired': 400,
  'process.tooManyDocuments': 400,
  'process.tooManySigners': 400,
  'process.duplicateFileName': 400,
  'process.modalityRequired': 400,
  'process.digitalNotAvailable': 400,
  'process.otherModality': 409,
  'process.deadlineTooEarly': 400,
  'process.deadlineBeforeLastIndividual': 400,
  'process.individualDeadlinesNotAscending': 400,
  'process.reminderConflict': 400,
  'process.positionsMissing': 400,
  'process.positionOutsidePage': 400,
  'process.tooManyBoxes': 400,
  'process.tooManyInvitations': 429,
  'process.notInProgress': 409,
  'process.inProgress': 409,
  'process.notRepeatable': 409,
  'process.notDraft': 409,
  'process.linkEnded': 410,
  'process.notFound': 404,
  'process.contractSuspended': 403,
  'text.invisible': 400,
  'signer.nameRequired': 400,
  'signer.nameInvalid': 400,
  'signer.nameUndrawable': 400,
  'signer.nameCharacters': 400,
  'signer.emailInvalid': 400,
  'signer.phoneInvalid': 400,
  'signer.quantityInvalid': 400,
  'signer.notFound': 404,
  'signer.notYourTurn': 409,
  'signer.alreadySigned': 409,
  'signer.alreadyRejected': 409,
  'signer.deadlinePassed': 409,
  'signer.toldRecently': 409,
  'signer.unchanged': 400,
  'signer.linkReplaced': 410,
  'signer.codeRequired': 403,
  'signer.codeWrong': 400,
  'signer.drawingOver': 410,
  'signer.rejectCauseRequired': 400,
  'signer.rejectCauseTooLong': 400,
  'stakeholder.nameRequired': 400,
  'stakeholder.duplicateEmail': 400,
  'model.nameRequired': 400,
  'model.nameTooLong': 400,
  'model.nameTaken': 400,
  'model.textUndrawable': 400,
  'model.invalid': 400,
  'model.inUse': 400,
  'model.notFound': 404,
  'record.nameRequired': 400,
  'record.nameTooLong': 400,
  'record.nameTaken': 400,
  'record.quantityInvalid': 400,
  'record.permanent': 409,
  'record.inUse': 409,
  'record.changed': 409,
  'record.fixed': 400,
  'record.exists': 409,
  'contract.validityInvalid': 400,
  'contract.paymentTypeInvalid': 400,
  'contract.ownerUnknown': 400,
  'contract.ownerUnconfirmed': 400,
  'contract.typeUnknown': 400,
  'contract.documentsUsedUp': 409,
  'contract.storageUsedUp': 409,
  'contract.digitalSignaturesUsedUp': 409,
  'contract.electronicSignaturesUsedUp': 409,
  'contract.accountUsersUsedUp': 409,
  'user.lastAdministrator': 409,
  'user.erased': 409,
  'user.erasureUnconfirmed': 400,
  'personalData.hasAccount': 409,
  'personalData.none': 404,
  'user.processesRunning': 409,
  'user.ownsContract': 409,
  'user.notConfirmed': 409,
  'user.confirmed': 409,
  'user.emailConfirmed': 409,
  'user.inUse': 409,
  'company.notFound': 404,
  'company.none': 404,
  'company.memberNotFound': 404,
  'company.alreadyMember': 409,
  'company.lastAdministrator': 409,
  'company.ownRole': 409,
  'company.cnpjInvalid': 400,
  'company.cnpjTaken': 409,
  'company.colorInvalid': 400,
  'company.retentionInvalid': 400,
  'company.logoTooLarge': 400,
  'company.emailsRequired': 400,
  'company.tooManyEmails': 400,
  'company.emailInvalid': 400,
  'company.emailFree': 400,
  'company.emailMember': 400,
  'invitation.notFound': 410,
  'invitation.ended': 410,
  'invitation.otherAddress': 409,
  'invitation.companyFull': 409,
  // Section 8: then the page goes on to the registration.
  'invitation.accountMissing': 404,
  'signing.timestampUnavailable': 503,
  'signing.underWay': 409,
  'signing.documentBusy': 409,
  'signing.prepareAgain': 409,
  'signing.valueInvalid': 400,
  'signing.canceled': 409,
  'signing.authorizationExpired': 409,
  'signing.authorizationRefused': 400,
  'signing.authorizationUnknown': 404,
  'signing.authorizationUsed': 409,
  'signing.providerUnknown': 400,
  'signing.providerUnavailable': 503,
  'signing.providerMisconfigured': 502,
  'signing.providerFault': 502,
  'certificate.unreadable': 400,
  'certificate.notIcpBrasil': 400,
  'certificate.notValid': 400,
  'certificate.revoked': 400,
  'certificate.revocationUnknown': 503,
  'certificate.otherHolder': 400,
  'signer.otherCpf': 400,
  'certificate.company': 400,
  'certificate.otherCompany': 400,
  'certificate.application': 400,
  'certificate.unsuitable': 400,
  'certificate.notFound': 400,
  'evidence.nameRequired': 400,
  'evidence.nameUndrawable': 400,
  'evidence.nameCharacters': 400,
  'evidence.cpfInvalid': 400,
  'evidence.imageRequired': 400,
  'evidence.imageInvalid': 400,
  'evidence.imageDamaged': 400,
  'evidence.imageAnimated': 400,
  'evidence.imageTooSmall': 400,
  'evidence.imageBlank': 400,
  'evidence.imageTooLarge': 400,
  'evidence.geolocationRequired': 400,
  'evidence.consentRequired': 400,
  'evidence.ipMissing': 400,
  'document.notFound': 404,
  'document.notPdf': 400,
  'document.empty': 400,
  'document.tooLarge': 413,
  'document.encrypted': 400,
  'document.damaged': 400,
  'document.tooComplex': 400,
  'document.noPages': 400,
  'document.xfaOnly': 400,
  'document.formNotDrawable': 400,
  'document.ownerForbids': 400,
  'document.certifiedNoChanges': 400,
  'document.signaturesForbid': 400,
  'document.notVerifiable': 400,
  'document.nameInvalid': 400,
  'document.inUse': 409,
  'document.notFinished': 409,
  'document.removed': 410,
  'document.notPrintable': 409,
  'document.dailyLimitReached': 429,
  'document.accountLimitReached': 403,
  'document.nothingSelected': 400,
  'verification.identifierInvalid': 400,
  'verification.notPermitted': 400,
  'verification.ticketExpired': 400,
  'trust.listUnreadable': 400,
  'trust.listUnproven': 400,
  'trust.noAddress': 409,
  'trust.unreachable': 503,
  'job.notFailed': 409,
  'process.notStuck': 409,
  'request.invalid': 400,
  'request.unauthorized': 401,
  'request.forbidden': 403,
  'request.notFound': 404,
  'request.tooMany': 429,
  'request.conflict': 409,
  'request.idempotencyMismatch': 409,
  'server.databaseAway': 503,
  'server.moving': 503,
  'server.outcomeUnknown': 503,
  'storage.damaged': 500,
  'storage.full': 507,
  'storage.unavailable': 503,
  'server.busy': 503,
  'server.clockBehind': 503,
  'server.unexpected': 500,
};

/** Words of the specification's catalogue (section 8) that clients compare with; everything else goes by its code. */
const catalogueWords: Partial<Record<DomainErrorCode, { errorKey?: string; message?: string; detail?: string }>> = {
  'account.userexists': { errorKey: 'userexists' },
  'account.loginNotFound': { errorKey: 'loginNotFound' },
  'account.wrongPassword': { errorKey: 'wrongPassword' },
  'account.incorrectPassword': { message: 'Incorrect password' },
  'process.contractSuspended': { detail: 'Contract suspended' },
};

/**
 * Values that the database itself refuses (SQLSTATE): an id that is no UUID names nothing; text with a NUL or a
 * number out of range is the client's fault; two transactions in each other's way may try again.
 */
const codeBySqlState: Record<string, DomainErrorCode> = {
  '22P02': 'request.notFound',
  '22021': 'request.invalid',
  '22P05': 'request.invalid',
  '22003': 'request.invalid',
  '40001': 'request.conflict',
  '40P01': 'request.conflict',
  [FENCED]: 'server.moving',
};

interface Problem {
  status: number;
  code: DomainErrorCode;
  params: Readonly<Record<string, string | number>>;
  fieldErrors: readonly { field: string; message: string }[];
}

/**
 * Seconds after which to come again. Where the outcome is unknown (`server.outcomeUnknown`) that is for looking first; whoever
 * sent an `Idempotency-Key` may repeat the request with the same key.
 */
const retryAfter: Partial<Record<DomainErrorCode, number>> = {
  'server.databaseAway': 5,
  'server.moving': 60,
  'server.outcomeUnknown': 5,
  'server.busy': 10,
  'storage.unavailable': 30,
  'server.clockBehind': 60,
};

/** The one place where a fault becomes an answer. Unknown faults say nothing of themselves. */
function problemOf(error: unknown): Problem {
  if (error instanceof DomainError) {
    const fieldErrors = error.field ? [{ field: error.field, message: error.code }] : [];
    return { status: statusByCode[error.code], code: error.code, params: error.params, fieldErrors };
  }
  if (error instanceof DatabaseAwayError) {
    const code = error.outcomeUnknown ? 'server.outcomeUnknown' : 'server.databaseAway';
    return { status: 503, code, params: {}, fieldErrors: [] };
  }
  if (error instanceof InvalidRequestError) return { status: 400, code: 'request.invalid', params: {}, fieldErrors: error.fieldErrors };
  const { statusCode: status, code: sqlState } = error as { statusCode?: number; code?: string };
  const refused = sqlState === undefined ? undefined : codeBySqlState[sqlState];
  if (refused) return { status: statusByCode[refused], code: refused, params: {}, fieldErrors: [] };
  if (status === 429) return { status, code: 'request.tooMany', params: {}, fieldErrors: [] };
  if (status !== undefined && status >= 400 && status < 500) return { status, code: 'request.invalid', params: {}, fieldErrors: [] };
  return { status: 500, code: 'server.unexpected', params: {}, fieldErrors: [] };
}

/** Of one value, and of all: browsers and proxies take some kilobytes of headers. */
const VALUE_CHARACTERS = 100;
const HEADER_CHARACTERS = 2000;
/** A list of a thousand wrong entries is wrong once. */
const FIELD_ERRORS = 50;

function paramsHeader(params: Problem['params']): string {
  const values = Object.values(params).map((value) => encodeURIComponent(String(value).slice(0, VALUE_CHARACTERS).toWellFormed()));
  // Not in the middle of an escape.
  return values
    .join(',')
    .slice(0, HEADER_CHARACTERS)
    .replace(/%[0-9A-F]?$/, '');
}

/** Answers RFC 9457 problem JSON with the application's headers (section 8 of the specification). */
export async function sendProblem(ctx: Ctx, reply: FastifyReply, error: unknown): Promise<void> {
  const problem = problemOf(error);
  // An outage of the database is told once, by the pool (db/outage-log.ts), not by each of its victims; a move by whoever moves.
  if (problem.status >= 500 && !(error instanceof DatabaseAwayError) && !isFenced(error))
    loggerFor(ctx.log, 'http').error({ err: error, route: reply.request.routeOptions.url }, 'request failed');
  const words = catalogueWords[problem.code];
  const locale = preferredLocale(reply.request.headers['accept-language']);
  const seconds = retryAfter[problem.code];
  if (seconds !== undefined) void reply.header('retry-after', seconds);
  const entityName = entityNamed(problem.code, reply.request.routeOptions.url);
  // Of a 400 the header has the entity's name (section 8); the sentence's values are in the body.
  const isNamed = problem.status === 400 && entityName !== '';
  await reply
    .code(problem.status)
    .header('content-type', 'application/problem+json; charset=utf-8')
    .header('X-app-error', problem.code)
    .header('X-app-params', isNamed ? entityName : paramsHeader(problem.params))
    .send({
      type: 'about:blank',
      title: problem.code,
      status: problem.status,
      detail: words?.detail ?? ctx.translate(locale, problem.code, problem.params),
      errorKey: words?.errorKey ?? problem.code,
      message: words?.message ?? problem.code,
      params: problem.params,
      entityName,
      fieldErrors: problem.fieldErrors.slice(0, FIELD_ERRORS).map((fault) => ({ objectName: entityName, ...fault })),
    });
}
