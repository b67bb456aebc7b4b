import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A statement on its way from a program to PostgreSQL, with its values as they stand in the message. */
export interface Passing {
  text: string;
  values: string;
}

/** What a statement meets at the door; `tell` is called once, when it stands there. */
export interface Stop {
  of(statement: Passing): boolean;
  /**
   * `before`: PostgreSQL has not seen it; `after`: it is done, and committed where it was not in a transaction; its answer has not gone back.
   * Either stays so until what is told has been awaited.
   */
  at: 'before' | 'after';
  /** Its connection ends there. */
  cuts?: true;
  tell(statement: Passing): Promise<void> | void;
}

/** A door between a program and PostgreSQL, which stops what one names: an act between its commit and its answer, say. */
export interface DatabaseDoor extends AsyncDisposable {
  port: number;
  /** Stops the first such statement from now on, until what is answered is called. */
  stopAt(stop: Stop): () => void;
}

/** `host`: a folder with a socket. */
export async function openDatabaseDoor(host: string): Promise<DatabaseDoor> {
  let stops: Stop[] = [];
  const open = new Set<Socket>();
  const passing = (statement: Passing): Stop | null => {
    const found = stops.find(({ of }) => of(statement)) ?? null;
    if (found) stops = stops.filter((one) => one !== found);
    return found;
  };
  // Answers go in pieces: each would wait for the receipt of the one before.
  const server = createServer({ noDelay: true }, (program) => {
    const database = connect(`${host}/.s.PGSQL.5432`);
    for (const socket of [program, database]) {
      open.add(socket);
      socket.on('error', () => {}).on('close', () => (open.delete(socket), program.destroy(), database.destroy()));
    }
    carry(program, database, passing);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    stopAt(stop) {
      stops.push(stop);
      return () => void (stops = stops.filter((one) => one !== stop));
    },
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

const READY = 'Z';

/** One connection: messages of the protocol (version 3), each whole. */
function carry(program: Socket, database: Socket, passing: (statement: Passing) => Stop | null): void {
  const named = new Map<string, string>();
  let afterNext: { stop: Stop; statement: Passing } | null = null;
  const asked = inOrder(async (type, message) => {
    let stop: Stop | null = null;
    let statement: Passing = { text: '', values: '' };
    if (type === 'P') {
      const [name = '', text = ''] = message.toString('utf8', 5).split('\0');
      named.set(name, text);
    } else if (type === 'B') {
      const [, name = ''] = message.toString('utf8', 5).split('\0', 2);
      statement = { text: named.get(name) ?? '', values: message.toString('latin1', 5) };
      stop = passing(statement);
    } else if (type === 'Q') {
      statement = { text: message.toString('utf8', 5, message.length - 1), values: '' };
      stop = passing(statement);
    }
    if (stop?.at === 'before') {
      await stop.tell(statement);
      if (stop.cuts) return void program.destroy();
    } else if (stop) afterNext = { stop, statement };
    database.write(message);
  }, 'start');
  const answered = inOrder(async (type, message) => {
    if (type === READY && afterNext) {
      const { stop, statement } = afterNext;
      afterNext = null;
      await stop.tell(statement);
      if (stop.cuts) return void program.destroy();
    }
    held.push(message);
    if (type !== READY && afterNext) return;
    program.write(Buffer.concat(held.splice(0)));
  });
  const held: Buffer[] = [];
  program.on('data', asked);
  database.on('data', answered);
}

/** Splits what comes into messages and takes them one after the other; the first of a connection has no type. */
function inOrder(take: (type: string, message: Buffer) => Promise<void>, first?: 'start'): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  let isFirst = first === 'start';
  let turn = Promise.resolve();
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const typed = isFirst ? 0 : 1;
      if (rest.length < typed + 4) return;
      const length = typed + rest.readInt32BE(typed);
      if (rest.length < length) return;
      const message = rest.subarray(0, length);
      const type = isFirst ? '' : String.fromCharCode(message[0] ?? 0);
      rest = rest.subarray(length);
      isFirst = false;
      turn = turn.then(() => take(type, message));
    }
  };
}
