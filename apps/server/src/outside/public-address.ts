import { BlockList, isIP } from 'node:net';

/** IANA's special-purpose registry of IPv4 (RFC 6890), with multicast and what is reserved. */
const SPECIAL_V4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // shared by carriers (CGNAT)
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local: where clouds keep their metadata
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // relays of 6to4
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
];

/**
 * Of IPv6 only global unicast (2000::/3) is public. Outside it are loopback, unique-local, link-local, multicast and the forms
 * that hide an IPv4 address: mapped (::ffff:0:0/96), compatible (::/96) and NAT64 (64:ff9b::/96, 64:ff9b:1::/48).
 */
const GLOBAL_V6 = ['2000::', 3] as const;

/** What is special within it. */
const SPECIAL_V6: readonly (readonly [string, number])[] = [
  ['2001::', 23], // protocol assignments: Teredo, ORCHID, benchmarks
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4: an IPv4 address inside
  ['3fff::', 20], // documentation
];

const specialV4 = blockList('ipv4', SPECIAL_V4);
const globalV6 = blockList('ipv6', [GLOBAL_V6]);
const specialV6 = blockList('ipv6', SPECIAL_V6);

function blockList(family: 'ipv4' | 'ipv6', subnets: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, family);
  return list;
}

/** True for an address on the open internet; false for every other, for one with a zone, and for what is no address. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !specialV4.check(address, 'ipv4');
  if (family !== 6 || address.includes('%')) return false;
  return globalV6.check(address, 'ipv6') && !specialV6.check(address, 'ipv6');
}
