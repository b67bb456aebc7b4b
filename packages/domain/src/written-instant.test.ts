import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { writtenInstant } from './written-instant.ts';

const zones = ['America/Sao_Paulo', 'America/Noronha', 'UTC', 'Asia/Kathmandu', 'Pacific/Kiritimati', 'America/New_York'];

test('an instant is written DD/MM/YYYY HH:mm with 24 hours, in any zone; midnight is 00:00', () => {
  assert.deepEqual(writtenInstant(new Date('2026-11-23T03:00:07Z'), 'America/Sao_Paulo'), {
    date: '23/11/2026',
    time: '00:00',
    exactTime: '00:00:07',
  });
  const instants = fc.date({ min: new Date('1950-01-01'), max: new Date('2199-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(instants, fc.constantFrom(...zones), (instant, zone) => {
      const { date, time, exactTime } = writtenInstant(instant, zone);
      assert.match(`${date} ${exactTime}`, /^(0[1-9]|[12]\d|3[01])\/(0[1-9]|1[0-2])\/\d{4} ([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/);
      assert.equal(exactTime.slice(0, 5), time);
    }),
  );
});

test('in UTC an instant is written as ISO 8601 has it', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }), (instant) => {
      const { date, exactTime } = writtenInstant(instant, 'UTC');
      const [day, month, year] = date.split('/');
      assert.equal(`${year?.padStart(4, '0')}-${month}-${day}T${exactTime}`, instant.toISOString().slice(0, 19));
    }),
  );
});

test('a zone that is none is refused', () => {
  assert.throws(() => writtenInstant(new Date(0), 'America/Atlantis'), RangeError);
});
