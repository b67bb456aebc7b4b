import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkedPartyName, refusalOf } from './checked-lines.ts';
import { checkedCompany, invitedEmailFault } from './company.ts';
import { parseCpf } from './cpf.ts';
import { documentCountFault, isQuantity, nearestQuantity, signerCountFault } from './creation.ts';
import { DAY_MS, deadlineFault } from './deadlines.ts';
import { isDocumentIdentifier } from './documents.ts';
import { isEmail, parseEmail } from './email.ts';
import { isAcceptablePassword } from './password.ts';
import { reminderConflicts } from './reminders.ts';
import { filesRemovalAt, warnedIfEndedBefore } from './retention.ts';
import { checkedSigner } from './signer.ts';
import { fillModelText, imagePositions, placeholders, textAlignments, textFonts } from './signature-model.ts';

/** Sections 3 and 5, sentence by sentence, at the bounds that they name. */
const now = new Date('2026-03-04T12:00:00Z');
const inDays = (days: number) => new Date(now.getTime() + days * DAY_MS);
const code = (rule: () => unknown) => refusalOf(rule)?.code ?? null;

test('e-mail required, 5 to 254', () => {
  const long = `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.com.br`;
  const at = (length: number) => `${'a'.repeat(length - long.length + 60)}${long.slice(60)}`;
  assert.deepEqual([at(254).length, at(255).length], [254, 255]);
  assert.deepEqual([isEmail('a@b.c'), isEmail(at(254)), isEmail(at(255)), isEmail('')], [true, true, false, false]);
  assert.deepEqual([parseEmail(at(254)), parseEmail(at(255))], [at(254), null]);
});

test('members are warned 7 days before files go, and no file goes sooner after the warning', () => {
  assert.deepEqual(warnedIfEndedBefore(30, now), inDays(-23));
  assert.deepEqual(filesRemovalAt({ finalizedAt: inDays(-30), warnedAt: inDays(-7) }, 30), now);
  assert.deepEqual(filesRemovalAt({ finalizedAt: inDays(-30), warnedAt: now }, 30), inDays(7));
});

test('the pattern of at least 6 characters with an upper case letter, a lower case letter and a digit, at most 50', () => {
  assert.deepEqual(
    ['Abcde1', `Ab1${'x'.repeat(47)}`, 'Abcd1', 'abcde1', 'ABCDE1', 'Abcdef', `Ab1${'x'.repeat(48)}`].map(isAcceptablePassword),
    [true, true, false, false, false, false, false],
  );
});

test('stakeholders: name required, and at most 50 characters', () => {
  assert.equal(
    code(() => checkedPartyName(' ')),
    'stakeholder.nameRequired',
  );
  assert.equal(
    code(() => checkedPartyName('a'.repeat(50))),
    null,
  );
  assert.equal(
    code(() => checkedPartyName('a'.repeat(51))),
    'record.nameTooLong',
  );
});

test('signer order is zero-based', () => {
  const signer = (order: number) => () => checkedSigner({ name: 'Ana Souza', email: 'ana@exemplo.com', order });
  assert.deepEqual([code(signer(0)), code(signer(-1)), code(signer(0.5))], [null, 'request.invalid', 'request.invalid']);
});

test('quantity is a number, minimum 1, by default 1', () => {
  assert.deepEqual([isQuantity(0), isQuantity(1), isQuantity(1.5)], [false, true, false]);
  assert.deepEqual([nearestQuantity(0), nearestQuantity(Number.NaN), nearestQuantity(3)], [1, 1, 3]);
});

test('at least one signer and one document', () => {
  assert.deepEqual([signerCountFault(0)?.fault, signerCountFault(1)], ['process.signersRequired', null]);
  assert.deepEqual([documentCountFault(0)?.fault, documentCountFault(1)], ['process.documentsRequired', null]);
});

test('each later deadline at or after the previous; the general one at or after the last', () => {
  const fault = (general: Date | null, ...individual: Date[]) => deadlineFault({ general, individual }, now)?.fault ?? null;
  assert.equal(fault(null, inDays(2), inDays(2)), null);
  assert.equal(fault(null, inDays(2), new Date(inDays(2).getTime() - 1)), 'process.individualDeadlinesNotAscending');
  assert.equal(fault(inDays(2), inDays(2)), null);
  assert.equal(fault(new Date(inDays(2).getTime() - 1), inDays(2)), 'process.deadlineBeforeLastIndividual');
  assert.equal(fault(inDays(1)), null);
  assert.equal(fault(inDays(0.99)), 'process.deadlineTooEarly');
});

test('an interval that would go past the general or last individual deadline', () => {
  const conflicts = (general: Date | null, ...individual: Date[]) => reminderConflicts(3, { general, individual }, now);
  assert.deepEqual([conflicts(inDays(3)), conflicts(inDays(3.01)), conflicts(null, inDays(1), inDays(3))], [true, false, true]);
});

test('CPF exactly 11 digits, non-digits stripped', () => {
  assert.deepEqual(['529.982.247-25', '5299822472', '529982247255', 'x52998224725'].map(parseCpf), [
    '52998224725',
    null,
    null,
    '52998224725',
  ]);
});

test('not from common free webmail domains', () => {
  const common = ['gmail.com', 'hotmail.com', 'outlook.com', 'live.com', 'msn.com', 'yahoo.com', 'yahoo.com.br', 'icloud.com', 'aol.com'];
  const brazilian = ['uol.com.br', 'bol.com.br', 'terra.com.br', 'ig.com.br', 'globo.com', 'hotmail.com.br', 'outlook.com.br'];
  for (const host of [...common, ...brazilian, 'GMAIL.com']) assert.equal(invitedEmailFault(`ana@${host}`), 'company.emailFree', host);
  assert.equal(invitedEmailFault('ana@padaria.com.br'), null);
  assert.equal(invitedEmailFault('ana@padaria'), 'company.emailInvalid');
});

test('retention acts only when max size and days are positive', () => {
  for (const zero of [{ maxDocSize: '0' }, { maxTime: '0' }, { maxTime: '-1' }])
    assert.equal(
      code(() => checkedCompany({ name: 'Padaria', ...zero })),
      'company.retentionInvalid',
    );
  assert.deepEqual(checkedCompany({ name: 'Padaria', maxDocSize: '1', maxTime: '1' }), { name: 'Padaria', maxDocSize: 1, maxTime: 1 });
});

test('document identifier must be a UUID', () => {
  assert.deepEqual(
    ['12d417a5-6205-42f8-a8cb-39ef3ebb9f8b', '12d417a5620542f8a8cb39ef3ebb9f8b', '12d417a5-6205-42f8-a8cb-39ef3ebb9f8', ''].map(
      isDocumentIdentifier,
    ),
    [true, false, false, false],
  );
});

test('a signature model’s choices, and placeholders for the common name without CPF, the CPF and the signing date', () => {
  assert.deepEqual(imagePositions, ['LEFT', 'RIGHT', 'TOP', 'BOTTOM', 'BACKGROUND', 'NONE']);
  assert.deepEqual(textFonts, ['HELVETICA', 'TIMES_ROMAN', 'COURIER']);
  assert.deepEqual(textAlignments, ['LEFT', 'RIGHT', 'CENTER']);
  const text = [placeholders.name, placeholders.cpf, placeholders.date].join('|');
  assert.equal(fillModelText(text, { name: 'Ana', cpf: '1', date: '2' }), 'Ana|1|2');
});
