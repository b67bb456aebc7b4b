import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DomainError } from './errors.ts';
import {
  assertMayAct,
  currentOrder,
  hasExpired,
  refusalToAct,
  refusalToCorrect,
  refusalToSender,
  signersToInvite,
  type TurnFacts,
} from './signature-process.ts';

const now = new Date('2026-11-21T12:00:00Z');
const hour = 3_600_000;

function signer(id: string, order: number, status: TurnFacts['signers'][number]['status'], dueDate: Date | null = null) {
  return { id, order, status, dueDate };
}

function state(signers: TurnFacts['signers'], overrides: Partial<TurnFacts> = {}): TurnFacts {
  return { status: 'IN_PROGRESS', dueDate: null, finalizedAt: null, signers, ...overrides };
}

function refusal(act: () => void): string {
  try {
    act();
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
  return 'allowed';
}

test('signers sign in ascending order and equal orders sign in parallel', () => {
  const signers = [signer('a', 0, 'SIGNED'), signer('b', 1, 'WAITING'), signer('c', 1, 'WAITING'), signer('d', 2, 'WAITING')];
  assert.equal(currentOrder(signers), 1);
  assert.deepEqual(
    signersToInvite(signers).map(({ id }) => id),
    ['b', 'c'],
  );
});

test('a signer of a later order may not act yet', () => {
  const signers = [signer('a', 0, 'SENT'), signer('b', 1, 'WAITING')];
  assert.equal(
    refusal(() => assertMayAct(state(signers), 'b', now)),
    'signer.notYourTurn',
  );
  assert.equal(
    refusal(() => assertMayAct(state(signers), 'a', now)),
    'allowed',
  );
});

test('nobody signs twice, after rejecting, or in a process that has ended', () => {
  assert.equal(
    refusal(() => assertMayAct(state([signer('a', 0, 'SIGNED')]), 'a', now)),
    'signer.alreadySigned',
  );
  assert.equal(
    refusal(() => assertMayAct(state([signer('a', 0, 'REJECTED')]), 'a', now)),
    'signer.alreadyRejected',
  );
  for (const status of ['FINALIZED_WITH_SUCCESS', 'FINALIZED_BY_EXPIRATION', 'FINALIZED_BY_REJECTION', 'CREATOR_CANCELED'] as const) {
    assert.equal(
      refusal(() => assertMayAct(state([signer('a', 0, 'SENT')], { status }), 'a', now)),
      'process.notInProgress',
    );
  }
});

test('an individual deadline that passes expires the process', () => {
  const past = new Date(now.getTime() - hour);
  assert.equal(hasExpired(state([signer('a', 0, 'SENT', past)]), now), true);
  assert.equal(
    refusal(() => assertMayAct(state([signer('a', 0, 'SENT', past)]), 'a', now)),
    'signer.deadlinePassed',
  );
  assert.equal(hasExpired(state([signer('a', 0, 'SENT', new Date(now.getTime() + hour))]), now), false);
});

test('who was late is told so before and after the sweep that ends it, and of a deadline of somebody else nothing is said to be theirs', () => {
  const [past, later] = [new Date(now.getTime() - hour), new Date(now.getTime() + hour)];
  for (const status of ['IN_PROGRESS', 'FINALIZED_BY_EXPIRATION'] as const)
    for (const late of [state([signer('a', 0, 'SENT', past)], { status }), state([signer('a', 0, 'SENT')], { status, dueDate: past })])
      assert.equal(refusalToAct(late, 'a', now), 'signer.deadlinePassed', status);
  const others = state([signer('a', 0, 'SENT', past), signer('b', 0, 'SENT', later)], { status: 'FINALIZED_BY_EXPIRATION' });
  assert.equal(refusalToAct(others, 'b', now), 'process.notInProgress');
  // Nor later, when theirs would have passed as well.
  const ended = { ...others, finalizedAt: now };
  const nextDay = new Date(now.getTime() + 24 * hour);
  assert.deepEqual(
    ['a', 'b'].map((id) => refusalToAct(ended, id, nextDay)),
    ['signer.deadlinePassed', 'process.notInProgress'],
  );
  // Its sender is not told to talk to its sender.
  assert.equal(refusalToSender(ended, 'a', nextDay), 'process.notInProgress');
  assert.equal(refusalToCorrect(ended, 'a', nextDay), 'process.notInProgress');
  const canceled = state([signer('a', 0, 'SENT', past)], { status: 'CREATOR_CANCELED' });
  assert.equal(refusalToAct(canceled, 'a', now), 'process.notInProgress');
});

test('a process whose signers all signed does not expire while it is being sealed', () => {
  const past = new Date(now.getTime() - hour);
  assert.equal(hasExpired(state([signer('a', 0, 'SIGNED', past)], { dueDate: past }), now), false);
  assert.equal(hasExpired(state([signer('a', 0, 'SENT')], { dueDate: past }), now), true);
});
