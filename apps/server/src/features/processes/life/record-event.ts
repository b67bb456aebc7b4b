import { createHash } from 'node:crypto';
import type { Ctx } from '../../../context.ts';
import { instantOfAct } from '../../clock/clock-watch.ts';
import { insertEvent, lastEvent, listEvents, lockProcess } from '../processes.store.ts';

/** Everything that is written to a process's evidence. Sentences live in the locales under `event.<type>`. */
export type EventType =
  | 'process.created'
  | 'process.started'
  | 'document.prepared'
  | 'signer.invited'
  | 'link.handedOut'
  | 'signer.opened'
  | 'signer.consented'
  | 'signer.signed'
  | 'signer.rejected'
  | 'signer.reminded'
  | 'process.canceled'
  | 'process.expired'
  | 'process.sealed'
  | 'process.extended'
  | 'process.finalized';

export interface NewEvent {
  signatureProcessId: string;
  type: EventType;
  signerId?: string | null;
  data?: Record<string, unknown>;
}

/** The hash that stands before the first event. */
export const GENESIS_HASH = '0'.repeat(64);

/** Where a process's chain ends. */
export interface ChainEnd {
  seq: number;
  hash: string;
  at: Date | null;
}

/** Before the first event. */
const BEGINNING: ChainEnd = { seq: 0, hash: GENESIS_HASH, at: null };

/**
 * Appends to the process's hash chain; call inside the transaction of the act. The process row is locked
 * first, so that two acts of the same moment queue up instead of forking the chain.
 * @throws DomainError server.clockBehind
 */
export async function recordEvent(tx: Ctx, event: NewEvent): Promise<void> {
  await lockProcess(tx, event.signatureProcessId);
  const end = await chainEnd(tx, event.signatureProcessId);
  for (const record of chained(end, await instantOfAct(tx, end.at), [event])) await insertEvent(tx, record);
}

export async function chainEnd(ctx: Ctx, signatureProcessId: string): Promise<ChainEnd> {
  return (await lastEvent(ctx, signatureProcessId)) ?? BEGINNING;
}

/** The event log of a process in order. */
export function listProcessEvents(ctx: Ctx, signatureProcessId: string): Promise<RecordedEvent[]> {
  return listEvents(ctx, signatureProcessId);
}

/** The events as they will stand in the chain after `end`. */
export function chained(end: ChainEnd, at: Date, events: readonly NewEvent[]): RecordedEvent[] {
  const records: RecordedEvent[] = [];
  for (const event of events) {
    const previous = records.at(-1) ?? end;
    const record = {
      signatureProcessId: event.signatureProcessId,
      seq: previous.seq + 1,
      at,
      type: event.type,
      signerId: event.signerId ?? null,
      data: event.data ?? {},
      previousHash: previous.hash,
    };
    records.push({ ...record, hash: eventHash(record) });
  }
  return records;
}

/**
 * Appends events that were made before, if the chain still ends where they begin; false when something came between. Call
 * inside the transaction of the act.
 */
export async function appendPrepared(tx: Ctx, records: readonly RecordedEvent[]): Promise<boolean> {
  const [first] = records;
  if (!first) return true;
  await lockProcess(tx, first.signatureProcessId);
  if ((await chainEnd(tx, first.signatureProcessId)).hash !== first.previousHash) return false;
  for (const record of records) await insertEvent(tx, record);
  return true;
}

export type RecordedEvent = ChainedEvent & { hash: string };

export interface ChainedEvent {
  signatureProcessId: string;
  seq: number;
  at: Date;
  type: string;
  signerId: string | null;
  data: Record<string, unknown>;
  previousHash: string;
}

/** SHA-256 (hex) over the canonical JSON (sorted keys, no blanks) of the event and the hash before it. */
export function eventHash(event: ChainedEvent): string {
  const { signatureProcessId, seq, at, type, signerId, data, previousHash } = event;
  const text = canonicalJson({ signatureProcessId, seq, at: at.toISOString(), type, signerId, data, previousHash });
  return createHash('sha256').update(text).digest('hex');
}

/** True when every event's hash is right and names the one before it, from the first on without a gap. */
export function isChainIntact(events: readonly (ChainedEvent & { hash: string })[]): boolean {
  let previousHash = GENESIS_HASH;
  return events.every((event, index) => {
    const intact = event.seq === index + 1 && event.previousHash === previousHash && eventHash(event) === event.hash;
    previousHash = event.hash;
    return intact;
  });
}

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`;
  }
  return JSON.stringify(value);
}
