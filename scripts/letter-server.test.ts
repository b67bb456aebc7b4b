import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { DomainErrorCode } from '@lavra/domain';
import { statusByCode } from '../apps/server/src/http/problem.ts';

/** Section 8: the statuses by which the catalogue tells its cases apart. */
const statuses: Readonly<Partial<Record<DomainErrorCode, number>>> = {
  'account.userexists': 400,
  'account.loginNotFound': 401,
  'account.wrongPassword': 401,
  // “Change password: 400 with message Incorrect password”.
  'account.incorrectPassword': 400,
  // “delete with status 400”.
  'model.inUse': 400,
  'model.nameTaken': 400,
  'model.notFound': 404,
  // “Accept invite: … 404 shows the server message then /account/register”.
  'invitation.accountMissing': 404,
  // “A suspended contract blocks creation”.
  'process.contractSuspended': 403,
  'request.unauthorized': 401,
  'request.forbidden': 403,
  'request.notFound': 404,
  'request.invalid': 400,
  // Section 5, held by the server as well.
  'process.titleRequired': 400,
  'process.signersRequired': 400,
  'process.documentsRequired': 400,
  'process.duplicateFileName': 400,
  'process.modalityRequired': 400,
  'process.positionsMissing': 400,
  'process.deadlineTooEarly': 400,
  'process.deadlineBeforeLastIndividual': 400,
  'process.individualDeadlinesNotAscending': 400,
  'process.reminderConflict': 400,
  'stakeholder.nameRequired': 400,
  'stakeholder.duplicateEmail': 400,
  'signer.rejectCauseRequired': 400,
  'signer.rejectCauseTooLong': 400,
  'evidence.nameRequired': 400,
  'evidence.cpfInvalid': 400,
  'evidence.imageRequired': 400,
  'evidence.imageInvalid': 400,
  'evidence.geolocationRequired': 400,
  'evidence.ipMissing': 400,
  'company.emailInvalid': 400,
  'company.emailFree': 400,
  'company.emailsRequired': 400,
  'company.retentionInvalid': 400,
  'verification.identifierInvalid': 400,
};

/** What the server says and does by its sentences, and where. */
const lines: Readonly<Record<string, readonly [file: string, ...holds: readonly string[]]>> = {
  '400 with an app-error header: that message with the entity name': [
    'http/problem.ts',
    `.header('X-app-error', problem.code)`,
    `.header('X-app-params', isNamed ? entityName : paramsHeader(problem.params))`,
    'problem.status === 400',
  ],
  'with fieldErrors': ['http/problem.ts', 'fieldErrors: problem.fieldErrors', 'objectName: entityName'],
  '(Min, Max, DecimalMin, DecimalMax map to Size)': [
    'http/route.ts',
    `if (issue.code === 'too_small' || issue.code === 'too_big') return 'Size'`,
    `? 'NotNull' : 'Pattern'`,
  ],
  'the server errorKey is used': [
    'http/problem.ts',
    `'account.userexists': { errorKey: 'userexists' }`,
    `'account.loginNotFound': { errorKey: 'loginNotFound' }`,
    `'account.wrongPassword': { errorKey: 'wrongPassword' }`,
    'errorKey: words?.errorKey ?? problem.code',
  ],
  'the detail is ‘Contract suspended’; message Incorrect password': [
    'http/problem.ts',
    'detail: words?.detail ??',
    'message: words?.message ??',
  ],
  'Success alerts use the app-alert and app-params headers': [
    'entities/entity.routes.ts',
    `{ 'X-app-alert': 'record.created', 'X-app-params': String(created.id) }`,
    `{ 'X-app-alert': 'record.changed', 'X-app-params': String(changed.id) }`,
    `{ 'X-app-alert': 'record.deleted', 'X-app-params': String(params.id) }`,
  ],
  'response reason ‘Permitido’ allows': ['features/verification/login-validation.ts', `'Permitido'`],
  'Page size, process list: 10, default sort createdDate descending': [
    'features/processes/reading/list-processes.ts',
    `sortBy: request.sortBy ?? 'createdDate', direction: request.direction ?? 'desc'`,
    'request.size ?? limits.processPageSize',
  ],
  'the counters are reset to 0 on every save': [
    'features/plans/contracts.store.ts',
    'uploaded_documents: 0, digital_signatures_done: 0, electronic_signatures_done: 0, storage_used: 0,',
  ],
  'latitude, longitude and accuracy non-zero, otherwise …': [
    'features/signing/electronic/init-electronic-signature.ts',
    'const place = devicePlace(input)',
    `if (required) throw new DomainError('evidence.geolocationRequired'`,
    `if (ip === '') throw new DomainError('evidence.ipMissing')`,
    `if (!cpf) throw new DomainError('evidence.cpfInvalid'`,
  ],
  'Reject justification: required, maximum 500 characters': [
    'features/signing/reject-signature.ts',
    'cause.length > limits.rejectCauseMax',
    `'signer.rejectCauseRequired'`,
  ],
  'an HttpOnly, SameSite=Strict cookie': ['http/own-cookie.ts', 'HttpOnly; SameSite=Strict'],
  '… of five minutes': [
    'features/verification/verification.routes.ts',
    'TICKET_SECONDS = 300',
    '{ value: answer.ticket, seconds: TICKET_SECONDS }',
  ],
  'the GET … answers no-store': ['http/app.ts', `reply.header('cache-control', 'no-store')`],
  'success code 205': ['features/companies/companies.routes.ts', 'if (left === null) void reply.code(205)'],
};

const flat = (text: string) => text.replace(/\s+/g, ' ');

describe('the server, to the letter', () => {
  for (const [code, status] of Object.entries(statuses))
    it(`${code}: ${status}`, () => assert.equal(statusByCode[code as DomainErrorCode], status));
  for (const [sentence, [file, ...holds]] of Object.entries(lines))
    it(sentence, () => {
      const text = flat(readFileSync(`apps/server/src/${file}`, 'utf8'));
      for (const part of holds) assert.ok(text.includes(part), `${file} has no ${part}`);
    });
});
