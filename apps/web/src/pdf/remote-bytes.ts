import { type Piece, pieceOf } from './byte-parts.ts';

/** What is read one behind the other comes with what lies behind it. */
export const AHEAD = 32 * 1024;
/** A file of no more is fetched whole, in one request; it may have grown by what was signed since its size was told. */
const SHORT = 96 * 1024;
const GROWN = 32 * 1024;
const RETRY_MS = [500, 1500];

export interface RemoteSource {
  url: string;
  headers: Record<string, string>;
  /** As the server told it last; left out: not known. */
  size?: number;
}

/** All of a short file, or the length of a longer one with its beginning and, where it had come, its end. */
export type Begun = { data: Uint8Array } | { length: number; kept: readonly Piece[] };

/** The server did not hand over the file, or not what was asked for. */
export class RemoteFault extends Error {
  override readonly name = 'RemoteFault';
}

export async function ask({ url, headers }: RemoteSource, range: string, signal?: AbortSignal): Promise<Response> {
  for (const pause of [...RETRY_MS, null]) {
    const answer = await fetch(url, { headers: { ...headers, range }, signal: signal ?? null }).catch((error: unknown) => {
      if (signal?.aborted || pause === null) throw new RemoteFault('', { cause: error });
      return null;
    });
    if (answer?.ok) return answer;
    if (pause === null || (answer && answer.status < 500 && answer.status !== 429)) throw new RemoteFault(String(answer?.status));
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  throw new RemoteFault();
}

export async function bytesOf(answer: Response): Promise<Uint8Array> {
  return new Uint8Array(await answer.arrayBuffer());
}

/** A short file whole; of another one beginning and end, side by side. */
async function begin(source: RemoteSource): Promise<Begun> {
  const isShort = source.size !== undefined && source.size <= SHORT;
  const [head, tail] = await Promise.all([
    ask(source, `bytes=0-${(isShort ? SHORT + GROWN : AHEAD) - 1}`),
    isShort ? null : ask(source, `bytes=-${AHEAD}`),
  ]);
  if (head.status !== 206) {
    void tail?.body?.cancel();
    return { data: await bytesOf(head) };
  }
  const first = await bytesOf(head);
  const begun = pieceOf(head.headers.get('content-range'), first);
  if (!begun || begun.begin !== 0) throw new RemoteFault('not what was asked for');
  if (begun.length === first.length) return { data: first };
  const last = tail && pieceOf(tail.headers.get('content-range'), await bytesOf(tail));
  // A file that grew meanwhile is read as it was; its end is asked for again.
  return { length: begun.length, kept: last?.length === begun.length ? [begun, last] : [begun] };
}

const ahead = new Map<string, Promise<Begun>>();

/** Fetches what a file is opened with while what draws it is still on its way. */
export function beginAhead(source: RemoteSource): void {
  const begun = begin(source);
  // Told where it is opened.
  begun.catch(() => {});
  ahead.set(source.url, begun);
}

/** What was fetched ahead, once; else from the server. */
export function beginningOf(source: RemoteSource): Promise<Begun> {
  const begun = ahead.get(source.url);
  ahead.delete(source.url);
  return begun ?? begin(source);
}
