import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { formatBytes, formatDateTime, joinDateTime, splitDateTime } from './format.ts';
import { showIn, timeZone } from './zone.ts';

const noon = '2026-11-23T15:00:00.000Z';

describe('instants on the pages', () => {
  afterEach(() => showIn(undefined));

  it('are shown in America/Sao_Paulo unless the user’s setting says otherwise', () => {
    assert.equal(formatDateTime(noon), '23/11/26 12:00');
    showIn('America/Manaus');
    assert.equal(formatDateTime(noon), '23/11/26 11:00');
    assert.deepEqual(splitDateTime(noon), { date: '23/11/2026', time: '11:00' });
    assert.deepEqual(splitDateTime(noon, 'America/Sao_Paulo'), { date: '23/11/2026', time: '12:00' }, 'what stands in a document');
    showIn(undefined);
    assert.equal(formatDateTime(noon), '23/11/26 12:00');
  });

  it('are chosen in the user’s zone, and an hour that its summer leaves out is none', () => {
    assert.equal(joinDateTime('23/11/2026', '12:00'), noon);
    showIn('America/Rio_Branco');
    assert.equal(joinDateTime('23/11/2026', '10:00'), noon);
    showIn('Europe/Lisbon');
    assert.equal(joinDateTime('29/03/2026', '01:30'), null);
  });

  it('are shown as usual where a browser does not know the zone', () => {
    showIn('Mars/Olympus');
    assert.equal(timeZone(), 'America/Sao_Paulo');
    assert.equal(formatDateTime(noon), '23/11/26 12:00');
  });
});

describe('sizes on the pages', () => {
  it('have the comma or the point of the page’s language', () => {
    assert.deepEqual(
      [formatBytes(1_572_864, 'pt-BR'), formatBytes(1_572_864, 'es'), formatBytes(1_572_864, 'en')],
      ['1,5 MB', '1,5 MB', '1.5 MB'],
    );
    assert.deepEqual([formatBytes(0, 'pt-BR'), formatBytes(204_800, 'en')], ['1 kB', '200 kB']);
  });
});
