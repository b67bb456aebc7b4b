import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { PadesError } from '../errors.ts';
import { openPdf } from '../open-pdf.ts';
import { displayToUser } from '../pdf/geometry.ts';
import { inspectPdf } from '../inspect/inspect-pdf.ts';
import { preparePdf } from '../prepare/prepare-pdf.ts';
import { memorySource, readAll, withRevision } from '../source.ts';
import { simplePdf } from '../testing/make-pdf.ts';
import { hasTool, runOn } from '../testing/tools.ts';
import type { Appearance } from './appearance.ts';
import { layoutAppearance, lineSpacing, wrap } from './layout.ts';

const liberation = '/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf';
const monospace = { ascent: 0.7, descent: 0.2, width: (text: string) => text.length * 0.6 };

/** A page with the appearance in a box at (u, v) as the reader sees the page. */
async function drawn(page: string, appearance: Appearance, at = { u: 40, v: 30, width: 150, height: 60 }) {
  const base = memorySource(simplePdf({ page }));
  const pdf = await openPdf(base);
  const info = (await inspectPdf(pdf)).pages[0];
  assert.ok(info);
  const rect = displayToUser(at, info);
  const revision = await preparePdf(pdf, {
    textFields: [{ name: 'box', at: { page: 1, rect }, value: appearance.text ?? '', appearance }],
  });
  return readAll(withRevision(base, revision));
}

/** The rectangle of everything that is not white, in points, as a reader sees the first page. */
async function ink(bytes: Uint8Array): Promise<number[]> {
  const { output } = await runOn('pdftoppm', ['-gray', '-r', '72', '-cropbox', '-singlefile'], bytes);
  const head = /^P5\n(\d+) (\d+)\n255\n/.exec(output);
  assert.ok(head, 'pdftoppm gave no picture');
  const width = Number(head[1]);
  let box = [Infinity, Infinity, -1, -1];
  for (let i = head[0].length; i < output.length; i++) {
    if (output.charCodeAt(i) > 200) continue;
    const x = (i - head[0].length) % width;
    const y = Math.floor((i - head[0].length) / width);
    const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = box;
    box = [Math.min(x0, x), Math.min(y0, y), Math.max(x1, x + 1), Math.max(y1, y + 1)];
  }
  return box;
}

for (const rotate of [0, 90, 180, 270]) {
  for (const crop of ['', '/CropBox[60 70 500 600]']) {
    test(`a box stands upright where it was placed on a page turned by ${rotate} ${crop}`, async (t) => {
      if (!(await hasTool('pdftoppm'))) return t.skip('no pdftoppm');
      const appearance = { text: 'MMMMMMMM\nM', fontSize: 12, padding: 0 };
      const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = await ink(await drawn(`/Rotate ${rotate}${crop}`, appearance));
      assert.ok(x0 >= 39 && x0 <= 44, `left edge ${x0}`);
      assert.ok(x1 <= 191 && x1 >= 110, `right edge ${x1}`);
      // Two lines, centred in a box from 30 to 90: upright text is wider than it is high.
      assert.ok(y0 >= 44 && y1 <= 76, `from ${y0} to ${y1}`);
    });
  }
}

test('text is text: it can be read out of the file, accents and all, standard font or embedded', async (t) => {
  if (!(await hasTool('pdftotext'))) return t.skip('no pdftotext');
  const text = 'Conceição à €5 — “ok”';
  const fonts: Partial<Appearance>[] = [{}, { font: 'TIMES_ROMAN' }, { font: 'COURIER' }];
  if (existsSync(liberation)) fonts.push({ fontFile: new Uint8Array(readFileSync(liberation)) });
  for (const font of fonts) {
    const bytes = await drawn('', { text, fontSize: 8, ...font });
    const printed = await readText(bytes);
    assert.match(printed.normalize('NFC'), new RegExp(text));
  }
});

async function readText(bytes: Uint8Array): Promise<string> {
  const { spawnSync } = await import('node:child_process');
  return spawnSync('pdftotext', ['-enc', 'UTF-8', '-', '-'], { input: bytes }).stdout.toString('utf8');
}

test('a name that the font cannot write is refused and the letters are named', async () => {
  const refused = async (appearance: Appearance): Promise<PadesError> => {
    try {
      await drawn('', appearance);
    } catch (error) {
      if (error instanceof PadesError) return error;
    }
    throw new Error('not refused');
  };
  const standard = await refused({ text: 'Łukasz 漢' });
  assert.equal(standard.code, 'TEXT_NOT_ENCODABLE');
  assert.equal(standard.details['characters'], 'Ł漢');
  assert.equal((await refused({ text: 'x', fontFile: Uint8Array.of(1, 2, 3) })).code, 'FONT_UNSUPPORTED');
  assert.equal((await refused({ image: Uint8Array.of(1, 2, 3) })).code, 'IMAGE_UNSUPPORTED');
});

test('lines wrap at words, never past the width, and nothing of the text is lost', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), fc.integer({ min: 1, max: 30 }), (text, columns) => {
      const lines = wrap(text, columns * 6, 10, monospace);
      for (const line of lines) assert.ok(line.length <= Math.max(columns, 1));
      const squeeze = (value: string): string => value.replaceAll(/[ \t\r\n]/g, '');
      assert.equal(squeeze(lines.join('')), squeeze(text));
    }),
  );
});

test('image and text share the box without meeting, in every position', () => {
  const image = { width: 200, height: 100 };
  for (const imagePosition of ['LEFT', 'RIGHT', 'TOP', 'BOTTOM'] as const) {
    const size = { width: 150, height: 75 };
    const layout = layoutAppearance({ text: 'Ana\nCPF', imagePosition }, size, image, monospace);
    assert.ok(layout.image);
    const { x, y, width, height } = layout.image;
    assert.ok(Math.abs(width / height - 2) < 1e-9, 'proportions kept');
    assert.ok(x >= 5 && y >= 5 && x + width <= 145.001 && y + height <= 70.001, 'inside the padding');
    for (const line of layout.lines) {
      const beside = line.x >= x + width || line.x + line.text.length * 3.6 <= x;
      const above = line.y >= y + height || line.y + 6 <= y;
      assert.ok(beside || above, `${imagePosition}: text on the image`);
    }
    const [first, second] = layout.lines;
    assert.ok(first && second && Math.abs(first.y - second.y - 6 * lineSpacing) < 1e-9);
  }
  const alone = layoutAppearance({ text: 'Ana', imagePosition: 'NONE' }, { width: 150, height: 75 }, image, monospace);
  assert.equal(alone.image, null);
});

test('text that would not fit is made smaller instead of being cut', () => {
  const text = Array.from({ length: 12 }, (_, i) => `linha ${i}`).join('\n');
  const layout = layoutAppearance({ text, fontSize: 10 }, { width: 150, height: 75 }, null, monospace);
  assert.ok(layout.fontSize < 10);
  assert.equal(layout.lines.length, 12);
  assert.ok((layout.lines.at(-1)?.y ?? -1) >= 5);
});
