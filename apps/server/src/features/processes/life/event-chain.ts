import { createHash } from 'node:crypto';
import type { ProcessEvent } from '@lavra/domain';
import type { Ctx } from '../../../context.ts';
import { eventsJson, listEvents } from '../processes.store.ts';
import type { ChainEnd } from '../signature-process.ts';

/** The hash that stands before the first event. */
export const GENESIS_HASH = '0'.repeat(64);

/** Before the first event. */
export const BEGINNING: ChainEnd = { seq: 0, hash: GENESIS_HASH, at: null };

/** The event log of a process in order. */
export function listProcessEvents(ctx: Ctx, signatureProcessId: string): Promise<RecordedEvent[]> {
  return listEvents(ctx, signatureProcessId);
}

/** The event log as SQL, for a statement that reads more of a process; `of`: what `listProcessEvents` answers of each. */
export const eventParts = eventsJson;

/** The events as they will stand in the hash chain after `end`. */
export function chained(signatureProcessId: string, end: ChainEnd, at: Date, events: readonly ProcessEvent[]): RecordedEvent[] {
  const records: RecordedEvent[] = [];
  for (const { type, signerId, data } of events) {
    const previous = records.at(-1) ?? end;
    const record = { signatureProcessId, seq: previous.seq + 1, at, type, signerId, data, previousHash: previous.hash };
    records.push({ ...record, hash: eventHash(record) });
  }
  return records;
}

export type RecordedEvent = ChainedEvent & { hash: string };

export interface ChainedEvent {
  signatureProcessId: string;
  seq: number;
  at: Date;
  type: string;
  signerId: string | null;
  data: Readonly<Record<string, unknown>>;
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
