import type { Ctx } from '../../context.ts';
import type { DocumentFile } from '../documents/document-file.ts';
import { type StoredFileVerdicts, verifyStoredFile } from './verify-stored-file.ts';

const running = new WeakMap<Ctx['config'], Map<string, Promise<StoredFileVerdicts>>>();

/**
 * A visitor's verification: whoever asks for the same state of a file while it is being verified waits for the same answer.
 * Nothing is remembered beyond that: the next one reads the bytes again.
 */
export function verifyOnce(ctx: Ctx, file: DocumentFile, caller: string): Promise<StoredFileVerdicts> {
  const flights = running.get(ctx.config) ?? new Map<string, Promise<StoredFileVerdicts>>();
  running.set(ctx.config, flights);
  const state = [file.documentId, ...file.parts.map(({ blobHash }) => blobHash)].join();
  const known = flights.get(state);
  if (known) return known;
  const flight = verifyStoredFile(ctx, file, { lane: 'strangers', caller }).finally(() => flights.delete(state));
  flights.set(state, flight);
  return flight;
}
