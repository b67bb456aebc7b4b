import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addressSubjects, canonicalAddress } from './client-address.ts';

const subjects = (address: string) => addressSubjects(address).map(({ subject }) => subject);

describe('a client’s address', () => {
  it('has one spelling: IPv4 within IPv6 is IPv4, whatever its letters', () => {
    for (const spelling of [
      '203.0.113.7',
      '::ffff:203.0.113.7',
      '::FFFF:203.0.113.7',
      '::ffff:cb00:7107',
      '0:0:0:0:0:ffff:203.0.113.7',
      '203.0.113.7:50123',
    ])
      assert.equal(canonicalAddress(spelling), '203.0.113.7', spelling);
    for (const spelling of [
      '2001:db8::1',
      '2001:0DB8:0:0:0::1',
      '2001:db8:0000::0.0.0.1',
      '2001:db8::1%eth0',
      '[2001:db8::1]:50123',
      '[2001:db8::1]',
    ])
      assert.equal(canonicalAddress(spelling), '2001:db8::1', spelling);
  });

  it('counts whole when it is IPv4, however it came', () => {
    assert.deepEqual(subjects('203.0.113.7'), ['203.0.113.7']);
    assert.deepEqual(subjects('::ffff:203.0.113.7'), ['203.0.113.7']);
  });

  it('counts by /64 and, with more room, by /48 when it is IPv6', () => {
    assert.deepEqual(addressSubjects('2001:db8:7:9:1234:5678:9abc:def0'), [
      { subject: '2001:db8:7:9::/64', share: 1 },
      { subject: '2001:db8:7::/48', share: 8 },
    ]);
    assert.deepEqual(subjects('2001:db8:7:9::1'), subjects('2001:DB8:7:9:ffff::'));
    assert.notDeepEqual(subjects('2001:db8:7:9::1')[0], subjects('2001:db8:7:a::1')[0]);
    assert.deepEqual(subjects('2001:db8:7:9::1')[1], subjects('2001:db8:7:a::1')[1]);
    assert.deepEqual(subjects('::1'), ['0:0:0:0::/64', '0:0:0::/48']);
  });

  it('counts as it stands when it is no address', () => {
    assert.deepEqual(subjects(''), ['']);
  });
});
