import { PDFDataRangeTransport } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { joined, type Part, type Piece, pieceOf, piecesOf } from './byte-parts.ts';
import { AHEAD, ask, beginningOf, bytesOf, RemoteFault, type RemoteSource } from './remote-bytes.ts';

/** The engine looks at each page of a flat file before it shows the first: so much comes for each of them. */
export const GRAIN = 1024;
/** More places at once than these are what a walk through all pages looks at: nothing beside them is wanted. */
const FEW = 6;
/** As many parts as the server hands over at once. */
const MOST_PARTS = 128;
/** What is asked for within it goes together. */
const GATHER_MS = 5;

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

/** What the engine opens a file with: all of a short one, or a way to ask for more. */
export async function openRemote(
  source: RemoteSource,
  onFault: (fault: unknown) => void,
): Promise<{ data: Uint8Array } | { range: RemoteFile }> {
  const begun = await beginningOf(source);
  return 'data' in begun ? begun : { range: new RemoteFile(source, begun.length, begun.kept, onFault) };
}
