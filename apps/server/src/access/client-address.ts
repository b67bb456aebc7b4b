import { isIPv4, isIPv6 } from 'node:net';

/**
 * One spelling of a client's address: IPv4 within IPv6 as IPv4, no zone, no port (some proxies forward one), IPv6 in its
 * canonical form (RFC 5952). What is no address comes back as it is.
 */
export function canonicalAddress(given: string): string {
  const address = given.replace(/^\[(.*)\](?::\d{1,5})?$|^([\d.]+):\d{1,5}$/, '$1$2').replace(/%.*$/, '');
  if (!isIPv6(address)) return address;
  const groups = groupsOf(address);
  const mapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (!mapped) return new URL(`http://[${address}]`).hostname.slice(1, -1);
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
}

/** The eight groups of an IPv6 address, whatever its spelling. */
function groupsOf(address: string): number[] {
  // The URL parser writes an IPv4 tail as groups and shortens to one `::` at most.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const read = (part: string) => part.split(':').flatMap((group) => (group === '' ? [] : [Number.parseInt(group, 16)]));
  const [before, after] = [read(head), read(tail ?? '')];
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
}

/** Whom an address counts as, and how many times the limit that one may have. */
export interface AddressSubject {
  subject: string;
  share: number;
}

/** A /48 is one house or one office at a careful provider, and some thousand telephones at another. */
const SHARE_OF_48 = 8;

/**
 * IPv4 counts whole. Of IPv6 one person holds a /64, often a /48: both are counted, the wider one with more room, so that
 * another address of the same network buys nothing.
 */
export function addressSubjects(given: string): readonly AddressSubject[] {
  const address = canonicalAddress(given);
  if (isIPv4(address) || !isIPv6(address)) return [{ subject: address, share: 1 }];
  const network = (groups: number) =>
    `${groupsOf(address)
      .slice(0, groups)
      .map((group) => group.toString(16))
      .join(':')}::/${groups * 16}`;
  return [
    { subject: network(4), share: 1 },
    { subject: network(3), share: SHARE_OF_48 },
  ];
}
