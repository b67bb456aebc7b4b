import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import PDFDocument from 'pdfkit';
import { boldFont, regularFont } from './fonts.ts';
import { type Doc, openSheets, sheet } from './sheets.ts';

/** Many words, so that some come twice; letters with marks, ligatures and pairs that are drawn closer. */
function write(pdf: Doc, person: string): void {
  pdf.font('bold').fontSize(20).text(`Página de assinaturas de ${person}`);
  for (const size of [7, 9.5, 14])
    pdf
      .font('regular')
      .fontSize(size)
      .text(`AVATAR Tóquio officina “${person}” assinou às 14:05 – ção, não, ﬁm. `.repeat(6), { width: 300 });
}

function asPdfkitDoes(person: string): Promise<Buffer> {
  const pdf = new PDFDocument({ size: [sheet.width, sheet.height], margin: sheet.margin });
  pdf.registerFont('regular', regularFont).registerFont('bold', boldFont);
  const chunks: Buffer[] = [];
  const ended = new Promise<Buffer>((resolve) =>
    pdf.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => resolve(Buffer.concat(chunks))),
  );
  write(pdf, person);
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
      for (const person of ['Ana', 'Conceição', 'Iguaçu', 'Ana']) {
        const { pdf, finish } = openSheets({});
        write(pdf, person);
        const [ours, theirs] = [await seen(await finish()), await seen(await asPdfkitDoes(person))];
        assert.equal(ours[1], theirs[1]);
        assert.equal(ours[0], theirs[0], `the pixels of ${person}`);
      }
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it('are parsed once in a program, however many documents are drawn', () => {
    const fonts = Array.from({ length: 3 }, () => {
      const { pdf } = openSheets({});
      return (pdf as unknown as { _fontFamilies: { regular: { font: object; subset: object } } })._fontFamilies.regular;
    });
    assert.equal(new Set(fonts.map(({ font }) => font)).size, 1);
    assert.equal(new Set(fonts.map(({ subset }) => subset)).size, 3);
  });

  it('are cut out of their font once for all papers that need the usual ones alone, and anew for any other', async () => {
    const fontFile = async (text: string) => {
      const { pdf, finish } = openSheets({});
      pdf.font('regular').text(text);
      const streams = Buffer.from(await finish())
        .toString('latin1')
        .split(/\nstream\n|\nendstream/);
      return streams.find(({ length }) => length > 3000) ?? '';
    };
    const usual = await fontFile('Ana assinou');
    assert.notEqual(usual, '');
    assert.equal(await fontFile('“Büro” officina, ¿señor? ft ff fi'), usual);
    assert.notEqual(await fontFile('Ana е Аня'), usual);
    assert.equal(await fontFile('Ana assinou'), usual);
    for (const sentence of await ownSentences()) assert.equal(await fontFile(sentence), usual, sentence);
  });

  it('can be copied and read aloud in a document whose predecessor drew them as parts of others', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'lavra-letters-'));
    const read = async (text: string) => {
      const { pdf, finish } = openSheets({});
      pdf.font('regular').text(text).font('bold').text(text);
      const path = join(directory, 'a.pdf');
      await writeFile(path, await finish());
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
