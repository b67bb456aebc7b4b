import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { handedOver, isHandedOver, returningState } from './handed-state.ts';
import type { ProcessDraft } from './process-draft.ts';

const pdf = (name: string) => new File(['%PDF-1.7'], name, { type: 'application/pdf' });

describe('/prepare receives state (files, destinatarios, title, processDeadline, individualDeadline, stakeholders, reminder)', () => {
  it('makes a draft of all of it', () => {
    const { files, content, refused, peopleLeftOut } = handedOver(
      {
        files: [pdf('contrato.pdf'), new File(['x'], 'nota.txt')],
        title: ' Locação ',
        destinatarios: [
          { name: 'Bia Lima', email: 'BIA@exemplo.com.br', quantity: 2 },
          { name: 'Caio Reis', email: 'caio@exemplo.com.br' },
          { name: '', email: 'ninguem' },
        ],
        processDeadline: '2026-12-24T15:00:00.000Z',
        individualDeadline: ['2026-12-22T15:00:00.000Z', new Date('2026-12-23T15:00:00.000Z')],
        stakeholders: [
          { name: 'Dora Dias', email: 'dora@exemplo.com.br' },
          { stakeholderName: 'Dora de novo', stakeholderEmail: 'DORA@exemplo.com.br' },
        ],
        reminder: 7,
      },
      undefined,
    );
    assert.deepEqual([files.map(({ name }) => name), refused], [['contrato.pdf'], [{ key: 'document.notPdf', name: 'nota.txt' }]]);
    assert.equal(peopleLeftOut, 1);
    const { signers = [], ...rest } = content;
    assert.deepEqual(
      signers.map(({ name, email, quantity, dueDate }) => [name, email, quantity, dueDate]),
      [
        ['Bia Lima', 'bia@exemplo.com.br', 2, '2026-12-22T15:00:00.000Z'],
        ['Caio Reis', 'caio@exemplo.com.br', 1, '2026-12-23T15:00:00.000Z'],
      ],
    );
    assert.deepEqual(rest, {
      title: 'Locação',
      multiple: true,
      individual: true,
      stakeholders: [{ name: 'Dora Dias', email: 'dora@exemplo.com.br' }],
      hasStakeholders: true,
      hasDeadline: true,
      deadline: '2026-12-24T15:00:00.000Z',
      hasReminder: true,
      reminderDays: 7,
    });
  });

  it('leaves everything else as a new process has it', () => {
    const { content } = handedOver({ title: 'Só o título', reminder: 5, processDeadline: 'amanhã' }, undefined);
    assert.deepEqual([content.title, content.hasReminder, content.hasDeadline, content.individual], ['Só o título', false, false, false]);
  });

  it('lets a draft stand for all of it', () => {
    assert.equal(isHandedOver({ draftId: 'a', title: 'Contrato' }), false);
    assert.equal(isHandedOver({ title: 'Contrato' }), true);
    assert.equal(isHandedOver({}), false);
  });
});

it('/confirm goes back to /prepare with the same names and the action “returning”', () => {
  const draft = {
    id: 'd',
    title: 'Locação',
    files: [{ id: 'f', name: 'contrato.pdf', file: pdf('contrato.pdf') }],
    signers: [{ name: 'Bia Lima', email: 'bia@exemplo.com.br', quantity: 2, dueDate: '2026-12-22T15:00:00.000Z' }],
    hasDeadline: true,
    deadline: '2026-12-24T15:00:00.000Z',
    individual: true,
    hasStakeholders: true,
    stakeholders: [{ name: 'Dora Dias', email: 'dora@exemplo.com.br' }],
    hasReminder: true,
    reminderDays: 7,
  } as unknown as ProcessDraft;
  const { draftId, action, ...named } = returningState(draft);
  assert.deepEqual([draftId, action], ['d', 'returning']);
  const again = handedOver({ ...named, files: draft.files.map(({ file }) => file) }, undefined);
  assert.deepEqual(
    again.files.map(({ name }) => name),
    ['contrato.pdf'],
  );
  const { title, deadline, reminderDays, stakeholders } = again.content;
  assert.deepEqual(
    { title, deadline, reminderDays, stakeholders },
    {
      title: draft.title,
      deadline: draft.deadline,
      reminderDays: draft.reminderDays,
      stakeholders: draft.stakeholders,
    },
  );
});
