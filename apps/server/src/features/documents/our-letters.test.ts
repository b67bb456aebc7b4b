import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { type Appearance, memorySource, openPdf, preparePdf, type SignatureRequest } from '@lavra/pades';
import fc from 'fast-check';
import { regularFont } from '../../paper/fonts.ts';
import { samplePdf } from '../../testing/processes.ts';
import { inOurLetters, withAppearances, withoutOurLetters } from './our-letters.ts';

const words = fc.array(fc.constantFrom('São', 'não', 'ﬁm', '“Ana”', 'Á', 'ç', 'Zoë', 'a’b', 'Łukasz'), { minLength: 1, maxLength: 6 });

describe('our letters', () => {
  let page: Buffer;
  before(async () => {
    page = await samplePdf(1);
  });

  async function written(text: string, fontFile: Uint8Array): Promise<string> {
    const pdf = await openPdf(memorySource(page));
    const at = { page: 1, rect: { x: 40, y: 40, width: 300, height: 60 } };
    const { bytes } = await preparePdf(pdf, { textFields: [{ name: 'box', at, value: text, appearance: { text, fontFile } }] });
    // Its second identifier is new in every revision.
    return Buffer.from(bytes)
      .toString('latin1')
      .replace(/\/ID \[[^\]]*\]/, '');
  }

  it('are read once, and each file gets what it would have got alone, whatever was written before', async () => {
    await fc.assert(
      fc.asyncProperty(words, async (chosen) => {
        const text = chosen.join(' ');
        assert.ok((await written(text, regularFont)) === (await written(text, Buffer.from(regularFont))), text);
      }),
      { numRuns: 25 },
    );
  });

  it('do not travel to a worker, and are back there; other letters travel', () => {
    const other = new Uint8Array([1, 2, 3]);
    const shown: Pick<SignatureRequest, 'appearance' | 'fills'>[] = [
      {},
      { appearance: { text: 'a', fontFile: regularFont } },
      { appearance: { text: 'a', fontFile: other } },
      {
        appearance: { text: 'a', font: 'TIMES_ROMAN' },
        fills: [{ field: 'f', value: 'b', appearance: { text: 'b', fontFile: regularFont } }],
      },
    ];
    for (const request of shown) {
      const sent = withAppearances(request, withoutOurLetters);
      const appearances: Appearance[] = [sent.appearance ?? {}, ...(sent.fills ?? []).map(({ appearance }) => appearance)];
      for (const { fontFile } of appearances) assert.ok((fontFile?.length ?? 0) <= other.length);
      assert.deepEqual(withAppearances(structuredClone(sent), inOurLetters), request);
    }
  });
});
