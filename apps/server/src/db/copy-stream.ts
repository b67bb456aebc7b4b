import { once } from 'node:events';
import type { Connection, Client, Submittable } from 'pg';

/** Of the protocol's own calls that pg's types leave out. */
interface CopyConnection extends Connection {
  sendCopyFromChunk(chunk: Uint8Array): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

/** What is read ahead of whoever takes it. */
const AHEAD = 1024 * 1024;

/** One COPY on its way over a connection: pg hands it what the server says. */
class CopyStatement implements Submittable {
  readonly #text: string;
  readonly #source: AsyncIterable<Uint8Array> | null;
  readonly done = Promise.withResolvers<void>();
  #chunks: Uint8Array[] = [];
  #ahead = 0;
  #wake = Promise.withResolvers<void>();
  #connection: CopyConnection | null = null;
  #fault: unknown = null;
  #isOver = false;
  #fed: Promise<void> = Promise.resolve();

  constructor(text: string, source: AsyncIterable<Uint8Array> | null = null) {
    this.#text = text;
    this.#source = source;
    // Heard of by whoever reads, too.
    this.done.promise.catch(() => {});
  }

  submit(connection: Connection): void {
    this.#connection = connection as CopyConnection;
    connection.query(this.#text);
  }

  handleCopyData({ chunk }: { chunk: Uint8Array }): void {
    // A view of the buffer that pg reads the next messages into: what is not taken at once would become something else.
    this.#chunks.push(Buffer.from(chunk));
    this.#ahead += chunk.length;
    if (this.#ahead > AHEAD) this.#connection?.stream.pause();
    this.#awake();
  }

  handleCopyInResponse(connection: CopyConnection): void {
    this.#fed = this.#feed(connection);
  }

  handleCommandComplete(): void {}
  handleRowDescription(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}

  /** Of the server, or of the connection: pg tells a statement nothing any more after its fault, not even that the server is ready. */
  handleError(error: unknown): void {
    this.#fault ??= error;
    this.handleReadyForQuery();
  }

  handleReadyForQuery(): void {
    this.#isOver = true;
    this.#awake();
    void this.#fed.then(() => (this.#fault ? this.done.reject(this.#fault as Error) : this.done.resolve()));
  }

  async *read(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const chunks = this.#chunks;
        this.#chunks = [];
        this.#ahead = 0;
        this.#connection?.stream.resume();
        yield* chunks;
        if (this.#chunks.length > 0) continue;
        if (this.#isOver) break;
        await this.#wake.promise;
      }
      await this.done.promise;
    } finally {
      this.#connection?.stream.resume();
    }
  }

  #awake(): void {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers<void>();
  }

  async #feed(connection: CopyConnection): Promise<void> {
    try {
      for await (const chunk of this.#source ?? []) {
        if (this.#fault) return;
        connection.sendCopyFromChunk(chunk);
        if (connection.stream.writableNeedDrain) await drained(connection.stream);
      }
      connection.endCopyFrom();
    } catch (error) {
      this.#fault ??= error;
      connection.sendCopyFail('its source broke off');
    }
  }
}

/** Until it takes more, or is closed. */
async function drained(stream: Connection['stream']): Promise<void> {
  const ended = new AbortController();
  const heard = (event: string) => once(stream, event, { signal: ended.signal }).catch(() => {});
  await Promise.race([heard('drain'), heard('close')]);
  ended.abort();
}

/** What `copy … to stdout` says, as it comes: no more is read from the server than is taken. */
export function copyOut(client: Client, statement: string): AsyncIterable<Uint8Array> {
  return client.query(new CopyStatement(statement)).read();
}

/** Feeds `copy … from stdin`. @throws what the source throws, or what the server says; the server keeps nothing then */
export function copyIn(client: Client, statement: string, source: AsyncIterable<Uint8Array>): Promise<void> {
  return client.query(new CopyStatement(statement, source)).done.promise;
}
