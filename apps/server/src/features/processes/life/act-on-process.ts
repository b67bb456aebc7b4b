import { decide, type Decision, DomainError, type ProcessAct, type ProcessEffect } from '@lavra/domain';
import type { Ctx } from '../../../context.ts';
import { isAbout } from '../../../tracing/under-way.ts';
import { type RecordingInstant, recordingInstant } from '../../clock/clock-watch.ts';
import { findLoaded, findProcess, type HeldLoaded, type HeldProcess, writeDecision } from '../aggregate.store.ts';
import { sendFinalization, sendPreparation } from '../hand-over.ts';
import { lockProcess } from '../processes.store.ts';
import type { SignatureProcess } from '../signature-process.ts';
import { announceEndJob } from './announce-end.job.ts';
import { chained, type RecordedEvent } from './event-chain.ts';
import { tellSignersJob } from './tell-signers.job.ts';

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
    const decision = await actOnHeld(tx, held, typeof act === 'function' ? act(held.signatureProcess) : act);
    if (decision) return decision;
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

/** Acts on a process that was loaded under its lock; null when that was not the newest state. */
export async function actOnHeld(tx: Ctx, held: HeldProcess, act: ProcessAct): Promise<Decision | null> {
  const foreseen = foreseeHeld(tx, held, act);
  return (await write(tx, foreseen)) ? foreseen.decision : null;
}

/** A decision with the events as they will stand in the chain, not yet written. */
export interface Foreseen {
  held: HeldProcess;
  decision: Decision;
  records: readonly RecordedEvent[];
  instant: RecordingInstant;
}

/**
 * Decides outside of a transaction, where what the events will tell is needed before they are written: `fulfil` writes it.
 * @throws DomainError process.notFound, server.clockBehind, and what `decide` refuses
 */
export async function foresee(ctx: Ctx, id: string, act: ProcessAct): Promise<Foreseen> {
  const held = await findProcess(ctx, id, 'read');
  if (!held) throw new DomainError('process.notFound');
  return foreseeHeld(ctx, held, act);
}

/** Writes what was foreseen; false, and nothing written, when somebody has acted meanwhile. Call inside the transaction of the act. */
export async function fulfil(tx: Ctx, foreseen: Foreseen): Promise<boolean> {
  await lockProcess(tx, foreseen.held.signatureProcess.id);
  return write(tx, foreseen);
}

function foreseeHeld(ctx: Ctx, held: HeldProcess, act: ProcessAct): Foreseen {
  const { signatureProcess, end, seen } = held;
  const instant = recordingInstant(ctx, seen, end.at);
  const decision = decide(signatureProcess, act, instant.at);
  return { held, decision, instant, records: chained(signatureProcess.id, end, instant.at, decision.events) };
}

async function write(tx: Ctx, { held, decision, records, instant }: Foreseen): Promise<boolean> {
  if (records.length === 0) return true;
  const { signatureProcess, end } = held;
  const isWritten = await writeDecision(tx, { before: signatureProcess, next: decision.next, end, records, instant });
  if (isWritten) await sendEffects(tx, signatureProcess, decision.effects);
  return isWritten;
}

/** Sends the jobs of what must follow: with the transaction they stand or fall. */
async function sendEffects(
  tx: Ctx,
  signatureProcess: Pick<SignatureProcess, 'id' | 'ownerId'>,
  effects: readonly ProcessEffect[],
): Promise<void> {
  const told = effects.flatMap((effect) => {
    if (effect.kind === 'invite') return [{ signerId: effect.signerId, reminder: 0 }];
    if (effect.kind === 'tellAgain')
      return [{ signerId: effect.signerId, reminder: effect.as === 'reminder' ? 1 : 0, again: effect.at.toISOString() }];
    return effect.kind === 'remind' ? [{ signerId: effect.signerId, reminder: effect.number }] : [];
  });
  if (told.length > 0) await tx.jobs.send(tellSignersJob, { signatureProcessId: signatureProcess.id, told });
  for (const { kind } of effects) {
    if (kind === 'prepareDocuments') await sendPreparation(tx, signatureProcess);
    if (kind === 'finalize') await sendFinalization(tx, signatureProcess);
    if (kind === 'announce') await tx.jobs.send(announceEndJob, { signatureProcessId: signatureProcess.id });
  }
}
