import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { PadesError } from '../errors.ts';
import { readJpeg } from './jpeg.ts';
import { decodePng } from './png.ts';

const channelCount: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

interface Raw {
  width: number;
  height: number;
  type: number;
  /** 8-bit samples, row by row. */
  samples: number[];
  interlaced?: boolean;
  extra?: [string, Uint8Array][];
}

function chunk(name: string, data: Uint8Array): Uint8Array {
  const out = Buffer.alloc(12 + data.length);
  out.writeUInt32BE(data.length);
  out.write(name, 4, 'latin1');
  out.set(data, 8);
  return out;
}

/** An encoder for the test: rows filtered with Sub, checksums left empty (readers of images skip them). */
function encodePng(image: Raw): Uint8Array {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(image.width);
  header.writeUInt32BE(image.height, 4);
  header.set([8, image.type, 0, 0, image.interlaced ? 1 : 0], 8);
  const channels = channelCount[image.type] ?? 1;
  const passes = image.interlaced
    ? [
        [0, 0, 8, 8],
        [4, 0, 8, 8],
        [0, 4, 4, 8],
        [2, 0, 4, 4],
        [0, 2, 2, 4],
        [1, 0, 2, 2],
        [0, 1, 1, 2],
      ]
    : [[0, 0, 1, 1]];
  const rows: number[] = [];
  for (const [x0 = 0, y0 = 0, dx = 1, dy = 1] of passes) {
    if (x0 >= image.width) continue;
    for (let y = y0; y < image.height; y += dy) {
      rows.push(1);
      const left = Array.from({ length: channels }, () => 0);
      for (let x = x0; x < image.width; x += dx) {
        for (let c = 0; c < channels; c++) {
          const value = image.samples[(y * image.width + x) * channels + c] ?? 0;
          rows.push((value - (left[c] ?? 0)) & 255);
          left[c] = value;
        }
      }
    }
  }
  return Buffer.concat([
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10),
    chunk('IHDR', header),
    ...(image.extra ?? []).map(([name, data]) => chunk(name, data)),
    chunk('IDAT', deflateSync(Uint8Array.from(rows))),
    chunk('IEND', new Uint8Array(0)),
  ]);
}

test('PNG pixels come back as they were, interlaced or not, alpha apart', () => {
  const image = fc
    .record({
      width: fc.integer({ min: 1, max: 20 }),
      height: fc.integer({ min: 1, max: 20 }),
      type: fc.constantFrom(0, 2, 4, 6),
      interlaced: fc.boolean(),
    })
    .chain((head) => {
      const count = head.width * head.height * (channelCount[head.type] ?? 1);
      return fc.record({
        head: fc.constant(head),
        samples: fc.array(fc.nat(255), { minLength: count, maxLength: count }),
      });
    });
  fc.assert(
    fc.property(image, ({ head, samples }) => {
      const pixels = decodePng(encodePng({ ...head, samples }));
      const channels = channelCount[head.type] ?? 1;
      const colors = head.type === 2 || head.type === 6 ? 3 : 1;
      const hasAlpha = channels !== colors;
      const color = samples.filter((_, i) => i % channels < colors);
      const alpha = samples.filter((_, i) => hasAlpha && i % channels === colors);
      assert.deepEqual([...pixels.samples], color);
      const opaque = alpha.every((value) => value === 255);
      assert.deepEqual(pixels.alpha === null ? null : [...pixels.alpha], opaque ? null : alpha);
    }),
  );
});

test('a palette with transparency becomes colours and a mask', () => {
  const extra: [string, Uint8Array][] = [
    ['PLTE', Uint8Array.of(255, 0, 0, 0, 0, 255)],
    ['tRNS', Uint8Array.of(255, 64)],
  ];
  const pixels = decodePng(encodePng({ width: 2, height: 1, type: 3, samples: [0, 1], extra }));
  assert.deepEqual([...pixels.samples], [255, 0, 0, 0, 0, 255]);
  assert.deepEqual([...(pixels.alpha ?? [])], [255, 64]);
});

test('a damaged image is refused as damaged and never crashes', () => {
  const good = encodePng({
    width: 8,
    height: 8,
    type: 6,
    samples: Array.from({ length: 256 }, () => 7),
  });
  const edits = fc.array(fc.tuple(fc.integer({ min: 8, max: good.length - 1 }), fc.nat(255)), {
    maxLength: 6,
  });
  fc.assert(
    fc.property(edits, fc.nat(good.length), (changes, cut) => {
      const bytes = Uint8Array.from(good.subarray(0, cut));
      for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
      for (const read of [decodePng, readJpeg]) {
        try {
          read(bytes);
        } catch (error) {
          assert.ok(error instanceof PadesError, String(error));
        }
      }
    }),
  );
});

test('a JPEG says its size, and how a camera held it', () => {
  const exif = [0xff, 0xe1, 0, 34, ...Buffer.from('Exif\0\0MM\0*\0\0\0\x08\0\x01', 'latin1')];
  const entry = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0];
  const frame = [0xff, 0xc0, 0, 17, 8, 0, 40, 0, 100, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1];
  const info = readJpeg(Uint8Array.from([0xff, 0xd8, ...exif, ...entry, ...frame]));
  assert.deepEqual(info, {
    width: 100,
    height: 40,
    components: 3,
    inverted: false,
    orientation: 6,
  });
});
