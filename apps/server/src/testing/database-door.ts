import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A statement on its way from a program to PostgreSQL, with its values as they stand in the message. */
export interface Passing {
  text: string;
  values: string;
  /** Which of the program's connections it goes over. */
  connection: number;
}

/** A door between a program and PostgreSQL, at which one statement waits: an act, say, while somebody else acts. */
export interface DatabaseDoor extends AsyncDisposable {
  port: number;
  /** The next such statement comes to PostgreSQL when `until`, which is called as soon as it stands there, is done. */
  holdNext(isIt: (statement: Passing) => boolean, until: () => Promise<void>): void;
  /** The next such statement comes to PostgreSQL, and nothing that PostgreSQL answers on its connection comes back any more. */
  muteNext(isIt: (statement: Passing) => boolean): void;
}

/** `host`: a folder with a socket. */
export async function openDatabaseDoor(host: string): Promise<DatabaseDoor> {
  let held: { isIt(statement: Passing): boolean; until(): Promise<void> } | null = null;
  let muted: ((statement: Passing) => boolean) | null = null;
  let connections = 0;
  const open = new Set<Socket>();
  const pass = async (statement: Passing): Promise<void> => {
    if (!held?.isIt(statement)) return;
    const { until } = held;
    held = null;
    await until();
  };
  // Answers go in pieces: each would wait for the receipt of the one before.
  const server = createServer({ noDelay: true }, (program) => {
    const database = connect(`${host}/.s.PGSQL.5432`);
    for (const socket of [program, database]) {
      open.add(socket);
      socket.on('error', () => {}).on('close', () => (open.delete(socket), program.destroy(), database.destroy()));
    }
    const connection = (connections += 1);
    const passing = async (statement: Omit<Passing, 'connection'>): Promise<void> => {
      await pass({ ...statement, connection });
      if (!muted?.({ ...statement, connection })) return;
      muted = null;
      database.unpipe(program).resume();
    };
    program.on('data', eachMessage(database, passing));
    database.pipe(program);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    holdNext: (isIt, until) => void (held = { isIt, until }),
    muteNext: (isIt) => void (muted = isIt),
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Messages of the protocol (PostgreSQL, "Message Formats"), each whole and one after the other; the first of a connection has no type. */
function eachMessage(database: Socket, pass: (statement: Omit<Passing, 'connection'>) => Promise<void>): (chunk: Buffer) => void {
  const named = new Map<string, string>();
  let rest = Buffer.alloc(0);
  let isFirst = true;
  let turn = Promise.resolve();
  const take = async (type: string, message: Buffer): Promise<void> => {
    if (type === 'P') {
      const [name = '', text = ''] = message.toString('utf8', 5).split('\0');
      named.set(name, text);
    } else if (type === 'B') {
      const [, name = ''] = message.toString('utf8', 5).split('\0', 2);
      await pass({ text: named.get(name) ?? '', values: message.toString('latin1', 5) });
    } else if (type === 'Q') {
      await pass({ text: message.toString('utf8', 5, message.length - 1), values: '' });
    }
    database.write(message);
  };
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
