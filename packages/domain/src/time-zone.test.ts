import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusalOf } from './checked-lines.ts';
import { checkedTimeZone } from './time-zone.ts';

test('a time zone is a name of IANA’s; an offset, an abbreviation in small letters and what is longer than any are none', () => {
  for (const zone of ['America/Sao_Paulo', 'America/Argentina/Buenos_Aires', 'Europe/Lisbon', 'UTC', 'Asia/Kolkata', 'America/Noronha'])
    assert.equal(checkedTimeZone(zone), zone);
  for (const none of ['', '-03:00', '+03:00', 'america/sao_paulo', 'Brasil', 'America/São_Paulo', 'America/Nowhere', `A/${'b'.repeat(80)}`])
    assert.equal(refusalOf(() => checkedTimeZone(none))?.code, 'account.timeZoneUnknown', none);
});
