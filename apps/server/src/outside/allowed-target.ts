import { isIP } from 'node:net';
import { OutsideFault } from './outside.ts';
import { isPublicAddress } from './public-address.ts';

/** A host of our own networks that may be asked all the same; without a port: at 80 and 443. */
export interface AllowedHost {
  hostname: string;
  port: number | null;
}

const PORTS = [80, 443];

/** `crl.intranet`, `127.0.0.1:8080`, `[::1]:8080`; null for anything else. */
export function readAllowedHost(text: string): AllowedHost | null {
  // Not by URL's own port, which hides the scheme's default.
  const [, name = '', port] = /^(\[[0-9a-f:.]+\]|[^:/?#@*\s[\]\\]+)(?::(\d{1,5}))?$/i.exec(text) ?? [];
  if (!URL.canParse(`http://${name}`) || Number(port ?? 1) > 65_535 || port === '0') return null;
  return { hostname: new URL(`http://${name}`).hostname, port: port === undefined ? null : Number(port) };
}

export interface Target {
  url: URL;
  /** Every one checked: the connection goes to one of these and to nothing else. */
  addresses: { address: string; family: 4 | 6 }[];
}

export type Resolve = (hostname: string) => Promise<readonly string[]>;

/**
 * Checks an address before it is called: http and https, ports 80 and 443, no credentials, and a host that has none but
 * public addresses. @throws OutsideFault ADDRESS_REFUSED, UNREACHABLE
 */
export async function allowedTarget(address: string | URL, allowed: readonly AllowedHost[], resolve: Resolve): Promise<Target> {
  const url = URL.canParse(String(address)) ? new URL(address) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol)) throw new OutsideFault('ADDRESS_REFUSED', 'neither http nor https');
  if (url.username !== '' || url.password !== '') throw new OutsideFault('ADDRESS_REFUSED', 'credentials in the address');
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const isAllowed = allowed.some((one) => one.hostname === url.hostname && (one.port === null ? PORTS.includes(port) : one.port === port));
  if (!isAllowed && !PORTS.includes(port)) throw new OutsideFault('ADDRESS_REFUSED', `port ${port}`);
  const found = await addressesOf(url.hostname, resolve);
  // One private address among public ones is how a name is made to point inwards.
  const inner = isAllowed ? undefined : found.find((one) => !isPublicAddress(one));
  if (inner !== undefined) throw new OutsideFault('ADDRESS_REFUSED', `${url.hostname} is at ${inner}`);
  return { url, addresses: found.map((one) => ({ address: one, family: isIP(one) === 6 ? 6 : 4 })) };
}

async function addressesOf(hostname: string, resolve: Resolve): Promise<readonly string[]> {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(literal)) return [literal];
  let found: readonly string[];
  try {
    found = await resolve(hostname);
  } catch (error) {
    throw new OutsideFault('UNREACHABLE', `no address for ${hostname}`, error);
  }
  if (found.length === 0) throw new OutsideFault('UNREACHABLE', `no address for ${hostname}`);
  return found;
}
