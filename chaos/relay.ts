import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** `silent` accepts and never answers; `closed` ends every connection at once; `garbage` answers nonsense. */
export type RelayMode = 'open' | 'closed' | 'silent' | 'garbage';

/** A service of the outside world (mail server, timestamp authority) behind a door that can be shut. */
export interface Relay {
  port: number;
  set(mode: RelayMode): void;
  close(): Promise<void>;
}

export async function startRelay(targetPort: number): Promise<Relay> {
  let mode: RelayMode = 'open';
  const open = new Set<Socket>();
  const server = createServer((client) => {
    open.add(client);
    client.on('close', () => open.delete(client)).on('error', () => client.destroy());
    if (mode === 'closed') return client.destroy();
    if (mode === 'silent') return void client.resume();
    if (mode === 'garbage') return void client.end('?'.repeat(2000));
    const target = connect(targetPort, '127.0.0.1');
    open.add(target);
    target.on('close', () => open.delete(target)).on('error', () => client.destroy());
    client.pipe(target).pipe(client);
    client.on('close', () => target.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const drop = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    set(next) {
      mode = next;
      // What was under way breaks off too, as when a cable is pulled.
      drop();
    },
    async close() {
      drop();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
