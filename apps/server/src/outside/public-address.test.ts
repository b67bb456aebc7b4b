import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isPublicAddress } from './public-address.ts';

/** IPv4 as a number, and what is not public of it by the plain reading of RFC 6890: the check's own way is another. */
const v4 = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');
function isSpecialV4(value: number): boolean {
  const [a = 0, b = 0, c = 0] = [24, 16, 8].map((shift) => (value >>> shift) & 255);
  if (a === 0 || a === 10 || a === 127 || a >= 224) return true;
  if (a === 100) return b >= 64 && b <= 127;
  if (a === 169) return b === 254;
  if (a === 172) return b >= 16 && b <= 31;
  if (a === 192) return b === 168 || (b === 0 && (c === 0 || c === 2)) || (b === 88 && c === 99);
  if (a === 198) return b === 18 || b === 19 || (b === 51 && c === 100);
  return a === 203 && b === 0 && c === 113;
}

const groups = (value: bigint) => Array.from({ length: 8 }, (_, index) => Number((value >> BigInt(112 - 16 * index)) & 0xffffn));
const v6 = (value: bigint) =>
  groups(value)
    .map((group) => group.toString(16))
    .join(':');
function isSpecialV6(value: bigint): boolean {
  const [first = 0, second = 0] = groups(value);
  if (first < 0x2000 || first > 0x3fff || first === 0x2002) return true;
  if (first === 0x2001) return second < 0x200 || second === 0xdb8;
  return first === 0x3fff && second < 0x1000;
}

/** Anywhere, and where networks begin and end. */
const anyV4 = fc.oneof(
  fc.integer({ min: 0, max: 0xffff_ffff }),
  fc
    .tuple(
      fc.constantFrom(0, 10, 100, 127, 169, 172, 192, 198, 203, 224, 8),
      fc.constantFrom(0, 15, 16, 18, 31, 32, 51, 63, 64, 88, 127, 128, 168, 254),
      fc.constantFrom(0, 2, 99, 100, 113, 255),
      fc.nat(255),
    )
    .map(([a, b, c, d]) => ((a << 24) | (b << 16) | (c << 8) | d) >>> 0),
);
const anyV6 = fc
  .tuple(
    fc.oneof(fc.nat(0xffff), fc.constantFrom(0, 0x64, 0x2000, 0x2001, 0x2002, 0x2a00, 0x3fff, 0xfc00, 0xfd12, 0xfe80, 0xff02)),
    fc.oneof(fc.nat(0xffff), fc.constantFrom(0, 1, 0x1ff, 0x200, 0xdb8, 0xfff, 0x1000, 0xff9b)),
    fc.bigInt({ min: 0n, max: (1n << 96n) - 1n }),
  )
  .map(([first, second, rest]) => (BigInt(first) << 112n) | (BigInt(second) << 96n) | rest);

describe('the check for public addresses', () => {
  it('agrees with the registry for every IPv4 address', () => {
    fc.assert(
      fc.property(anyV4, (value) => isPublicAddress(v4(value)) === !isSpecialV4(value)),
      { numRuns: 2000 },
    );
  });

  it('agrees with the registry for every IPv6 address', () => {
    fc.assert(
      fc.property(anyV6, (value) => isPublicAddress(v6(value)) === !isSpecialV6(value)),
      { numRuns: 2000 },
    );
  });

  it('refuses every IPv4 address in the clothes of IPv6: mapped, compatible, NAT64, 6to4', () => {
    fc.assert(
      fc.property(anyV4, (value) => {
        const hex = `${(value >>> 16).toString(16)}:${(value & 0xffff).toString(16)}`;
        const forms = [`::ffff:${v4(value)}`, `::ffff:${hex}`, `::${hex}`, `64:ff9b::${hex}`, `64:ff9b:1::${hex}`, `2002:${hex}::1`];
        return forms.every((form) => !isPublicAddress(form));
      }),
    );
  });

  it('refuses what is no address, and one with a zone', () => {
    fc.assert(fc.property(fc.string(), (text) => !isPublicAddress(text) || /^[\d.]+$|^[\da-f:.]+$/i.test(text)));
    for (const text of ['', 'localhost', '2a00::1%eth0', '1.1.1', '01.1.1.1', '1.1.1.1 ']) assert.equal(isPublicAddress(text), false, text);
    for (const text of ['1.1.1.1', '200.160.2.3', '2a00::1', '2804:14c::1', '2606:4700::1111']) assert.ok(isPublicAddress(text), text);
  });
});
