import { decide, type Decision, DomainError, type ProcessAct, type ProcessEffect } from '@lavra/domain';
import type { Ctx } from '../../../context.ts';
import { traced } from '../../../tracing/tracer.ts';
import { isAbout } from '../../../tracing/under-way.ts';
import { type RecordingInstant, recordingInstant } from '../../clock/clock-watch.ts';
import type { Write } from '../../../db/at-once.ts';
import { DatabaseAwayError } from '../../../db/database-away.ts';
import { type KeptMails, mailParts, type QueuedMail } from '../../../mail/send-mail.job.ts';
import type { JobHandle } from '../../../jobs/queue.ts';
import { findLoaded, findProcess, type HeldLoaded, type HeldProcess } from '../aggregate.store.ts';
import { type Beside, type Handed, type Standing, writeDecision, writeDecisionAtOnce } from '../decision.store.ts';
import { sendFinalization, sendPreparation, sentFinalization, sentPreparation } from '../hand-over.ts';
import { lockProcess } from '../processes.store.ts';
import type { SignatureProcess } from '../signature-process.ts';
import { announceEndJob, announcementsOf } from './announce-end.job.ts';
import { chained, type RecordedEvent } from './event-chain.ts';
import { invitationsOf, tellSignersJob } from './tell-signers.job.ts';

export type { Beside } from '../decision.store.ts';

/**
 * Acts on a process: loads it under its lock, lets the domain decide, and writes the next state, its events and the jobs of what
 * must follow; call inside the transaction of the act. `act` may look at the process first, and be called twice.
 * @throws DomainError process.notFound, server.clockBehind, and what `decide` refuses
 */
export async function actOnProcess(
  tx: Ctx,
  id: string,
  act: ProcessAct | ((signatureProcess: SignatureProcess) => ProcessAct),
): Promise<Decision> {
  // Somebody acted while we waited for the row: the rest of what we read was older. The row is ours now, so the second look is the last.
  for (let look = 1; look <= 2; look += 1) {
    const held = await holdProcess(tx, id);
    const foreseen = foreseeOn(tx, held, typeof act === 'function' ? act(held.signatureProcess) : act);
    if (await write(tx, foreseen)) return foreseen.decision;
  }
  throw new DomainError('request.conflict');
}

/** The process, locked for the rest of the transaction; what hangs on it may be older (`findProcess`). @throws DomainError process.notFound */
export async function holdProcess(tx: Ctx, id: string): Promise<HeldProcess> {
  isAbout(id);
  const held = await findProcess(tx, id, 'lock');
  if (!held) throw new DomainError('process.notFound');
  return held;
}

/**
 * The same, and the newest state: `holdProcess` alone may have read signers and events as they were before it waited for the row.
 * @throws DomainError process.notFound
 */
export async function holdNewestProcess(tx: Ctx, id: string): Promise<HeldProcess> {
  await lockProcess(tx, id);
  return holdProcess(tx, id);
}

/** The same with its documents, in one reading. @throws DomainError process.notFound */
export async function holdNewestLoaded(tx: Ctx, id: string): Promise<HeldLoaded> {
  isAbout(id);
  await lockProcess(tx, id);
  const held = await findLoaded(tx, id);
  if (!held) throw new DomainError('process.notFound');
  return held;
}

/** Acts on a process whose newest state is held (`holdNewestProcess`), in one statement. @throws DomainError request.conflict: it was not */
export async function actOnHeld(tx: Ctx, held: HeldProcess, act: ProcessAct): Promise<Decision> {
  const foreseen = foreseeOn(tx, held, act);
  if (!(await fulfil(tx, foreseen, {}))) throw new DomainError('request.conflict');
  return foreseen.decision;
}

/**
 * Acts on a process that was read and is held by nobody: decides on what was read, and writes the next state, its events, the jobs of what
 * must follow and what belongs to the act in one statement, which somebody who acted meanwhile has refused; then once more, under the
 * lock. Nothing of `beside` is written where the act changes nothing.
 * @throws DomainError process.notFound, server.clockBehind, request.conflict, what `decide` and `beside` refuse
 */
export async function actAtOnce(ctx: Ctx, read: HeldProcess, act: ProcessAct, beside: Beside): Promise<Decision> {
  const first = foreseeOn(ctx, read, act);
  if (await fulfilAlone(ctx, first, beside)) return first.decision;
  // What the first try would have handed on is older than what is held by then.
  const { hands: _older, ...again } = beside;
  return ctx.transaction(async (tx) => {
    const second = foreseeOn(tx, await holdNewestProcess(tx, read.signatureProcess.id), act);
    if (!(await fulfil(tx, second, again))) throw new DomainError('request.conflict');
    return second.decision;
  });
}

/** A decision with the events as they will stand in the chain, not yet written. */
export interface Foreseen {
  held: HeldProcess;
  decision: Decision;
  records: readonly RecordedEvent[];
  instant: RecordingInstant;
}

/**
 * Decides on a process that was read, where what the events will tell is needed before they are written: `fulfilAlone` writes it.
 * @throws DomainError server.clockBehind, and what `decide` refuses
 */
export function foreseeOn(ctx: Ctx, held: HeldProcess, act: ProcessAct): Foreseen {
  const { signatureProcess, end, seen } = held;
  const instant = recordingInstant(ctx, seen, end.at);
  const decision = decide(signatureProcess, act, instant.at);
  return { held, decision, instant, records: chained(signatureProcess.id, end, instant.at, decision.events) };
}

/** What was read with the process that a decision was made on, as it stands when that is written. */
function standingAfter({ decision: { next }, records, instant }: Foreseen): Standing {
  return (read) => {
    const { signers, ...state } = next;
    const last = records.at(-1);
    return {
      ...read,
      signatureProcess: {
        ...read.signatureProcess,
        ...state,
        signers: read.signatureProcess.signers.map((signer, index) => ({ ...signer, ...signers[index] })),
      },
      end: last ? { seq: last.seq, hash: last.hash, at: last.at } : read.end,
      seen: instant.mark ?? read.seen,
    };
  };
}

/** Writes what was foreseen, and what belongs to it, in one statement; false, and nothing written, when somebody has acted meanwhile. */
async function fulfil(ctx: Ctx, { held, decision, records, instant }: Foreseen, beside: Beside): Promise<boolean> {
  if (records.length === 0) return true;
  const { signatureProcess: before, end } = held;
  const standing = standingAfter({ held, decision, records, instant });
  const effects = effectsOf(before, decision.effects, beside.hands?.(standing));
  const sent = await Promise.all(effects.map((effect) => effect.written(ctx)));
  const writes = [...(beside.writes ?? []), ...((await beside.sends?.(ctx, standing)) ?? []), ...sent.flat()];
  return writeDecisionAtOnce(ctx, { before, next: decision.next, end, records, instant }, { ...beside, writes });
}

/** The same outside of a transaction: the statement is one, and ends its job too. */
export function fulfilAlone(ctx: Ctx, foreseen: Foreseen, { ends, ...beside }: Beside): Promise<boolean> {
  return traced(ctx.tracer, 'transaction', 'internal', async () =>
    fulfil(ctx, foreseen, { ...beside, writes: [...(beside.writes ?? []), ...((await ends?.()) ?? [])] }),
  );
}

async function write(tx: Ctx, { held, decision, records, instant }: Foreseen): Promise<boolean> {
  if (records.length === 0) return true;
  const { signatureProcess, end } = held;
  const isWritten = await writeDecision(tx, { before: signatureProcess, next: decision.next, end, records, instant });
  if (isWritten) for (const effect of effectsOf(signatureProcess, decision.effects)) await effect.send(tx);
  return isWritten;
}

/** A job of what must follow: sent in the transaction of the act, or written in its statement. */
interface Effect {
  send(tx: Ctx): Promise<void>;
  written(ctx: Ctx): Promise<Write[]>;
}

/** `mailsOf`: what the job would write, where it is known by now: that is kept with the act, and the job has only to send it. */
const telling = <Data extends object>(
  job: JobHandle<Data, KeptMails>,
  data: Data,
  mailsOf?: (ctx: Ctx) => Promise<QueuedMail[]>,
): Effect => ({
  send: (tx) => tx.jobs.send(job, data),
  async written(ctx) {
    const parts =
      mailsOf && ctx.jobs.hasPlaceFor(job)
        ? await mailsOf(ctx)
            .then((mails) => mailParts(ctx, mails))
            .catch(leftTo(ctx, job.name))
        : null;
    return [...(parts?.writes ?? []), ...(await ctx.jobs.written(job, data, { handed: parts?.kept }))];
  },
});

/** Nobody's act fails because of what is told of it. */
const leftTo = (ctx: Ctx, job: string) => (error: unknown) => {
  if (error instanceof DatabaseAwayError) throw error;
  ctx.log.error({ err: error, job }, 'mails could not be written with their act, and are left to their job');
  return null;
};

function effectsOf(
  signatureProcess: Pick<SignatureProcess, 'id' | 'ownerId'>,
  effects: readonly ProcessEffect[],
  { prepareDocuments, tellSigners, announceEnd }: Handed = {},
): Effect[] {
  const told = effects.flatMap((effect) => {
    if (effect.kind === 'invite') return [{ signerId: effect.signerId, reminder: 0 }];
    if (effect.kind === 'tellAgain')
      return [{ signerId: effect.signerId, reminder: effect.as === 'reminder' ? 1 : 0, again: effect.at.toISOString() }];
    return effect.kind === 'remind' ? [{ signerId: effect.signerId, reminder: effect.number }] : [];
  });
  const { id: signatureProcessId } = signatureProcess;
  const invited = tellSigners && ((ctx: Ctx) => invitationsOf(ctx, tellSigners, told));
  const inviting = told.length > 0 ? [telling(tellSignersJob, { signatureProcessId, told }, invited)] : [];
  const announced = announceEnd && ((ctx: Ctx) => announcementsOf(ctx, announceEnd));
  const others = effects.flatMap(({ kind }): Effect[] => {
    if (kind === 'prepareDocuments')
      return [
        { send: (tx) => sendPreparation(tx, signatureProcess), written: (ctx) => sentPreparation(ctx, signatureProcess, prepareDocuments) },
      ];
    if (kind === 'finalize')
      return [{ send: (tx) => sendFinalization(tx, signatureProcess), written: (ctx) => sentFinalization(ctx, signatureProcess) }];
    return kind === 'announce' ? [telling(announceEndJob, { signatureProcessId }, announced)] : [];
  });
  return [...inviting, ...others];
}
