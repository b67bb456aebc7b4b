import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import PDFDocument from 'pdfkit';
import { boldFont, regularFont } from './fonts.ts';
import { letters, shownGlyphs, type Weight } from './letters.ts';
import { openSheets, sheet } from './sheets.ts';

/** Many words, so that some come twice; letters with marks, ligatures and pairs that are drawn closer. */
function write(text: (weight: Weight, size: number, said: string) => void, person: string): void {
  text('bold', 20, `Página de assinaturas de ${person}`);
  for (const size of [7, 9.5, 14]) text('regular', size, `AVATAR Tóquio officina “${person}” assinou às 14:05 – ção, não, ﬁm. `.repeat(6));
}

function asWeDo(person: string): Uint8Array {
  const pdf = openSheets();
  write((weight, size, said) => pdf.font(weight).fontSize(size).text(said, sheet.margin, pdf.y, { width: 300 }), person);
  return pdf.end();
}

function asPdfkitDoes(person: string): Promise<Buffer> {
  const pdf = new PDFDocument({ size: [sheet.width, sheet.height], margin: sheet.margin });
  pdf.registerFont('regular', regularFont).registerFont('bold', boldFont);
  const chunks: Buffer[] = [];
  const ended = new Promise<Buffer>((resolve) =>
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => resolve(Buffer.concat(chunks))),
  );
  write((weight, size, said) => pdf.font(weight).fontSize(size).text(said, sheet.margin, pdf.y, { width: 300 }), person);
  pdf.end();
  return ended;
}

/** What papers say by themselves, in every language. */
async function ownSentences(): Promise<string[]> {
  const locales = join(import.meta.dirname, '../../../../locales');
  const names = (await readdir(locales, { recursive: true })).filter((name) => name.endsWith('.json'));
  const all = await Promise.all(
    names.map(async (name) => Object.entries(JSON.parse(await readFile(join(locales, name), 'utf8')) as object)),
  );
  return all.flat().flatMap(([key, sentence]) => (/^(page|report|place)\./.test(key) ? [String(sentence)] : []));
}

describe('our letters', () => {
  it('look and read in the fourth document as pdfkit draws them in its first', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'lavra-letters-'));
    const seen = async (pdf: Uint8Array): Promise<[string, string]> => {
      const path = join(directory, 'a.pdf');
      await writeFile(path, pdf);
      const pixels = execFileSync('pdftoppm', ['-r', '60', '-gray', path], { maxBuffer: 1e8 }).toString('base64');
      return [pixels, execFileSync('pdftotext', ['-layout', path, '-']).toString()];
    };
    try {
      for (const person of ['Ana', 'Conceição', 'Iguaçu', 'Ана Łuk', 'e\u0301l o\u0308', 'Ana']) {
        const [ours, theirs] = [await seen(asWeDo(person)), await seen(await asPdfkitDoes(person))];
        assert.equal(ours[1], theirs[1]);
        assert.equal(ours[0], theirs[0], `the pixels of ${person}`);
      }
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it('are laid out by the font the first time alone: what was written before, or is made of pairs that were, is not asked of it again', (t) => {
    const { layout } = letters.regular.font;
    const asked = t.mock.method(letters.regular.font, 'layout', layout);
    const draw = (text: string) => openSheets().font('regular').text(text).end();
    draw('Quíxote 12:21:11 officina');
    assert.ok(asked.mock.callCount() > 0);
    asked.mock.resetCalls();
    draw('11:12:21 Quíxote officina');
    assert.equal(asked.mock.callCount(), 0);
  });

  it('stand in words that are put together from pairs as the font sets the whole word', async () => {
    const words = new Set((await ownSentences()).flatMap((sentence) => sentence.split(/(?<= )/)));
    for (const date of ['23/11/2026 ', '10:47:11', 'R$ ', '1.234,56', 'AVATAR ', 'T.Y.V.', '“Lì” ', 'f.f', 'ƒ']) words.add(date);
    for (const { one, word } of [letters.regular, letters.bold].flatMap((font) =>
      Array.from(words, (said) => ({ one: font, word: said })),
    )) {
      const { glyphs, positions } = one.font.layout(word);
      const whole = glyphs.map(({ id, codePoints, advanceWidth: width }, index) => {
        return { id, codePoints, width, advance: positions[index]?.xAdvance ?? 0, offset: null };
      });
      const { runs, width } = one.set(word);
      assert.ok(Math.abs(width - whole.reduce((sum, { advance }) => sum + advance, 0)) < 0.001, word);
      if (whole.every(({ id }) => one.usual.has(id)))
        assert.equal(
          runs.map(({ shown }) => shown).join(''),
          shownGlyphs(whole, ({ id }) => one.usual.get(id) ?? 0),
          word,
        );
    }
  });

  it('are cut out of their font once for all papers that need the usual ones alone, and anew for any other', async () => {
    const fontFile = (text: string) => {
      const streams = Buffer.from(openSheets().font('regular').text(text).end())
        .toString('latin1')
        .split(/\nstream\n|\nendstream/);
      return streams.find(({ length }) => length > 3000) ?? '';
    };
    const usual = fontFile('Ana assinou');
    assert.notEqual(usual, '');
    assert.equal(fontFile('“Büro” officina, ¿señor? ft ff fi'), usual);
    assert.notEqual(fontFile('Ana е Аня'), usual);
    assert.equal(fontFile('Ana assinou'), usual);
    for (const sentence of await ownSentences()) assert.equal(fontFile(sentence), usual, sentence);
  });

  it('can be copied and read aloud in a document whose predecessor drew them as parts of others', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'lavra-letters-'));
    const read = async (text: string) => {
      const path = join(directory, 'a.pdf');
      await writeFile(path, openSheets().font('regular').text(text).font('bold').text(text).end());
      return execFileSync('pdftotext', [path, '-']).toString().trim().split('\n');
    };
    try {
      await read('”ÃÇÍÑÚÖÅã');
      for (const text of ['the signer’s name', 'D’Ávila', 'ACINUOa']) assert.deepEqual(await read(text), [text, text]);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });
});
