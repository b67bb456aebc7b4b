/** What a signature model asks for, as poppler draws it: every arrangement, both kinds of image, alignment, line distance. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openPdf } from '../open-pdf.ts';
import { PdfName } from '../pdf/objects.ts';
import { displayToUser } from '../pdf/geometry.ts';
import { inspectPdf } from '../inspect/inspect-pdf.ts';
import { signPdf } from '../sign/sign-pdf.ts';
import { memorySource, readAll, withRevision } from '../source.ts';
import { simplePdf } from '../testing/make-pdf.ts';
import { throwawaySigner } from '../testing/throwaway-signer.ts';
import { redPng } from '../testing/red-png.ts';
import { hasTool, runOn, runWith } from '../testing/tools.ts';
import type { Appearance } from './appearance.ts';
import { drawGround } from './ground.ts';

const missing = (await hasTool('pdftoppm')) && (await hasTool('pdftotext')) ? false : 'no poppler';
const signer = throwawaySigner('Ana');
/** The box as the reader sees the page: u to the right, v down. */
const box = { u: 40, v: 30, width: 150, height: 60 };

async function signed(appearance: Appearance, page = '', more: readonly string[] = []): Promise<Uint8Array> {
  const base = memorySource(simplePdf({ page, more }));
  const pdf = await openPdf(base);
  const info = (await inspectPdf(pdf)).pages[0];
  assert.ok(info);
  const field = { name: 'ana', at: { page: 1, rect: displayToUser(box, info) } };
  const revision = await signPdf(pdf, signer, { field, signingTime: new Date(0), appearance });
  return readAll(withRevision(base, revision));
}

type Extent = { x0: number; y0: number; x1: number; y1: number; count: number };

/** Where red and where black stands on the first page, in points from the upper left corner. */
async function drawn(appearance: Appearance, page = ''): Promise<{ red: Extent; black: Extent; bytes: Uint8Array }> {
  const bytes = await signed(appearance, page);
  const { output } = await runOn('pdftoppm', ['-r', '72', '-singlefile'], bytes);
  const head = /^P6\n(\d+) (\d+)\n255\n/.exec(output);
  assert.ok(head, 'pdftoppm gave no picture');
  const width = Number(head[1]);
  const none = (): Extent => ({ x0: Infinity, y0: Infinity, x1: -1, y1: -1, count: 0 });
  const [red, black] = [none(), none()];
  for (let i = head[0].length, pixel = 0; i + 2 < output.length; i += 3, pixel++) {
    const [r, g, b] = [output.charCodeAt(i), output.charCodeAt(i + 1), output.charCodeAt(i + 2)];
    const seen = r > 180 && g < 90 && b < 90 ? red : r < 130 && g < 130 && b < 130 ? black : null;
    if (seen === null) continue;
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    Object.assign(seen, { x0: Math.min(seen.x0, x), y0: Math.min(seen.y0, y), x1: Math.max(seen.x1, x + 1), y1: Math.max(seen.y1, y + 1) });
    seen.count++;
  }
  return { red, black, bytes };
}

function near(actual: number, expected: number, what: string): void {
  assert.ok(Math.abs(actual - expected) <= 1.5, `${what}: ${actual}, expected about ${expected}`);
}

test('an image alone stands in the middle of the box, proportions kept, inside the padding', { skip: missing }, async () => {
  const { red, black } = await drawn({ image: redPng(), padding: 5 });
  near(red.x1 - red.x0, 100, 'width');
  near(red.y1 - red.y0, 50, 'height');
  near(red.x0, 65, 'left edge');
  near(red.y0, 35, 'upper edge');
  assert.equal(black.count, 0);
  const wide = await drawn({ image: redPng(), padding: 20 });
  near(wide.red.y1 - wide.red.y0, 20, 'height with more padding');
});

test('what is transparent in a PNG lets the page through', { skip: missing }, async () => {
  const { red } = await drawn({ image: redPng(100) });
  near(red.x0, 115, 'left edge of what is not transparent');
  near(red.x1, 165, 'right edge');
});

test('a JPEG is drawn as it is', { skip: missing }, async () => {
  const picture = await runOn(
    'pdftoppm',
    ['-jpeg', '-r', '72', '-singlefile', '-x', '70', '-y', '40', '-W', '80', '-H', '40'],
    await signed({ image: redPng() }),
  );
  const image = Uint8Array.from(picture.output, (character) => character.charCodeAt(0));
  const { red } = await drawn({ image });
  near(red.x1 - red.x0, 100, 'width');
  near(red.y1 - red.y0, 50, 'height');
});

const text = 'Ana Conceição\nCPF: 529.982.247-25';

test('image and text stand beside, above and over each other as the position says', { skip: missing }, async () => {
  const at = async (imagePosition: NonNullable<Appearance['imagePosition']>) => drawn({ image: redPng(), text, imagePosition });
  const left = await at('LEFT');
  assert.ok(left.red.x1 <= left.black.x0 && left.black.count > 0);
  const right = await at('RIGHT');
  assert.ok(right.black.x1 <= right.red.x0 && right.black.count > 0);
  const top = await at('TOP');
  assert.ok(top.red.y1 <= top.black.y0 && top.black.count > 0);
  const bottom = await at('BOTTOM');
  assert.ok(bottom.black.y1 <= bottom.red.y0 && bottom.black.count > 0);
  const behind = await at('BACKGROUND');
  near(behind.red.x1 - behind.red.x0, 100, 'the whole box for the image');
  assert.ok(behind.black.count > 0 && behind.black.y0 > behind.red.y0 && behind.black.y1 < behind.red.y1, 'text over the image');
  const none = await at('NONE');
  assert.equal(none.red.count, 0);
  assert.ok(none.black.count > 0);
  for (const { red, black } of [left, right, top, bottom, behind, none]) {
    for (const extent of [red, black].filter(({ count }) => count > 0)) {
      assert.ok(extent.x0 >= 40 && extent.x1 <= 190 && extent.y0 >= 30 && extent.y1 <= 90, 'inside the box');
    }
  }
});

test('text is aligned left, in the middle, right', { skip: missing }, async () => {
  const extents = await Promise.all(
    (['LEFT', 'CENTER', 'RIGHT'] as const).map((alignment) => drawn({ text: 'HIHIH', alignment, fontSize: 10 })),
  );
  const [left, middle, right] = extents.map(({ black }) => black);
  assert.ok(left && middle && right);
  near(left.x0, 46, 'left edge');
  near((middle.x0 + middle.x1) / 2, 115, 'middle');
  near(right.x1, 184, 'right edge');
});

/** Lines as poppler selects them: text and upper edge. */
async function lines(bytes: Uint8Array): Promise<{ words: string; y: number }[]> {
  const { output } = await runWith('pdftotext', ['-bbox-layout', '{file}', '-'], { file: bytes });
  return [...output.matchAll(/<line [^>]*yMin="([\d.]+)"[^>]*>([\s\S]*?)<\/line>/g)].map(([, y, words = '']) => ({
    words: [...words.matchAll(/>([^<\s][^<]*)<\/word>/g)].map(([, word]) => word).join(' '),
    y: Number(y),
  }));
}

test('long text wraps at words, lines 1.1 × the size apart, and can be selected, in every font', { skip: missing }, async () => {
  const long = 'um dois tres quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis dezessete';
  for (const font of ['HELVETICA', 'TIMES_ROMAN', 'COURIER'] as const) {
    for (const fontSize of [6, 8]) {
      const found = await lines(await signed({ text: long, font, fontSize }));
      assert.ok(found.length >= 2, `${font} ${fontSize}: ${found.length} lines`);
      assert.equal(found.map(({ words }) => words).join(' '), long);
      found.slice(1).forEach(({ y }, index) => {
        const distance = y - (found[index]?.y ?? 0);
        assert.ok(Math.abs(distance - 1.1 * fontSize) < 0.05, `${font} ${fontSize}: ${distance}`);
      });
    }
  }
});

test('a page with UserUnit gets its box in its own units, and inspection says the unit', { skip: missing }, async () => {
  const { red, bytes } = await drawn({ image: redPng() }, '/UserUnit 2');
  const page = (await inspectPdf(await openPdf(memorySource(bytes)))).pages[0];
  assert.equal(page?.userUnit, 2);
  // Readers that honour the unit draw everything twice as large, box and page alike.
  const scale = (red.x1 - red.x0) / 100;
  assert.ok(Math.abs(scale - 1) < 0.05 || Math.abs(scale - 2) < 0.05, String(scale));
  near(red.x0 / scale, 65, 'left edge');
  near(red.y0 / scale, 35, 'upper edge');
});

test('a picture above or below its text keeps the text’s edge', { skip: missing }, async () => {
  for (const [alignment, edge] of [
    ['LEFT', 45],
    ['RIGHT', 185],
  ] as const) {
    for (const imagePosition of ['TOP', 'BOTTOM'] as const) {
      const { red } = await drawn({ image: redPng(), text, imagePosition, alignment });
      near(alignment === 'LEFT' ? red.x0 : red.x1, edge, `${imagePosition} ${alignment}`);
    }
  }
});

test('a ground hides what it says of the page, and all of it where nothing may shine through', () => {
  const ground = { opacity: 0.88, line: [0, 0, 0] } as const;
  const colours = { gray: new PdfName('DeviceGray'), rgb: new PdfName('DeviceRGB'), cmyk: new PdfName('DeviceCMYK') };
  const drawnOn = (opaque: boolean) => drawGround(ground, box, { opaque, colours });
  assert.match(drawnOn(false).content, /^q \/G0 gs 1 g\n/);
  assert.equal(drawnOn(false).state?.get('ca'), 0.88);
  assert.match(drawnOn(true).content, /^q 1 g\n/);
  assert.equal(drawnOn(true).state, null);
});

test('a stamp’s ground lets a little of the page through, within a line around the whole box', { skip: missing }, async () => {
  const black = '0 g 0 0 1000 1000 re f';
  const bytes = await signed({ text: ' ', ground: { opacity: 0.88, line: [1, 0, 0] } }, '/Contents 4 0 R', [
    `<</Length ${black.length}>>\nstream\n${black}\nendstream`,
  ]);
  const { output } = await runOn('pdftoppm', ['-r', '288', '-gray', '-singlefile'], bytes);
  const head = /^P5\n(\d+) (\d+)\n255\n/.exec(output);
  assert.ok(head);
  const grayAt = (u: number, v: number) => output.charCodeAt(head[0].length + Math.round(v * 4) * Number(head[1]) + Math.round(u * 4));
  assert.equal(grayAt(20, 20), 0, 'the page');
  near(grayAt(box.u + 75, box.v + 30), 0.88 * 255, 'the ground');
  assert.ok(grayAt(box.u + 0.25, box.v + 30) < 130, 'the line');
});
