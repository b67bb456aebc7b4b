import type { ProofPlace } from '../revocation/status.ts';

/** A time somebody trusted has stated, and how exact it is: milliseconds to either side. */
export interface StatedTime {
  readonly time: Date;
  readonly accuracy: number;
}

/** A document timestamp: all of the file but the gap, up to `end`, existed at `time`, if the timestamp is valid. */
export interface ProvenTime extends StatedTime {
  readonly gapStart: number;
  readonly gapEnd: number;
  readonly end: number;
  readonly valid: boolean;
  /** It would be, but a later timestamp over it names an earlier time. */
  readonly contradicted: boolean;
  /** It calls itself a document timestamp, or nothing: one that says it is a signature gives no level (ISO 32000-2 §12.8.5). */
  readonly isDeclared: boolean;
  /** DER of the last certificate of its authority's chain; null where none was found. */
  readonly root: Uint8Array | null;
}

/**
 * What times say of a thing: it existed at `proven`, and was made after `notBefore`. Null where nobody says. `stated`: of a timestamp, the
 * time that it states itself.
 */
export interface TimeBounds {
  readonly proven: Date | null;
  readonly notBefore: Date | null;
  readonly stated?: Date;
}

/** The valid document timestamps over everything up to `end`. */
export function timestampsOver(end: number, proofs: readonly ProvenTime[]): readonly ProvenTime[] {
  return proofs.filter(({ valid, gapStart }) => valid && gapStart >= end);
}

/**
 * The document timestamps inside the bytes before `gapStart`: what signs those bytes was made after them. Those that are
 * contradicted too: they prove nothing, but the contradiction is told.
 */
export function timestampsInside(gapStart: number, proofs: readonly ProvenTime[]): readonly ProvenTime[] {
  return proofs.filter(({ valid, contradicted, end }) => (valid || contradicted) && end <= gapStart);
}

export function earliestOf<T extends StatedTime>(times: readonly T[]): T | null {
  return times.toSorted((a, b) => a.time.getTime() - b.time.getTime())[0] ?? null;
}

export function latestOf<T extends StatedTime>(times: readonly T[]): T | null {
  return times.toSorted((a, b) => b.time.getTime() - a.time.getTime())[0] ?? null;
}

/**
 * When what stands there is proven to have existed (EN 319 102-1 §5.6.2.3): the earliest of the valid document timestamps
 * over all of its bytes. Null: nobody says.
 */
export function existedAt({ start, end }: ProofPlace, proofs: readonly ProvenTime[]): Date | null {
  const over = proofs.filter((one) => one.valid && (one.gapStart >= end || (start >= one.gapEnd && one.end >= end)));
  return earliestOf(over)?.time ?? null;
}

/** True when `first` cannot have come before `second`, however inexact both are (RFC 3161 §2.4.2, ordering and accuracy). */
export function contradicts(first: StatedTime, second: StatedTime): boolean {
  return first.time.getTime() - first.accuracy > second.time.getTime() + second.accuracy;
}
