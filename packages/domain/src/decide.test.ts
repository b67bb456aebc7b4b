import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DAY_MS, HOUR_MS } from './deadlines.ts';
import { decide, type Decision, type ProcessAct, type ProcessEffect } from './decide.ts';
import { DomainError } from './errors.ts';
import { type ProcessEvent, replay } from './process-events.ts';
import { hasExpired, type ProcessState, type SignerState } from './signature-process.ts';

const opened = new Date('2026-11-21T12:00:00Z');
const at = (hours: number) => new Date(opened.getTime() + hours * HOUR_MS);

function signer(id: string, order: number, dueDate: Date | null = null): SignerState {
  const never = { invitedAt: null, openedAt: null, finalizedAt: null, rejectCause: null };
  return { id, name: `Pessoa ${id}`, order, status: 'WAITING', dueDate, remindersSent: 0, toldAgainAt: null, ...never };
}

function draftOf(signers: readonly SignerState[], given: Partial<ProcessState> = {}): ProcessState {
  const never = { startedAt: null, preparedAt: null, finalizedAt: null, filesRemovedAt: null };
  return { status: 'DRAFT', modality: 'electronic', dueDate: null, reminderIn: null, ...never, signers, ...given };
}

const start: ProcessAct = { kind: 'start', facts: { documents: [{ id: 'd' }] }, signers: [] };
const prepare: ProcessAct = { kind: 'prepare', documents: [{ document: 'd' }] };
const sign = (signerId: string): ProcessAct => ({ kind: 'sign', signerId, name: `Pessoa ${signerId}`, signedAt: opened, facts: {} });
const reject = (signerId: string): ProcessAct => ({ kind: 'reject', signerId, cause: 'não', facts: {} });
const finish: ProcessAct = { kind: 'finish', added: null, facts: {} };

interface Walk {
  state: ProcessState;
  log: (ProcessEvent & { at: Date })[];
  effects: ProcessEffect[];
}

/** All acts in a row, none of which is refused. */
function walk(draft: ProcessState, acts: readonly ProcessAct[], now = at(1)): Walk {
  const walked: Walk = { state: draft, log: [], effects: [] };
  for (const act of acts) {
    const { next, events, effects } = decide(walked.state, act, now);
    walked.state = next;
    walked.log.push(...events.map((event) => ({ ...event, at: now })));
    walked.effects.push(...effects);
  }
  return walked;
}

function refusal(state: ProcessState, act: ProcessAct, now = at(1)): string {
  try {
    decide(state, act, now);
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
  return 'allowed';
}

// Acts in any order, at any time.

const ids = ['a', 'b', 'c', 'd', 'e'];
const deadline = fc.option(fc.integer({ min: 30, max: 200 }), { freq: 2 });

const drafts = fc
  .record({
    orders: fc.array(fc.record({ order: fc.integer({ min: 0, max: 3 }), due: deadline }), { minLength: 1, maxLength: 5 }),
    due: deadline,
    reminderIn: fc.constantFrom(null, 1, 2),
  })
  .map(({ orders, due, reminderIn }) =>
    draftOf(
      orders.map((one, index) => signer(ids[index] ?? '', one.order, one.due === null ? null : at(one.due))),
      { dueDate: due === null ? null : at(due), reminderIn },
    ),
  );

const someSigner = fc.constantFrom(...ids, 'nobody');
const acts: fc.Arbitrary<ProcessAct> = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom<ProcessAct>(start, prepare) },
  { weight: 6, arbitrary: someSigner.map(sign) },
  { weight: 1, arbitrary: someSigner.map(reject) },
  { weight: 2, arbitrary: someSigner.map((signerId): ProcessAct => ({ kind: 'open', signerId, facts: { ip: '203.0.113.1' } })) },
  { weight: 1, arbitrary: someSigner.map((signerId): ProcessAct => ({ kind: 'consent', signerId, facts: {} })) },
  { weight: 1, arbitrary: someSigner.map((signerId): ProcessAct => ({ kind: 'registerEvidence', signerId, facts: { evidence: 'ab' } })) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(someSigner, fc.constantFrom('creator' as const, 'signer-session' as const))
      .map(([signerId, to]): ProcessAct => ({ kind: 'handOutLink', signerId, to })),
  },
  { weight: 2, arbitrary: fc.constant<ProcessAct>({ kind: 'remind' }) },
  { weight: 2, arbitrary: fc.constant<ProcessAct>({ kind: 'expire' }) },
  { weight: 2, arbitrary: fc.constant<ProcessAct>(finish) },
  { weight: 1, arbitrary: fc.constant<ProcessAct>({ kind: 'cancel', by: 'ana@exemplo.com.br' }) },
);

interface Step {
  act: ProcessAct;
  now: Date;
  before: ProcessState;
  decision: Decision | null;
}

interface History {
  draft: ProcessState;
  steps: Step[];
  state: ProcessState;
  log: (ProcessEvent & { at: Date })[];
}

/** Half of the histories begin as processes do, so that the other acts are not all refused. */
const histories: fc.Arbitrary<History> = fc
  .record({
    draft: drafts,
    usual: fc.boolean(),
    rest: fc.array(fc.tuple(acts, fc.integer({ min: 0, max: 20 })), { maxLength: 40 }),
  })
  .map(({ draft, usual, rest }) => {
    const given: readonly (readonly [ProcessAct, number])[] = usual ? [[start, 1] as const, [prepare, 0] as const, ...rest] : rest;
    const history: History = { draft: frozen(draft), steps: [], state: frozen(draft), log: [] };
    let now = opened;
    for (const [act, later] of given) {
      now = new Date(now.getTime() + later * HOUR_MS);
      const before = history.state;
      const decision = attempt(before, act, now);
      history.steps.push({ act, now, before, decision });
      if (!decision) continue;
      const instant = now;
      history.state = frozen(decision.next);
      history.log.push(...decision.events.map((event) => ({ ...event, at: instant })));
    }
    return history;
  });

/** Null: refused, by a code. Anything else that is thrown is a fault of the rules. */
function attempt(state: ProcessState, act: ProcessAct, now: Date): Decision | null {
  try {
    return decide(state, act, now);
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

function frozen(state: ProcessState): ProcessState {
  for (const one of state.signers) Object.freeze(one);
  Object.freeze(state.signers);
  return Object.freeze(state);
}

const hasEnded = ({ status }: ProcessState) => status !== 'DRAFT' && status !== 'IN_PROGRESS';
const typesOf = (decision: Decision | null) => decision?.events.map(({ type }) => type) ?? [];

/** The same claim of every step of histories. */
function everywhere(claim: (history: History) => void): void {
  fc.assert(fc.property(histories, claim), { numRuns: 2000, seed: 20261121 });
}

test('a process that has ended never changes again, whatever is asked of it', () => {
  everywhere(({ steps }) => {
    for (const { before, decision, act } of steps) {
      if (!hasEnded(before) || !decision) continue;
      assert.deepEqual(decision.next, before, act.kind);
      assert.deepEqual(decision.effects, [], act.kind);
    }
  });
});

test('the draft and its log give the state, after every act', () => {
  everywhere(({ draft, state, log }) => assert.deepEqual(replay(draft, log), state));
});

test('an act without events changes nothing and has no effects', () => {
  everywhere(({ steps }) => {
    for (const { before, decision } of steps) {
      if (decision?.events.length !== 0) continue;
      assert.deepEqual(decision.next, before);
      assert.deepEqual(decision.effects, []);
    }
  });
});

test('nobody signs twice, nor signs and refuses', () => {
  everywhere(({ log }) => {
    const closed = log.filter(({ type }) => type === 'signer.signed' || type === 'signer.rejected').map(({ signerId }) => signerId);
    assert.equal(new Set(closed).size, closed.length);
  });
});

test('whoever signs was invited, and everybody of an earlier order has signed', () => {
  everywhere(({ steps }) => {
    for (const { act, before, decision } of steps) {
      if (act.kind !== 'sign' || !decision) continue;
      const own = before.signers.find(({ id }) => id === act.signerId);
      assert.equal(own?.status, 'SENT');
      assert.ok(before.signers.every(({ order, status }) => order >= (own?.order ?? 0) || status === 'SIGNED'));
    }
  });
});

test('no signature counts after a cancellation, an expiry, a refusal, or a deadline that nobody has noticed yet', () => {
  everywhere(({ steps }) => {
    for (const { act, before, decision, now } of steps) {
      if (act.kind !== 'sign' || !decision) continue;
      assert.equal(before.status, 'IN_PROGRESS');
      const own = before.signers.find(({ id }) => id === act.signerId);
      for (const due of [before.dueDate, own?.dueDate ?? null]) assert.ok(due === null || now < due);
    }
  });
});

test('whose turn has come is invited in the same act that made it come, once, and nobody else', () => {
  everywhere(({ steps, log }) => {
    const invited = log.filter(({ type }) => type === 'signer.invited').map(({ signerId }) => signerId);
    assert.equal(new Set(invited).size, invited.length);
    for (const { decision, before } of steps) {
      if (!decision) continue;
      const { next, effects } = decision;
      const open = next.signers.filter(({ status }) => status !== 'SIGNED').map(({ order }) => order);
      const turn = Math.min(...open);
      for (const one of next.signers) {
        if (one.status === 'WAITING') assert.ok(next.preparedAt === null || one.order > turn || next.status !== 'IN_PROGRESS');
        if (one.status === 'SENT' && next.status === 'IN_PROGRESS') assert.equal(one.order, turn);
        const isNew = one.status === 'SENT' && before.signers.find(({ id }) => id === one.id)?.status === 'WAITING';
        assert.equal(effects.filter((effect) => effect.kind === 'invite' && effect.signerId === one.id).length, isNew ? 1 : 0);
      }
    }
  });
});

test('the seal is asked for with the last signature, and never before or again', () => {
  everywhere(({ steps }) => {
    for (const { act, decision } of steps) {
      if (!decision) continue;
      const isLast = act.kind === 'sign' && decision.next.signers.every(({ status }) => status === 'SIGNED');
      assert.equal(decision.effects.filter(({ kind }) => kind === 'finalize').length, isLast ? 1 : 0);
    }
  });
});

test('a process finishes only when everybody has signed', () => {
  everywhere(({ steps }) => {
    for (const { act, before, decision } of steps) {
      if (act.kind !== 'finish' || !decision) continue;
      assert.ok(before.signers.every(({ status }) => status === 'SIGNED'));
    }
  });
});

test('the end is announced once, by the act that brings it; the preparation is asked for once, by the start', () => {
  everywhere(({ steps }) => {
    for (const { before, decision } of steps) {
      if (!decision) continue;
      const kinds = decision.effects.map(({ kind }) => kind);
      const ends = !hasEnded(before) && hasEnded(decision.next);
      assert.equal(kinds.filter((kind) => kind === 'announce').length, ends ? 1 : 0);
      const starts = before.status === 'DRAFT' && decision.next.status !== 'DRAFT';
      assert.equal(kinds.filter((kind) => kind === 'prepareDocuments').length, starts ? 1 : 0);
    }
  });
});

test('a process expires exactly when one of its deadlines has passed, and not while it is being sealed', () => {
  everywhere(({ steps }) => {
    for (const { act, before, decision, now } of steps) {
      if (act.kind !== 'expire') continue;
      assert.deepEqual(typesOf(decision), hasExpired(before, now) ? ['process.expired'] : []);
      if (before.signers.every(({ status }) => status === 'SIGNED')) assert.deepEqual(typesOf(decision), []);
    }
  });
});

test('nobody is reminded who is not waited for, and at most once in each interval since their invitation, whatever pauses lie between', () => {
  everywhere(({ steps }) => {
    const sent = new Map<string, number>();
    for (const { before, decision, now } of steps) {
      for (const effect of decision?.effects ?? []) {
        if (effect.kind !== 'remind') continue;
        const signer = before.signers.find(({ id }) => id === effect.signerId);
        assert.ok(signer?.status === 'SENT' && signer.invitedAt && before.reminderIn !== null);
        const interval = Math.floor((now.getTime() - signer.invitedAt.getTime()) / (before.reminderIn * 24 * HOUR_MS));
        assert.equal(effect.number, interval);
        assert.ok(interval > (sent.get(effect.signerId) ?? 0));
        sent.set(effect.signerId, effect.number);
      }
    }
  });
});

test('the histories that are tried reach every state and every kind of event', () => {
  const states = new Set<string>();
  const types = new Set<string>();
  everywhere(({ state, log }) => {
    states.add(state.status);
    for (const { type } of log) types.add(type);
  });
  assert.equal(states.size, 6);
  // What is added to the documents comes with the platform's own work alone.
  assert.equal(types.size, 14);
});

// One by one.

test('a start that is repeated is answered and changes nothing', () => {
  const { state } = walk(draftOf([signer('a', 0)]), [start]);
  assert.deepEqual(decide(state, start, at(2)), { next: state, events: [], effects: [] });
});

test('a start is refused without signers or documents, or with deadlines or a reminder that cannot be kept', () => {
  assert.equal(refusal(draftOf([]), start), 'process.signersRequired');
  assert.equal(refusal(draftOf([signer('a', 0)]), { ...start, facts: { documents: [] } }), 'process.documentsRequired');
  assert.equal(refusal(draftOf([signer('a', 0, at(2))]), start), 'process.deadlineTooEarly');
  assert.equal(refusal(draftOf([signer('a', 0)], { dueDate: at(40), reminderIn: 2 }), start), 'process.reminderConflict');
});

test('equal orders are invited together, the next order with the last signature of the one before', () => {
  const draft = draftOf([signer('a', 0), signer('b', 0), signer('c', 1)]);
  const { state, effects } = walk(draft, [start, prepare]);
  assert.deepEqual(effects, [{ kind: 'prepareDocuments' }, { kind: 'invite', signerId: 'a' }, { kind: 'invite', signerId: 'b' }]);
  const first = decide(state, sign('b'), at(2));
  assert.deepEqual(first.effects, []);
  assert.deepEqual(decide(first.next, sign('a'), at(3)).effects, [{ kind: 'invite', signerId: 'c' }]);
});

test('who signs under another name than the invitation’s is told with both', () => {
  const { state } = walk(draftOf([signer('a', 0)]), [start, prepare]);
  const dataOf = (name: string) => decide(state, { ...sign('a'), name } as ProcessAct, at(2)).events[0]?.data;
  const signedAt = opened.toISOString();
  assert.deepEqual(dataOf('pessoa A'), { name: 'pessoa A', signedAt });
  assert.deepEqual(dataOf('Outra Pessoa'), { name: 'Outra Pessoa', signedAt, invitedName: 'Pessoa a' });
});

test('a signer has signed when the signature says so, and where nothing was written of that, when it was recorded', () => {
  const { state } = walk(draftOf([signer('a', 0)]), [start, prepare]);
  const act = { ...sign('a'), signedAt: new Date('2026-11-21T12:00:07.900Z') } as ProcessAct;
  const { next, events } = decide(state, act, at(2));
  assert.equal(next.signers[0]?.finalizedAt?.toISOString(), '2026-11-21T12:00:07.000Z');
  const before = events.map((event) => ({ ...event, data: {}, at: at(2) }));
  assert.deepEqual(replay(state, before).signers[0]?.finalizedAt, at(2));
});

test('a process that was never prepared can be cancelled, and then nobody is invited', () => {
  const { state, effects } = walk(draftOf([signer('a', 0)]), [start, { kind: 'cancel', by: 'ana' }, prepare]);
  assert.equal(state.status, 'CREATOR_CANCELED');
  assert.deepEqual(effects, [{ kind: 'prepareDocuments' }, { kind: 'announce', end: 'canceled' }]);
  assert.equal(refusal(state, { kind: 'cancel', by: 'ana' }), 'process.notInProgress');
});

test('a link is handed out by the creator while its signer is waited for, and seen by the signer at any time but in a draft', () => {
  const creator: ProcessAct = { kind: 'handOutLink', signerId: 'a', to: 'creator' };
  const own: ProcessAct = { ...creator, to: 'signer-session' };
  const draft = draftOf([signer('a', 0)]);
  assert.equal(refusal(draft, own), 'process.notFound');
  const { state } = walk(draft, [start, prepare]);
  assert.equal(refusal(state, creator), 'allowed');
  const { next } = decide(state, sign('a'), at(2));
  assert.equal(refusal(next, creator), 'signer.alreadySigned');
  assert.equal(refusal(next, own), 'allowed');
});

test('who looks at their own page after signing adds nothing to the log: the end is written on a chain that holds still', () => {
  const own: ProcessAct = { kind: 'handOutLink', signerId: 'a', to: 'signer-session' };
  const { state } = walk(draftOf([signer('a', 0)]), [start, prepare]);
  assert.deepEqual(
    decide(state, own, at(2)).events.map(({ type }) => type),
    ['link.handedOut'],
  );
  const signed = decide(state, sign('a'), at(2)).next;
  assert.deepEqual(decide(signed, own, at(3)).events, []);
  assert.deepEqual(decide(decide(signed, finish, at(3)).next, own, at(4)).events, []);
  assert.deepEqual(decide(decide(state, { kind: 'cancel', by: 'ana' }, at(2)).next, own, at(3)).events, []);
});

test('a reminder comes a day after the invitation, is counted, and comes again a day later', () => {
  const { state } = walk(draftOf([signer('a', 0)], { reminderIn: 1 }), [start, prepare], opened);
  assert.deepEqual(decide(state, { kind: 'remind' }, at(23)).effects, []);
  const first = decide(state, { kind: 'remind' }, new Date(opened.getTime() + DAY_MS));
  assert.deepEqual(first.effects, [{ kind: 'remind', signerId: 'a', number: 1 }]);
  assert.deepEqual(decide(first.next, { kind: 'remind' }, at(25)).effects, []);
  assert.deepEqual(decide(first.next, { kind: 'remind' }, at(48)).effects, [{ kind: 'remind', signerId: 'a', number: 2 }]);
});
