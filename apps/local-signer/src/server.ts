import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { CallLimits, answerApi } from './api.ts';
import type { Sessions, Surroundings } from './sessions.ts';
import { readAsset } from './window/assets.ts';
import { WindowPages } from './window/window-pages.ts';

export interface RunningSigner {
  readonly port: number;
  /** Where windows are, without the slash at the end. */
  readonly address: string;
  close(): Promise<void>;
}

const tooMuchTime = 30_000;

/**
 * Listens on the first port whose 127.0.0.1 is free, on its ::1 too where the system has one, and nowhere else. Throws when no port
 * is free.
 */
export async function startServer(sessions: Sessions, surroundings: Surroundings, ports: readonly number[]): Promise<RunningSigner> {
  const windows = new WindowPages(sessions, surroundings);
  const limits = new CallLimits();
  const handle = (port: number) => (request: IncomingMessage, response: ServerResponse) => {
    void answer(request, response, { port, sessions, windows, limits }).catch(() => {
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end();
    });
  };
  for (const wanted of ports) {
    const first = await listen('127.0.0.1', wanted, handle);
    if (first === null) continue;
    const second = await listen('::1', first.port, handle);
    return {
      port: first.port,
      address: `http://127.0.0.1:${first.port}`,
      async close() {
        sessions.end();
        await Promise.all([first.server, second?.server].map((server) => server && stop(server)));
      },
    };
  }
  throw new Error(`no free port among ${ports.join(', ')}`);
}

function listen(
  host: string,
  wanted: number,
  handle: (port: number) => (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ server: Server; port: number } | null> {
  return new Promise((resolve, reject) => {
    const server = createServer({
      maxHeaderSize: 16 << 10,
      requestTimeout: tooMuchTime,
      headersTimeout: tooMuchTime,
      keepAliveTimeout: 1000,
    });
    server.once('error', (error: NodeJS.ErrnoException) => {
      // In use, forbidden, or a system without IPv6.
      if (['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(error.code ?? '')) resolve(null);
      else reject(error);
    });
    server.listen(wanted, host, () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : wanted;
      server.on('request', handle(port));
      resolve({ server, port });
    });
  });
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** Names under which this very port may be called. Any other is a stranger's name made to point here (DNS rebinding). */
export function isOwnHost(host: string | undefined, port: number): boolean {
  return host === `127.0.0.1:${port}` || host === `localhost:${port}` || host === `[::1]:${port}`;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { port, sessions, windows, limits }: { port: number; sessions: Sessions; windows: WindowPages; limits: CallLimits },
): Promise<void> {
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Cache-Control', 'no-store');
  if (!isOwnHost(request.headers.host, port)) return void response.writeHead(403).end();
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
  if (path.startsWith('/v1/')) return answerApi(request, response, path, { sessions, limits });
  const asset = request.method === 'GET' ? readAsset(path) : null;
  if (asset !== null) return void response.writeHead(200, asset.headers).end(asset.body);
  return windows.answer(request, response, path);
}
