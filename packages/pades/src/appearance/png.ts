import { PadesError } from '../errors.ts';
import { inflate } from '../pdf/deflate.ts';
import { pngRows } from '../pdf/filters.ts';

/** Pixels of an image: 8-bit gray or RGB samples, and 8-bit alpha when any pixel is not opaque. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3;
  readonly samples: Uint8Array;
  readonly alpha: Uint8Array | null;
}

const maxPixels = 25_000_000;
const channelCount: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
/** Adam7 passes: x start, y start, x step, y step. */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

interface Header {
  width: number;
  height: number;
  depth: number;
  type: number;
  interlaced: boolean;
}

interface Chunks {
  header: Header;
  palette: Uint8Array | null;
  transparency: Uint8Array | null;
  data: Uint8Array;
}

/** Decodes any PNG (all colour types, depths and interlacing). IMAGE_DAMAGED, IMAGE_UNSUPPORTED (over 25 megapixels). */
export function decodePng(bytes: Uint8Array): Pixels {
  const chunks = readChunks(bytes);
  const { width, height, depth, type, interlaced } = chunks.header;
  const raw = new Uint8Array(width * height * (channelCount[type] ?? 1));
  const channels = channelCount[type] ?? 1;
  const expected = (height + 8) * 7 + Math.ceil((width * height * channels * depth) / 8) * 2 + 4096;
  const inflated = inflate(chunks.data, Math.max(expected, (width * channels * 2 + 8) * height + 4096));
  if (inflated === null) throw damaged();
  let at = 0;
  for (const [x0, y0, dx, dy] of interlaced ? passes : ([[0, 0, 1, 1]] as const)) {
    const columns = Math.ceil((width - x0) / dx);
    const rows = Math.ceil((height - y0) / dy);
    if (columns <= 0 || rows <= 0) continue;
    const row = Math.ceil((columns * channels * depth) / 8);
    const pixel = Math.max(1, (channels * depth) >> 3);
    const size = rows * (row + 1);
    if (at + size > inflated.length) throw damaged();
    const plain = pngRows(inflated.subarray(at, at + size), row, pixel);
    at += size;
    for (let y = 0; y < rows; y++) {
      for (let x = 0; x < columns; x++) {
        const to = ((y0 + y * dy) * width + x0 + x * dx) * channels;
        for (let c = 0; c < channels; c++) {
          raw[to + c] = sample(plain, y * row, x * channels + c, depth, type);
        }
      }
    }
  }
  return toPixels(raw, chunks);
}

function readChunks(bytes: Uint8Array): Chunks {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let header: Header | null = null;
  let palette: Uint8Array | null = null;
  let transparency: Uint8Array | null = null;
  const parts: Uint8Array[] = [];
  for (let at = 8; at + 12 <= bytes.length;) {
    const length = view.getUint32(at);
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const data = bytes.subarray(at + 8, at + 8 + length);
    if (name === 'IHDR') header = readHeader(data);
    if (name === 'PLTE') palette = data;
    if (name === 'tRNS') transparency = data;
    if (name === 'IDAT') parts.push(data);
    if (name === 'IEND') break;
    at += 12 + length;
  }
  if (header === null || parts.length === 0) throw damaged();
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return { header, palette, transparency, data: joined };
}

function readHeader(data: Uint8Array): Header {
  if (data.length < 13) throw damaged();
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const header = {
    width: view.getUint32(0),
    height: view.getUint32(4),
    depth: data[8] ?? 0,
    type: data[9] ?? 0,
    interlaced: data[12] === 1,
  };
  const known = channelCount[header.type] !== undefined && [1, 2, 4, 8, 16].includes(header.depth);
  if (!known || header.width === 0 || header.height === 0) throw damaged();
  if (header.width * header.height > maxPixels) {
    throw new PadesError('IMAGE_UNSUPPORTED', 'more than 25 megapixels');
  }
  return header;
}

/** One sample as 8 bits; palette indexes stay as they are. */
function sample(rows: Uint8Array, start: number, index: number, depth: number, type: number): number {
  if (depth === 8) return rows[start + index] ?? 0;
  if (depth === 16) return rows[start + index * 2] ?? 0;
  const bit = index * depth;
  const value = ((rows[start + (bit >> 3)] ?? 0) >> (8 - depth - (bit & 7))) & ((1 << depth) - 1);
  return type === 3 ? value : Math.round((value * 255) / ((1 << depth) - 1));
}

function toPixels(raw: Uint8Array, chunks: Chunks): Pixels {
  const { width, height, type, depth } = chunks.header;
  const count = width * height;
  const colored = type === 2 || type === 3 || type === 6;
  const channels = colored ? 3 : 1;
  const samples = new Uint8Array(count * channels);
  const alpha = new Uint8Array(count).fill(255);
  const key = transparentKey(chunks, depth, type);
  const step = channelCount[type] ?? 1;
  for (let i = 0; i < count; i++) {
    if (type === 3) {
      const index = raw[i] ?? 0;
      for (let c = 0; c < 3; c++) samples[i * 3 + c] = chunks.palette?.[index * 3 + c] ?? 0;
      alpha[i] = chunks.transparency?.[index] ?? 255;
      continue;
    }
    for (let c = 0; c < channels; c++) samples[i * channels + c] = raw[i * step + c] ?? 0;
    if (type === 4 || type === 6) alpha[i] = raw[i * step + channels] ?? 255;
    else if (key?.every((value, c) => raw[i * step + c] === value)) alpha[i] = 0;
  }
  const opaque = alpha.every((value) => value === 255);
  return { width, height, channels, samples, alpha: opaque ? null : alpha };
}

/** The colour that tRNS makes transparent in gray and RGB images, as 8-bit samples. */
function transparentKey(chunks: Chunks, depth: number, type: number): number[] | null {
  const { transparency } = chunks;
  if (transparency === null || (type !== 0 && type !== 2)) return null;
  const key: number[] = [];
  for (let c = 0; c < (type === 0 ? 1 : 3); c++) {
    const value = ((transparency[c * 2] ?? 0) << 8) | (transparency[c * 2 + 1] ?? 0);
    key.push(depth === 16 ? value >> 8 : Math.round((value * 255) / ((1 << depth) - 1)));
  }
  return key;
}

function damaged(): PadesError {
  return new PadesError('IMAGE_DAMAGED', 'not a readable PNG');
}
