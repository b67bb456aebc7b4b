import { PDFDataRangeTransport } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { joined, type Part, type Piece, pieceOf, piecesOf } from './byte-parts.ts';

/** The engine looks at each page of a flat file before it shows the first: so much comes for each of them. */
export const GRAIN = 1024;
/** What is read one behind the other comes with what lies behind it. */
const AHEAD = 32 * 1024;
/** More places at once than these are what a walk through all pages looks at: nothing beside them is wanted. */
const FEW = 6;
/** As many parts as the server hands over at once. */
const MOST_PARTS = 128;
/** What is asked for within it goes together. */
const GATHER_MS = 5;
const RETRY_MS = [500, 1500];

export interface RemoteSource {
  url: string;
  headers: Record<string, string>;
}

/** The server did not hand over the file, or not what was asked for. */
export class RemoteFault extends Error {
  override readonly name = 'RemoteFault';
}

async function ask({ url, headers }: RemoteSource, range: string, signal?: AbortSignal): Promise<Response> {
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

async function bytesOf(answer: Response): Promise<Uint8Array> {
  return new Uint8Array(await answer.arrayBuffer());
}

/**
 * Hands the engine the bytes of a file as it asks for them, and never others than the file's. What it asks for at once goes in one request.
 */
class RemoteFile extends PDFDataRangeTransport {
  readonly #source: RemoteSource;
  readonly #kept: readonly Piece[];
  readonly #ended = new AbortController();
  readonly #onFault: (fault: unknown) => void;
  #wanted: Part[] = [];

  constructor(source: RemoteSource, length: number, kept: readonly Piece[], onFault: (fault: unknown) => void) {
    super(length, null);
    this.#source = source;
    this.#kept = kept;
    this.#onFault = onFault;
  }

  override requestDataRange(begin: number, end: number): void {
    if (this.#wanted.length === 0) setTimeout(() => this.#fetchWanted(), GATHER_MS);
    this.#wanted.push({ begin, end });
  }

  override abort(): void {
    this.#wanted = [];
    this.#ended.abort();
  }

  #fetchWanted(): void {
    const wanted = this.#wanted.filter((part) => !this.#hand(part, this.#kept));
    this.#wanted = [];
    const parts = joined(wanted);
    if (parts.length <= FEW)
      for (const { begin, end } of parts) {
        const last = Math.min(this.length, Math.max(end, begin + AHEAD));
        this.#fetch(
          [{ begin, end: last }],
          wanted.filter((part) => part.begin >= begin && part.end <= end),
        );
      }
    else
      for (let at = 0; at < parts.length; at += MOST_PARTS) {
        const some = parts.slice(at, at + MOST_PARTS);
        this.#fetch(
          some,
          wanted.filter((part) => some.some(({ begin, end }) => part.begin >= begin && part.end <= end)),
        );
      }
  }

  #fetch(parts: readonly Part[], wanted: readonly Part[]): void {
    this.#pieces(parts).then(
      (pieces) => {
        if (this.#ended.signal.aborted) return;
        // What lies behind the last is handed over with it: it is the file's as well.
        if (!wanted.every((part) => this.#hand(part, pieces, parts.length === 1))) this.#onFault(new RemoteFault('incomplete'));
      },
      (error: unknown) => {
        if (!this.#ended.signal.aborted) this.#onFault(error);
      },
    );
  }

  async #pieces(parts: readonly Part[]): Promise<Piece[]> {
    const range = `bytes=${parts.map(({ begin, end }) => `${begin}-${end - 1}`).join(',')}`;
    const answer = await ask(this.#source, range, this.#ended.signal);
    const bytes = await bytesOf(answer);
    if (answer.status !== 206) return [{ begin: 0, bytes }];
    const one = pieceOf(answer.headers.get('content-range'), bytes);
    const pieces = one ? [one] : piecesOf(answer.headers.get('content-type'), bytes);
    if (!pieces) throw new RemoteFault('not what was asked for');
    return pieces;
  }

  /** Whether a piece has all of the part. */
  #hand({ begin, end }: Part, pieces: readonly Piece[], isToEnd = false): boolean {
    const piece = pieces.find((one) => one.begin <= begin && one.begin + one.bytes.length >= end);
    if (!piece) return false;
    this.onDataRange(begin, piece.bytes.slice(begin - piece.begin, isToEnd ? undefined : end - piece.begin));
    return true;
  }
}

/** What the engine opens a file with: all of a small one, or a way to ask for more. Its beginning and its end come side by side. */
export async function openRemote(
  source: RemoteSource,
  onFault: (fault: unknown) => void,
): Promise<{ data: Uint8Array } | { range: RemoteFile }> {
  const [head, tail] = await Promise.all([ask(source, `bytes=0-${AHEAD - 1}`), ask(source, `bytes=-${AHEAD}`)]);
  if (head.status !== 206) {
    void tail.body?.cancel();
    return { data: await bytesOf(head) };
  }
  const first = await bytesOf(head);
  const begun = pieceOf(head.headers.get('content-range'), first);
  if (!begun || begun.begin !== 0) throw new RemoteFault('not what was asked for');
  if (begun.length === first.length) return { data: first };
  const last = pieceOf(tail.headers.get('content-range'), await bytesOf(tail));
  // A file that grew meanwhile is read as it was; its end is asked for again.
  const kept = last?.length === begun.length ? [begun, last] : [begun];
  return { range: new RemoteFile(source, begun.length, kept, onFault) };
}
