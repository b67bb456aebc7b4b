import assert from 'node:assert/strict';
import { it } from 'node:test';
import { keptDeadlines } from './kept-deadlines.ts';
import type { SignerDraft } from './process-draft.ts';

const now = new Date('2026-11-21T15:59:00Z');
const due = (dueDate: string | null) => ({ id: String(dueDate), dueDate }) as SignerDraft;

it('moves what has come nearer than a day to the next whole hour that can be sent, and tells of nothing else', () => {
  const draft = {
    hasDeadline: true,
    deadline: '2026-11-22T15:30:00.000Z',
    individual: true,
    signers: [due('2026-11-22T15:00:00.000Z'), due('2026-12-01T15:00:00.000Z')],
  };
  const moved = keptDeadlines(draft, now);
  assert.equal(moved?.deadline, '2026-11-22T17:00:00.000Z');
  assert.deepEqual(
    moved?.signers.map(({ dueDate }) => dueDate),
    ['2026-11-22T17:00:00.000Z', '2026-12-01T15:00:00.000Z'],
  );
  assert.equal(keptDeadlines({ ...draft, ...moved }, now), null);
  // A switch that is off makes its value count for nothing.
  assert.equal(keptDeadlines({ ...draft, hasDeadline: false, individual: false }, now), null);
});
