import type { TimestampSource } from '../timestamp/timestamp.ts';
import { CliError, exitCodes, usageError } from './command.ts';

const patience = 30_000;
const largestAnswer = 1 << 20;

/** A timestamp authority at an address (RFC 3161 §3.4). */
export function timestampOverHttp(address: string): TimestampSource {
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) throw usageError(({ faults }) => faults.tsaAddress);
  return {
    async timestamp(request) {
      try {
        const response = await fetch(address, {
          method: 'POST',
          headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
          body: new Uint8Array(request),
          signal: AbortSignal.timeout(patience),
        });
        if (!response.ok) throw new Error(`HTTP ${response.status}`);
        return await bounded(response);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new CliError('TIMESTAMP_UNREACHABLE', exitCodes.network, ({ faults }) => faults.timestamp(reason), error);
      }
    },
  };
}

/** The answer as far as a token reaches; whoever sends on and on, with no length said before, is not listened to. */
async function bounded({ body }: Response): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body ?? []) {
    length += piece.length;
    if (length > largestAnswer) throw new Error('too long');
    pieces.push(piece);
  }
  return new Uint8Array(Buffer.concat(pieces));
}
