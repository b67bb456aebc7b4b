import { type AddressInfo, createServer } from 'node:net';
import type { Config } from './config.ts';
import { StartFault } from './start-fault.ts';

interface Listener {
  listen(at: { host: string; port: number }): Promise<unknown>;
}

/** Ports that development tries one after another. */
const TRIED = 50;

/**
 * The port that links will carry, before anything listens on it: the configured one; any free one where that is 0; in
 * development the next free one, because two trials side by side are normal there, unless the address in links is fixed.
 * @throws StartFault when nobody could listen there
 */
export async function choosePort(config: Config): Promise<number> {
  const { host, port } = config;
  const last = mayMove(config) ? Math.min(port + TRIED, 65_535) : port;
  for (let tried = port; ; tried += 1) {
    try {
      return await probe(host, tried);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || tried >= last) throw listenFault(error, host, tried);
    }
  }
}

/**
 * Listens on the chosen port; false when another program took it meanwhile and another one may be chosen.
 * @throws StartFault
 */
export async function listenAt(app: Listener, config: Config, port: number): Promise<boolean> {
  try {
    await app.listen({ host: config.host, port });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE' && (mayMove(config) || config.port === 0)) return false;
    throw listenFault(error, config.host, port);
  }
}

/** Where nobody was told an address with the port in it. */
function mayMove({ profile, publicUrl, port }: Config): boolean {
  return profile === 'dev' && publicUrl === null && port !== 0;
}

/** What the operating system says when somebody wants to listen, as a fault of `HOST` or `PORT`; another error as it is. */
function listenFault(error: unknown, host: string, port: number): unknown {
  const cause = { cause: error };
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new StartFault('PORT', `${port} is in use by another program on ${host}`, cause);
    case 'EACCES':
      return new StartFault('PORT', `the user that runs Lavra may not listen on ${port}`, cause);
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
    case 'EINVAL':
      return new StartFault('HOST', `${host} is no address of this computer`, cause);
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StartFault('HOST', `the name ${host} leads to no address`, cause);
    default:
      return error;
  }
}

function probe(host: string, wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(wanted, host, () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
