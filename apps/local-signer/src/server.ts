import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { CallLimits, answerApi } from './api.ts';
import type { Sessions, Surroundings } from './sessions.ts';
import { readAsset } from './window/assets.ts';
import { endsOf } from './socket-owner.ts';
import type { OwnerCheck } from './socket-owner.ts';
import { WindowPages } from './window/window-pages.ts';

export interface RunningSigner {
  readonly port: number;
  /** Where windows are, without the slash at the end. */
  readonly address: string;
  close(): Promise<void>;
}

const tooMuchTime = 30_000;
/** Pages ask every second: one connection serves them. */
const keepAliveTime = 10_000;
const mostConnections = 400;
/** What another user's connection gets to hear its refusal. */
const refusalTime = 2000;
/** Those that hear it at one time: a page of theirs asks with one or two. However many they hold open, its own user's find a place. */
const mostStrangers = 20;
/** Until it is known whose they are, which takes milliseconds. */
const mostUnknown = 4000;

/**
 * Listens on the first port whose 127.0.0.1 is free, on its ::1 too where the system has one, and nowhere else. Throws when no port
 * is free.
 */
export async function startServer(
  sessions: Sessions,
  surroundings: Surroundings,
  { ports, ownerCheck }: { ports: readonly number[]; ownerCheck: OwnerCheck | null },
): Promise<RunningSigner> {
  const windows = new WindowPages(sessions, surroundings);
  const limits = new CallLimits();
  const callers = new Callers(ownerCheck);
  const handle = (port: number) => (request: IncomingMessage, response: ServerResponse) => {
    void answer(request, response, { port, sessions, windows, limits, callers }).catch(() => {
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end();
    });
  };
  for (const wanted of ports) {
    const first = await listen('127.0.0.1', wanted, { handle, callers });
    if (first === null) continue;
    const second = await listen('::1', first.port, { handle, callers });
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

/** Whose the connections are: asked once for each, when it is made. */
class Callers {
  readonly #check: OwnerCheck | null;
  readonly #own = new WeakMap<Socket, Promise<boolean>>();
  readonly #held = { own: 0, strangers: 0 };

  constructor(check: OwnerCheck | null) {
    this.#check = check;
  }

  accept(socket: Socket): void {
    const ends = endsOf(socket);
    const own =
      this.#check === null ? Promise.resolve(true) : ends === null ? Promise.resolve(false) : this.#check(ends).catch(() => false);
    this.#own.set(socket, own);
    void own.then((isOwn) => this.#hold(socket, isOwn));
  }

  #hold(socket: Socket, isOwn: boolean): void {
    if (socket.destroyed) return;
    const kind = isOwn ? 'own' : 'strangers';
    this.#held[kind] += 1;
    socket.once('close', () => (this.#held[kind] -= 1));
    if (this.#held[kind] > (isOwn ? mostConnections : mostStrangers)) socket.resetAndDestroy();
    else if (!isOwn) setTimeout(() => socket.destroy(), refusalTime).unref();
  }

  isOwn(socket: Socket): Promise<boolean> {
    return this.#own.get(socket) ?? Promise.resolve(false);
  }
}

function listen(
  host: string,
  wanted: number,
  { handle, callers }: { handle: (port: number) => (request: IncomingMessage, response: ServerResponse) => void; callers: Callers },
): Promise<{ server: Server; port: number } | null> {
  return new Promise((resolve, reject) => {
    const server = createServer({
      maxHeaderSize: 16 << 10,
      requestTimeout: tooMuchTime,
      headersTimeout: tooMuchTime,
      keepAliveTimeout: keepAliveTime,
    });
    server.maxConnections = mostConnections + mostStrangers + mostUnknown;
    server.on('connection', (socket) => callers.accept(socket));
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

/** Headers that decide something here: said twice, two readers may believe two things. */
const single = ['host', 'origin', 'cookie', 'content-type', 'content-length', 'transfer-encoding', 'sec-fetch-site'];

/** A request as browsers make them: a path of ours, and each of those headers once. */
function isPlain({ url, rawHeaders }: IncomingMessage): boolean {
  const names = rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  return url?.startsWith('/') === true && single.every((name) => names.indexOf(name) === names.lastIndexOf(name));
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  around: { port: number; sessions: Sessions; windows: WindowPages; limits: CallLimits; callers: Callers },
): Promise<void> {
  const { port, sessions, windows, limits, callers } = around;
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Cache-Control', 'no-store');
  if (!isPlain(request)) return void response.writeHead(400, { Connection: 'close' }).end();
  if (!isOwnHost(request.headers.host, port)) return void response.writeHead(403).end();
  const isOwn = await callers.isOwn(request.socket);
  if (!isOwn) response.setHeader('Connection', 'close');
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
  if (/^\/v[12]\//.test(path)) return answerApi(request, response, path, { port, sessions, limits, isOwn });
  if (!isOwn) return void response.writeHead(403).end();
  const asset = request.method === 'GET' ? readAsset(path) : null;
  if (asset !== null) return void response.writeHead(200, asset.headers).end(asset.body);
  return windows.answer(request, response, path);
}
