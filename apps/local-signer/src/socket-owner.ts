import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { endianness } from 'node:os';

/** The caller's end of a connection, and ours. */
export interface Ends {
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress: string;
  readonly localPort: number;
}

/** Whether the other end of a connection to this computer itself was opened by the user who runs this program. What cannot be found is not. */
export type OwnerCheck = (ends: Ends) => Promise<boolean>;

/**
 * How this system tells whose a socket is; null where it cannot be told without more than Node has (Windows), and the window asks for the
 * code of the page instead. Root is another user too: whoever is root needs no socket, and rows without an owner read as root's.
 */
export function ownerCheckOf(
  platform: NodeJS.Platform = process.platform,
  uid: number | undefined = process.getuid?.(),
): OwnerCheck | null {
  if (uid === undefined) return null;
  if (platform === 'linux') return ownerInProc(uid);
  return platform === 'darwin' ? ownerByLsof(uid) : null;
}

/** Ends of an accepted connection; null when it is gone already. */
export function endsOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): Ends | null {
  if (remoteAddress === undefined || remotePort === undefined || localAddress === undefined || localPort === undefined) return null;
  return { remoteAddress, remotePort, localAddress, localPort };
}

/** A table that is being written while it is read may miss a row. */
const looks = 3;

function ownerInProc(uid: number): OwnerCheck {
  const tables = sharedReader(async () => {
    const read = (name: string) => readFile(`/proc/self/net/${name}`, 'latin1').catch(() => '');
    return ownersIn((await Promise.all([read('tcp'), read('tcp6')])).join('\n'));
  });
  return async (ends) => {
    for (let look = 0; look < looks; look++) {
      const owner = ownerOf(await tables(), ends);
      if (owner !== null) return owner === uid;
    }
    return false;
  };
}

/** By both ends as the kernel writes them: users, NaN for nobody's. */
type Owners = ReadonlyMap<string, readonly number[]>;

/** Read once for all who ask at once: a program may open connections by the hundred. Only a living connection counts. */
function ownersIn(text: string): Owners {
  const owners = new Map<string, number[]>();
  for (const [, ends = '', uid, inode] of text.matchAll(
    /: ([0-9A-F]+:[0-9A-F]{4} [0-9A-F]+:[0-9A-F]{4}) 01(?: +\S+){3} +(\d+) +\d+ +(\d+)/g,
  )) {
    // A socket that its process has closed has no inode any more and reads as root's.
    const owner = inode === '0' ? Number.NaN : Number(uid);
    owners.set(ends, [...(owners.get(ends) ?? []), owner]);
  }
  return owners;
}

/** The user of the caller's socket in the text of /proc/net/tcp and tcp6; null when it is not there. */
export const ownerInTable = (text: string, ends: Ends): number | null => ownerOf(ownersIn(text), ends);

function ownerOf(owners: Owners, { remoteAddress, remotePort, localAddress, localPort }: Ends): number | null {
  const found = [false, true].flatMap(
    (isMapped) => owners.get(`${procEnd(remoteAddress, remotePort, isMapped)} ${procEnd(localAddress, localPort, isMapped)}`) ?? [],
  );
  const [owner, ...more] = new Set(found);
  return owner === undefined || more.length > 0 || Number.isNaN(owner) ? null : owner;
}

/** As the kernel writes it: words of four bytes in the machine's order. `isMapped`: an IPv4 address in an IPv6 socket. */
function procEnd(address: string, port: number, isMapped: boolean): string {
  const v4 = /^(?:::ffff:)?(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const tail = v4 ? v4.slice(1).map(Number) : null;
  const bytes = tail === null ? bytesOfIpv6(address) : isMapped ? [...Array<number>(10).fill(0), 255, 255, ...tail] : tail;
  const words: number[][] = [];
  for (let at = 0; at < bytes.length; at += 4) words.push(bytes.slice(at, at + 4));
  const hex = words.map((word) =>
    (endianness() === 'LE' ? word.toReversed() : word).map((byte) => byte.toString(16).padStart(2, '0')).join(''),
  );
  return `${hex.join('')}:${port.toString(16).padStart(4, '0')}`.toUpperCase();
}

function bytesOfIpv6(address: string): number[] {
  const [head = '', tail] = address.split('%', 1)[0]?.split('::') ?? [];
  const groups = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)));
  const first = groups(head);
  const last = groups(tail ?? '');
  const middle = Array<number>(Math.max(0, 8 - first.length - last.length)).fill(0);
  return [...first, ...middle, ...last].flatMap((group) => [group >> 8, group & 255]);
}

/** One read at a time; whoever asks meanwhile shares the next one, which began after they came. */
function sharedReader<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | null = null;
  return () => {
    next ??= running.then(() => {
      next = null;
      const begun = read();
      running = begun.catch(() => undefined);
      return begun;
    });
    return next;
  };
}

const lsofMilliseconds = 5000;

/** macOS shows sockets of its own user by lsof, which is part of the system. */
export function ownerByLsof(uid: number, command = 'lsof'): OwnerCheck {
  return (ends) =>
    new Promise((resolve) => {
      const args = ['-nP', '-a', '-u', String(uid), `-iTCP:${ends.remotePort}`, '-sTCP:ESTABLISHED', '-Fn'];
      execFile(command, args, { timeout: lsofMilliseconds, encoding: 'utf8' }, (_error, output) => {
        const name = `n${lsofEnd(ends.remoteAddress, ends.remotePort)}->${lsofEnd(ends.localAddress, ends.localPort)}`;
        resolve(output.split('\n').includes(name));
      });
    });
}

function lsofEnd(address: string, port: number): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, '');
  return `${plain.includes(':') ? `[${plain}]` : plain}:${port}`;
}
