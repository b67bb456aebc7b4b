import pg from 'pg';
import type { Connection, Submittable } from 'pg';

/** Of the driver's own that its types leave out. */
interface NamingConnection extends Connection {
  /** Texts by their names: what the server has planned, and what is on its way to it. */
  readonly parsedStatements: Record<string, string | undefined>;
  readonly submittedNamedStatements: Record<string, string | undefined>;
}

const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): string | Buffer | null } }).utils;

interface StatementAnswer {
  command: string;
  rowCount: number | null;
  rows: Record<string, unknown>[];
}

interface Column {
  name: string;
  read(text: string): unknown;
}

/**
 * How a statement's rows are made, by connection and name. It holds as long as the name does: PostgreSQL refuses to run a statement by its name
 * when its answer would have other columns ("cached plan must not change result type").
 */
const shapes = new WeakMap<Connection, Map<string, readonly Column[]>>();

function shapesOf(connection: Connection): Map<string, readonly Column[]> {
  const known = shapes.get(connection) ?? new Map<string, readonly Column[]>();
  shapes.set(connection, known);
  return known;
}

/**
 * A statement that the server plans once in a connection, under a name of its own. The driver's has the columns described anew with each answer, and
 * sends each statement as five messages: this one asks what they are once, and sends what is to be said in one piece.
 */
class NamedStatement implements Submittable {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
  readonly #rows: Record<string, unknown>[] = [];
  #columns: readonly Column[] | undefined;
  #command = '';
  #rowCount: number | null = null;
  #fault: unknown = null;
  /** Called once; the driver puts another in its place where there is a bound to how long an answer may take. */
  callback: (error: unknown, answer?: StatementAnswer) => void;

  constructor(name: string, text: string, values: readonly unknown[], callback: NamedStatement['callback']) {
    this.name = name;
    this.text = text;
    this.values = values;
    this.callback = callback;
  }

  /** What is answered is told, and nothing was sent. */
  submit(given: Connection): Error | undefined {
    const connection = given as NamingConnection;
    const isPlanned = (connection.parsedStatements[this.name] ?? connection.submittedNamedStatements[this.name]) !== undefined;
    const known = isPlanned ? shapesOf(connection).get(this.name) : undefined;
    let message: Buffer;
    try {
      message = messageOf(this.name, isPlanned ? null : this.text, this.values.map(wireValue), known === undefined);
    } catch (error) {
      return error as Error;
    }
    this.#columns = known;
    if (!isPlanned) connection.submittedNamedStatements[this.name] = this.text;
    if (connection.stream.writable) connection.stream.write(message);
    return undefined;
  }

  handleRowDescription({ fields }: { fields: readonly { name: string; dataTypeID: number }[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({ name, read: pg.types.getTypeParser(dataTypeID, 'text') as Column['read'] }));
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    if (this.#fault !== null) return;
    try {
      this.#rows.push(rowOf(this.#columns ?? [], fields));
    } catch (error) {
      this.#fault = error;
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    const words = text.split(' ');
    const count = Number(words.at(-1));
    this.#command = words[0] ?? '';
    this.#rowCount = Number.isNaN(count) ? null : count;
  }

  handleError(error: unknown): void {
    this.callback(this.#fault ?? error);
  }

  handleReadyForQuery(connection: Connection): void {
    if (this.#fault !== null) return this.handleError(this.#fault);
    shapesOf(connection).set(this.name, this.#columns ?? []);
    this.callback(null, { command: this.#command, rowCount: this.#rowCount, rows: this.#rows });
  }

  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
}

/** @throws the server's refusal, as told to whoever asked */
export function askNamed(client: pg.ClientBase, name: string, text: string, values: readonly unknown[]): Promise<StatementAnswer> {
  return new Promise((resolve, reject) => {
    client.query(
      new NamedStatement(name, text, values, (error, answer) => {
        if (answer) resolve(answer);
        else reject(error as Error);
      }),
    );
  });
}

function rowOf(columns: readonly Column[], fields: readonly (string | null)[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  // Of every row's every column: an iterator's pairs took as long as what is read of them.
  let index = 0;
  for (const { name, read } of columns) {
    const text = fields[index++] ?? null;
    row[name] = text === null ? null : read(text);
  }
  return row;
}

/** As the driver sends it: what is no text of its own is asked of it. */
function wireValue(value: unknown): string | Buffer | null {
  return typeof value === 'string' ? value : prepareValue(value);
}

const [PARSE, BIND] = [0x50, 0x42];
/** The answer's columns. */
const DESCRIBE = Buffer.of(0x44, 0, 0, 0, 6, 0x50, 0);
/** All its rows, and no more after it. */
const EXECUTE_SYNC = Buffer.of(0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0x53, 0, 0, 0, 4);
const TEXT = 0;
const BINARY = 1;

/**
 * The messages of the extended query (PostgreSQL's documentation, "Message Formats") in one piece: parsed where `text` is given, bound, described
 * where asked for, executed.
 */
function messageOf(name: string, text: string | null, values: readonly (string | Buffer | null)[], isDescribed: boolean): Buffer {
  const lengths = values.map((value) => (value === null ? -1 : typeof value === 'string' ? Buffer.byteLength(value) : value.length));
  const parse = text === null ? 0 : name.length + Buffer.byteLength(text) + 8;
  const bind = lengths.reduce((sum, length) => sum + 6 + Math.max(0, length), name.length + 12);
  const tail = isDescribed ? DESCRIBE.length : 0;
  const all = Buffer.allocUnsafe(parse + bind + (text === null ? 1 : 2) + tail + EXECUTE_SYNC.length);
  let at = 0;
  const short = (value: number) => void (at = all.writeUInt16BE(value, at));
  const long = (value: number) => void (at = all.writeInt32BE(value, at));
  const ended = (word: string) => void (at = all.writeUInt8(0, at + all.write(word, at)));
  const begin = (code: number, length: number) => {
    at = all.writeUInt8(code, at);
    long(length);
  };
  if (text !== null) {
    begin(PARSE, parse);
    ended(name);
    ended(text);
    short(0);
  }
  begin(BIND, bind);
  ended('');
  ended(name);
  short(values.length);
  for (const value of values) short(Buffer.isBuffer(value) ? BINARY : TEXT);
  short(values.length);
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? null;
    long(lengths[index] ?? -1);
    if (typeof value === 'string') at += all.write(value, at);
    else if (value !== null) at += value.copy(all, at);
  }
  // All columns of the answer as text.
  short(0);
  if (isDescribed) at += DESCRIBE.copy(all, at);
  EXECUTE_SYNC.copy(all, at);
  return all;
}
