import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import pino from 'pino';
import { openJobQueue } from '../jobs/queue.ts';
import { soon } from '../testing/processes.ts';
import { type ConnectionOptions, openDatabase } from './client.ts';

/** The kernel's own clock of its tables, whatever its interrupts are. */
const TICKS_A_SECOND = 100;
const PROBING = '02';

/** Seconds until the kernel asks the other side of each connection to this port whether it is still there; none: it never does. */
async function untilAsked(port: number): Promise<number[]> {
  const remote = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = (await readFile('/proc/net/tcp', 'utf8')).split('\n').map((line) => line.trim().split(/\s+/));
  return rows.flatMap(([, , to, , , timer = '']) => {
    const [kind, ticks = ''] = timer.split(':');
    return to === remote ? [kind === PROBING ? parseInt(ticks, 16) / TICKS_A_SECOND : Infinity] : [];
  });
}

describe('a database server that vanishes without a word', { skip: process.platform !== 'linux' && 'reads /proc/net/tcp' }, () => {
  const log = pino({ level: 'silent' });
  const ways: [string, (connection: ConnectionOptions) => Promise<unknown>][] = [
    [
      'a request',
      async (connection) => {
        const { db, close } = openDatabase(connection, { away: () => {}, answered: () => {} }, { restartMs: 0 });
        await sql`select 1`.execute(db).catch(() => {});
        await close();
      },
    ],
    ['the queue of jobs', (connection) => openJobQueue(connection, [], log)],
  ];
  for (const [who, ask] of ways)
    it(`is known to ${who} within a minute, not after the two hours of the system`, async () => {
      const open = new Set<Socket>();
      // Takes what it is told, and says nothing.
      const server = createServer((socket) => void open.add(socket.on('error', () => {})));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      const asking = ask({ connectionString: `postgres://lavra@127.0.0.1:${port}/lavra` }).catch(() => {});
      try {
        await soon('connected', async () => open.size > 0);
        await soon('asked within half a minute', async () => {
          const seconds = await untilAsked(port);
          return seconds.length > 0 && Math.max(...seconds) <= 30;
        });
      } finally {
        server.close();
        for (const socket of open) socket.destroy();
        await asking;
      }
    });
});
