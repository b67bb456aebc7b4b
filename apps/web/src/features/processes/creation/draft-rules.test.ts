import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultGeneralDeadline } from '@lavra/domain';
import { boxProgress, boxStates, fileBoxes, pressedBoxes, signerColors } from './draft-boxes.ts';
import { type DraftContent, draftFaults, reminderConflict } from './draft-faults.ts';
import { withOfferedDeadlines } from './offered-deadlines.ts';
import type { DraftBox, DraftFile, ProcessDraft, SignerDraft } from './process-draft.ts';

const now = new Date('2026-11-21T12:34:56Z');
const day = (days: number) => new Date(now.getTime() + days * 86_400_000).toISOString();
const signer = (id: string, dueDate: string | null = null, quantity = 1): SignerDraft => ({
  id,
  name: 'Ana',
  email: 'ana@exemplo.com.br',
  phoneNumber: null,
  cpf: null,
  cnpj: null,
  quantity,
  dueDate,
});
const files = [
  { id: 'f1', name: 'a.pdf' },
  { id: 'f2', name: 'b.pdf' },
] as DraftFile[];
const content = (part: Partial<DraftContent> = {}): DraftContent => ({
  title: 'Contrato',
  files,
  signers: [signer('s1')],
  hasDeadline: false,
  deadline: null,
  individual: false,
  hasReminder: false,
  reminderDays: 1,
  ...part,
});
const codes = (part: Partial<DraftContent>) =>
  draftFaults(content(part), now).map(({ field, code, index }) =>
    index === undefined ? `${field}: ${code}` : `${field} ${index}: ${code}`,
  );

test('a draft that holds together has no fault', () => {
  assert.deepEqual(codes({}), []);
  assert.deepEqual(
    codes({
      individual: true,
      signers: [signer('s1', day(1.1)), signer('s2', day(2))],
      hasDeadline: true,
      deadline: day(2),
      hasReminder: true,
    }),
    [],
  );
});

test('title must not be empty; at least one signer and one document', () => {
  assert.deepEqual(codes({ title: '  ', files: [], signers: [] }), [
    'title: process.titleRequired',
    'files: process.documentsRequired',
    'signers: process.signersRequired',
  ]);
});

test('individual deadlines must ascend, and the fault names the signer', () => {
  assert.deepEqual(codes({ individual: true, signers: [signer('s1', day(3)), signer('s2', day(2))] }), [
    'individual 1: process.individualDeadlinesNotAscending',
  ]);
  assert.deepEqual(codes({ individual: true, signers: [signer('s1', day(0.5))] }), ['individual 0: process.deadlineTooEarly']);
  assert.deepEqual(codes({ individual: true, signers: [signer('s1', null)] }), ['individual 0: dateTime.invalid']);
});

test('individual deadlines that are offered after a general one was chosen, or before, contradict nothing', () => {
  const people = ['s1', 's2', 's3'].map((id) => signer(id));
  for (const deadline of [defaultGeneralDeadline(now).toISOString(), day(2.5), day(30), null]) {
    const general = { hasDeadline: deadline !== null, deadline };
    const offered = withOfferedDeadlines(people, general, now);
    assert.deepEqual(codes({ individual: true, signers: offered, ...general }), [], String(deadline));
    const later = withOfferedDeadlines([...offered, signer('s4')], general, now);
    assert.deepEqual(codes({ individual: true, signers: later, ...general }), [], `${deadline}, one more`);
  }
});

test('the general deadline must not be before the last individual one, and is at least the next day', () => {
  assert.deepEqual(codes({ individual: true, signers: [signer('s1', day(5))], hasDeadline: true, deadline: day(4) }), [
    'deadline: process.deadlineBeforeLastIndividual',
  ]);
  assert.deepEqual(codes({ hasDeadline: true, deadline: day(0.2) }), ['deadline: process.deadlineTooEarly']);
  assert.deepEqual(codes({ hasDeadline: true, deadline: null }), ['deadline: dateTime.invalid']);
  // A switch that is off makes its value count for nothing.
  assert.deepEqual(codes({ hasDeadline: false, deadline: day(0.2) }), []);
});

test('Signer form: name required, only letters (with accents) and spaces kept; e-mail required, type e-mail, max 50; phoneNumber max 20: however they came in', () => {
  const given = (part: Partial<SignerDraft>) => ({ ...signer('s1'), ...part });
  const signers = [
    given({ name: 'Conceição Guimarães' }),
    given({ name: ' ' }),
    given({ name: 'Ana Reis Jr.' }),
    given({ name: 'A'.repeat(51) }),
    given({ email: `${'a'.repeat(40)}@exemplo.com.br` }),
    given({ email: '' }),
    given({ phoneNumber: '9'.repeat(21) }),
    given({ cpf: '11111111112' }),
  ];
  assert.deepEqual(codes({ signers }), [
    'signer 1: signer.nameRequired',
    'signer 2: signer.nameCharacters',
    'signer 3: signer.nameTooLong',
    'signer 4: signer.emailInvalid',
    'signer 5: signer.emailInvalid',
    'signer 6: signer.phoneInvalid',
    'signer 7: evidence.cpfInvalid',
  ]);
});

test('refuses a reminder that would pass the general or the last individual deadline', () => {
  assert.equal(reminderConflict({ ...content({ hasDeadline: true, deadline: day(2), hasReminder: true }), reminderDays: 3 }, now), true);
  assert.equal(reminderConflict({ ...content({ hasDeadline: true, deadline: day(4), hasReminder: true }), reminderDays: 3 }, now), false);
  assert.equal(
    reminderConflict({ ...content({ individual: true, signers: [signer('s1', day(2))], hasReminder: true }), reminderDays: 3 }, now),
    true,
  );
  assert.deepEqual(codes({ hasDeadline: true, deadline: day(2), hasReminder: true, reminderDays: 7 }), [
    'reminder: process.reminderConflict',
  ]);
});

const ready: DraftBox = { state: 'ready', page: 1, rect: { x: 1, y: 2, width: 150, height: 75 } };
const draft = (boxes: Record<string, DraftBox>, part: Partial<ProcessDraft> = {}) =>
  ({ ...content({ signers: [signer('s1', null, 2), signer('s2')] }), multiple: true, boxes, ...part }) as ProcessDraft;

test('a signer has as many boxes on every document as their quantity says, one when the switch is off', () => {
  const [first] = draft({}).signers;
  const [file] = files;
  assert.ok(first && file);
  assert.deepEqual(
    fileBoxes(draft({}), first, file).map(({ key }) => key),
    ['s1/f1/0', 's1/f1/1'],
  );
  assert.deepEqual(boxProgress(draft({})), { ready: 0, total: 6 });
  assert.deepEqual(boxProgress(draft({ 's1/f1/0': ready }, { multiple: false })), { ready: 1, total: 4 });
});

test('starting one box ends the one that was under way: placed it is ready, untouched it is not', () => {
  const placed = draft({ 's1/f1/0': { ...ready, state: 'placing' } });
  const [, second] = placed.signers;
  assert.ok(second);
  const next = (from: ProcessDraft) => pressedBoxes(from, second, ['placing', 'idle']);
  assert.equal(next(placed)['s1/f1/0']?.state, 'ready');
  assert.equal(next(draft({ 's1/f1/0': { state: 'placing', page: null, rect: null } }))['s1/f1/0']?.state, 'idle');
  assert.deepEqual(boxStates({ ...placed, boxes: { ...placed.boxes, ...next(placed) } }, second), ['placing', 'idle']);
});

test('eight signers have eight colours, each readable on white', () => {
  assert.equal(new Set(signerColors.map(({ line }) => line)).size, 8);
  const channel = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  for (const { line } of signerColors) {
    const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => channel(Number.parseInt(line.slice(at, at + 2), 16) / 255));
    assert.ok(1.05 / (0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05) >= 4.5, line);
  }
});
