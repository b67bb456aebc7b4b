import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatCpf, maskCpf, parseCpf } from './cpf.ts';
import {
  DAY_MS,
  deadlineFault,
  defaultGeneralDeadline,
  defaultIndividualDeadline,
  formInstant,
  keptDeadline,
  minimumDeadline,
  signerCertificateEnd,
} from './deadlines.ts';
import { cleanFileName, duplicateFileNames, signedFileName } from './documents.ts';
import { isEmail, maskEmail } from './email.ts';
import { limits } from './limits.ts';
import { isPersonName, keepNameCharacters, maskName } from './names.ts';
import { isAcceptablePassword, passwordStrength } from './password.ts';
import { dueReminders, reminderAt, reminderConflicts } from './reminders.ts';
import { defaultElectronicModel, fillModelText } from './signature-model.ts';

const now = new Date('2026-11-21T12:34:56Z');
const instants = fc.date({ min: new Date('2026-11-22T13:00:00Z'), max: new Date('2030-01-01T00:00:00Z'), noInvalidDate: true });

test('CPF is exactly 11 digits, non-digits stripped, both check digits right', () => {
  assert.equal(parseCpf('529.982.247-25'), '52998224725');
  assert.equal(parseCpf('111.444.777-35'), '11144477735');
  assert.equal(parseCpf('529.982.247-26'), null);
  assert.equal(parseCpf('111.111.111-11'), null);
  assert.equal(parseCpf('5299822472'), null);
  assert.equal(parseCpf(''), null);
});

test('changing any one digit of a CPF makes it wrong', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10 }), fc.integer({ min: 1, max: 9 }), (at, by) => {
      const digits = [...'52998224725'];
      digits[at] = String((Number(digits[at]) + by) % 10);
      assert.equal(parseCpf(digits.join('')), null);
    }),
  );
});

test('CPF field masked ddd.ddd.ddd-dd, finished or not, and hidden on public pages', () => {
  assert.equal(formatCpf('52998224725'), '529.982.247-25');
  assert.equal(formatCpf('5299'), '529.9');
  assert.equal(formatCpf('529982247'), '529.982.247');
  assert.equal(formatCpf('5299822472599'), '529.982.247-25');
  assert.equal(maskCpf('52998224725'), '***.982.247-**');
});

test('password needs at least 6 characters with an upper case letter, a lower case letter and a digit', () => {
  assert.equal(isAcceptablePassword('Abcde1'), true);
  for (const bad of ['Abcd1', 'abcdef1', 'ABCDEF1', 'Abcdefg', `Aa1${'x'.repeat(48)}`]) assert.equal(isAcceptablePassword(bad), false);
});

test('password strength has five levels and never falls when a password grows', () => {
  assert.equal(passwordStrength(''), 0);
  assert.equal(passwordStrength('abc'), 1);
  assert.equal(passwordStrength('Correto-Cavalo-Bateria-7'), 5);
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 40 }), (password) => {
      const level = passwordStrength(password);
      assert.ok(level >= 1 && level <= 5);
      assert.ok(passwordStrength(`${password}a`) >= level);
    }),
  );
});

test('signer name keeps only letters with accents and spaces', () => {
  assert.equal(keepNameCharacters('João  d’Ávila 3º <b>'), 'João d’Ávila º b');
  assert.equal(isPersonName('Ana Beatriz Souza'), true);
  assert.equal(isPersonName('  '), false);
  assert.equal(isPersonName('R2D2'), false);
  assert.equal(isPersonName('a'.repeat(51)), false);
  assert.equal(maskName('Ana Beatriz Souza'), 'Ana B. S.');
});

test('e-mail required, 5 to 254, in the shape x@y.z', () => {
  assert.equal(isEmail('a@b.c'), true);
  assert.equal(isEmail('a@b'), false);
  assert.equal(isEmail('ana maria@exemplo.com'), false);
  assert.equal(isEmail(`${'a'.repeat(45)}@b.com`, limits.signerEmailMax), false);
  assert.equal(maskEmail('ana@exemplo.com.br'), 'a**@exemplo.com.br');
});

test('default general deadline is tomorrow plus one hour at minute zero and individual ones step one day', () => {
  const general = defaultGeneralDeadline(now);
  assert.equal(general.toISOString(), '2026-11-22T13:00:00.000Z');
  assert.equal(defaultIndividualDeadline(now, 2).getTime() - general.getTime(), 2 * DAY_MS);
});

test('the defaults are never refused by the rules', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date('2026-01-01'), max: new Date('2036-01-01'), noInvalidDate: true }), fc.nat(9), (at, count) => {
      const individual = Array.from({ length: count }, (_, index) => defaultIndividualDeadline(at, index));
      assert.equal(deadlineFault({ general: null, individual }, at), null);
      assert.equal(deadlineFault({ general: defaultGeneralDeadline(at), individual: [] }, at), null);
    }),
  );
});

test('individual deadlines must ascend', () => {
  fc.assert(
    fc.property(fc.uniqueArray(instants, { minLength: 2, maxLength: 8, selector: (date) => date.getTime() }), (dates) => {
      const ascending = dates.toSorted((a, b) => a.getTime() - b.getTime());
      assert.equal(deadlineFault({ general: null, individual: ascending }, now), null);
      assert.equal(
        deadlineFault({ general: null, individual: ascending.toReversed() }, now)?.fault,
        'process.individualDeadlinesNotAscending',
      );
    }),
  );
});

test('those who sign at the same time may come in any order: only from one turn to the next individual deadlines must ascend', () => {
  const turns = fc.array(fc.array(fc.option(instants, { nil: null }), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 });
  const judged = (groups: readonly (readonly (Date | null)[])[]) =>
    deadlineFault({ general: null, individual: groups.flat(), orders: groups.flatMap((group, order) => group.map(() => order)) }, now)
      ?.fault;
  const timesOf = (group: readonly (Date | null)[]) => group.flatMap((date) => (date ? [date.getTime()] : []));
  fc.assert(
    fc.property(turns, (groups) => {
      const fault = judged(groups);
      assert.equal(judged(groups.map((group) => group.toReversed())), fault);
      const isAscending = groups.every((group, at) => {
        const before = Math.max(0, ...groups.slice(0, at).flatMap(timesOf));
        return timesOf(group).every((time) => time >= before);
      });
      assert.equal(fault, isAscending ? undefined : 'process.individualDeadlinesNotAscending');
    }),
  );
});

test('the general deadline must not be before the last individual deadline, nor before the next day', () => {
  const individual = [new Date('2026-11-25T00:00:00Z')];
  assert.equal(
    deadlineFault({ general: new Date('2026-11-24T00:00:00Z'), individual }, now)?.fault,
    'process.deadlineBeforeLastIndividual',
  );
  assert.equal(deadlineFault({ general: new Date('2026-11-21T20:00:00Z'), individual: [] }, now)?.fault, 'process.deadlineTooEarly');
  assert.equal(deadlineFault({ general: minimumDeadline(now), individual: [] }, now), null);
  const early = new Date(minimumDeadline(now).getTime() - 5 * 60_000);
  assert.equal(deadlineFault({ general: early, individual: [] }, now)?.fault, 'process.deadlineTooEarly', 'five minutes short of a day');
  assert.equal(deadlineFault({ general: null, individual: [new Date('2026-11-21T20:00:00Z')] }, now)?.fault, 'process.deadlineTooEarly');
});

test('a deadline that was a day ahead when its form was opened goes out a day ahead, however long the form took', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 3 * DAY_MS }), fc.integer({ min: DAY_MS, max: 3 * DAY_MS }), (opened, ahead) => {
      const sent = new Date(now.getTime() + opened);
      const deadline = new Date(now.getTime() + ahead);
      const kept = keptDeadline(deadline, sent);
      assert.equal(deadlineFault({ general: kept, individual: [kept] }, new Date(sent.getTime() + 60_000)), null);
      assert.ok(kept >= deadline, 'never earlier');
      if (deadline.getTime() >= sent.getTime() + DAY_MS + 60_000) assert.equal(kept, deadline, 'what is a day ahead stays');
      else assert.equal(kept.getTime() % 3_600_000, 0, 'a whole hour');
    }),
  );
});

test('a form’s deadlines are judged by when it was opened, an hour ago at most', () => {
  const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
  assert.deepEqual(formInstant(ago(5), now), ago(5));
  assert.deepEqual(formInstant(ago(500), now), ago(60));
  assert.deepEqual(formInstant(ago(-5), now), now, 'a clock that was set back');
});

test('refuses a reminder that would pass the general or the last individual deadline', () => {
  const inThreeDays = new Date(now.getTime() + 3 * DAY_MS);
  assert.equal(reminderConflicts(2, { general: inThreeDays, individual: [] }, now), false);
  assert.equal(reminderConflicts(3, { general: inThreeDays, individual: [] }, now), true);
  assert.equal(reminderConflicts(7, { general: null, individual: [null, inThreeDays] }, now), true);
  // Where everybody has a deadline of their own, the general one comes too late to be reminded of.
  const inThirtyDays = new Date(now.getTime() + 30 * DAY_MS);
  assert.equal(reminderConflicts(7, { general: inThirtyDays, individual: [inThreeDays, inThreeDays] }, now), true);
  assert.equal(reminderConflicts(2, { general: inThirtyDays, individual: [inThreeDays, inThreeDays] }, now), false);
  assert.equal(reminderConflicts(7, { general: inThirtyDays, individual: [inThreeDays, null] }, now), false);
  assert.equal(reminderConflicts(14, { general: null, individual: [] }, now), false);
});

test('a reminder interval counts from the invitation and never goes out after a deadline', () => {
  const invitedAt = new Date(now.getTime() - 2 * DAY_MS);
  const signer = { id: 'a', invitedAt, dueDate: null, remindersSent: 0 };
  const due = (input: Partial<typeof signer>, dueDate: Date | null = null, reminderIn: number | null = 2) =>
    dueReminders({ reminderIn, dueDate, waitingSigners: [{ ...signer, ...input }] }, now).length;
  assert.equal(due({}), 1);
  assert.equal(due({ remindersSent: 1 }), 0);
  assert.equal(due({}, new Date(now.getTime() - 1)), 0);
  assert.equal(due({}, null, null), 0);
  assert.equal(due({ invitedAt: new Date(now.getTime() - DAY_MS) }), 0);
});

test('a reminder has the number of the interval that has just ended, whether or not those before it went out', () => {
  const invitedAt = new Date(now.getTime() - 5 * DAY_MS - 1);
  const signer = { id: 'a', invitedAt, dueDate: null, remindersSent: 0 };
  assert.equal(reminderAt(signer, 1, now), 5);
  assert.equal(reminderAt(signer, 2, now), 2);
  assert.equal(reminderAt({ ...signer, remindersSent: 4 }, 1, now), 5);
  // A log from before this rule counted on by one; no number is used twice.
  assert.equal(reminderAt({ ...signer, remindersSent: 5 }, 1, now), 6);
  const reminded = { ...signer, remindersSent: reminderAt(signer, 1, now) };
  assert.equal(dueReminders({ reminderIn: 1, dueDate: null, waitingSigners: [reminded] }, now).length, 0);
});

test('duplicate file names are found whatever their case, and names carry no path', () => {
  assert.deepEqual(duplicateFileNames(['a.pdf', 'b.pdf', 'A.PDF']), ['A.PDF']);
  // Signed, both would be `a-assinado.pdf`.
  assert.deepEqual(duplicateFileNames(['a', 'b.pdf', 'a.pdf']), ['a.pdf']);
  assert.equal(cleanFileName('C:\\docs\\contrato.pdf'), 'contrato.pdf');
  assert.equal(cleanFileName('../../etc/passwd'), 'passwd');
  assert.equal(cleanFileName('.pdf'), null);
  assert.equal(signedFileName('Contrato.PDF'), 'Contrato-assinado.pdf');
});

test('a single-use certificate reaches past the last deadline of the process, and far where there is none', () => {
  const at = new Date('2026-11-23T12:00:00Z');
  const inDays = (days: number) => new Date(at.getTime() + days * DAY_MS);
  assert.deepEqual(signerCertificateEnd({ general: inDays(5), individual: [inDays(2), null] }, at), inDays(365 + 30));
  assert.deepEqual(signerCertificateEnd({ general: null, individual: [inDays(2), inDays(800)] }, at), inDays(800 + 30));
  assert.deepEqual(signerCertificateEnd({ general: null, individual: [inDays(2), null] }, at), inDays(3650 + 30));
});

test('the placeholders of a signature model are filled once: a name is never read as a placeholder or a pattern', () => {
  const values = { name: 'Ana $CERT_CPF$ $& D’Ávila', cpf: '529.982.247-25', date: '21/11/2026' };
  const text = fillModelText(defaultElectronicModel.customText, values);
  assert.equal(text, 'Assinado eletronicamente por:\nAna $CERT_CPF$ $& D’Ávila\nCPF: 529.982.247-25\n21/11/2026');
  assert.equal(fillModelText('sem nada $OUTRO$', values), 'sem nada $OUTRO$');
});
