import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS, HOUR_MS } from './deadlines.ts';
import {
  canCancel,
  canContinueDraft,
  canDeleteDraft,
  canDownload,
  canRemoveFiles,
  canHandOutLink,
  canSign,
  canView,
  linkOpensDocuments,
} from './permissions.ts';
import type { ProcessStatus, TurnFacts } from './signature-process.ts';

const now = new Date('2026-11-22T12:00:00Z');
const statuses: readonly ProcessStatus[] = [
  'DRAFT',
  'IN_PROGRESS',
  'FINALIZED_WITH_SUCCESS',
  'FINALIZED_BY_EXPIRATION',
  'FINALIZED_BY_REJECTION',
  'CREATOR_CANCELED',
];

/** The states in which it may be done. */
const where = (may: (status: ProcessStatus) => boolean) => statuses.filter(may);

test('what the creator may do follows the state, and others may do none of it', () => {
  const creator = { currentIsOwner: true };
  assert.deepEqual(
    where((status) => canCancel({ status, ...creator })),
    ['IN_PROGRESS'],
  );
  assert.deepEqual(
    where((status) => canContinueDraft({ status, ...creator })),
    ['DRAFT'],
  );
  for (const verb of [canCancel, canContinueDraft])
    assert.deepEqual(
      where((status) => verb({ status, currentIsOwner: false })),
      [],
    );
});

test('a process is seen by its creator and whoever was invited, a draft by nobody', () => {
  const ended = statuses.slice(1);
  const seenBy = (currentIsOwner: boolean, currentIsInvited: boolean) =>
    where((status) => canView({ status, currentIsOwner, currentIsInvited }));
  assert.deepEqual(seenBy(true, false), ended);
  assert.deepEqual(seenBy(false, true), ended);
  assert.deepEqual(seenBy(false, false), []);
});

test('signed documents are downloaded after success alone, while they are kept', () => {
  assert.deepEqual(
    where((status) => canDownload({ status, filesRemovedAt: null })),
    ['FINALIZED_WITH_SUCCESS'],
  );
  assert.deepEqual(
    where((status) => canDownload({ status, filesRemovedAt: new Date(0) })),
    [],
  );
});

test('files go once, of what has ended, and never of a process that runs or is being written', () => {
  assert.deepEqual(
    where((status) => canRemoveFiles({ status, filesRemovedAt: null })),
    statuses.slice(2),
  );
  assert.deepEqual(
    where((status) => canRemoveFiles({ status, filesRemovedAt: new Date(0) })),
    [],
  );
});

test('whose turn it is may sign, and have their link handed out by the creator; the next one none of it', () => {
  const state: TurnFacts = {
    status: 'IN_PROGRESS',
    dueDate: null,
    finalizedAt: null,
    signers: [
      { id: 'a', order: 0, status: 'SENT', dueDate: null },
      { id: 'b', order: 1, status: 'WAITING', dueDate: null },
    ],
  };
  assert.equal(canSign(state, 'a', now), true);
  assert.equal(canSign(state, 'b', now), false);
  assert.equal(canSign({ ...state, dueDate: now }, 'a', now), false);
  assert.deepEqual(
    where((status) => canSign({ ...state, status }, 'a', now)),
    ['IN_PROGRESS'],
  );
  assert.equal(canHandOutLink({ ...state, currentIsOwner: true }, 'a', now), true);
  assert.equal(canHandOutLink({ ...state, currentIsOwner: true }, 'b', now), false);
  assert.equal(canHandOutLink({ ...state, currentIsOwner: false }, 'a', now), false);
});

test('a link opens the documents of what runs or succeeded, for thirty days of what ended otherwise, and never a draft', () => {
  const opensAfter = (days: number) =>
    where((status) => linkOpensDocuments({ status, finalizedAt: new Date(now.getTime() - days * DAY_MS) }, now));
  assert.deepEqual(opensAfter(29), statuses.slice(1));
  assert.deepEqual(opensAfter(30), ['IN_PROGRESS', 'FINALIZED_WITH_SUCCESS']);
});

test('a draft is removed when it is older than a day, a process never', () => {
  const removedAfter = (hours: number) =>
    where((status) => canDeleteDraft({ status, createdAt: new Date(now.getTime() - hours * HOUR_MS) }, now));
  assert.deepEqual(removedAfter(24), []);
  assert.deepEqual(removedAfter(25), ['DRAFT']);
});
