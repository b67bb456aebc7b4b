import { crc32, deflateSync } from 'node:zlib';
import { PadesError, type Pixels, readImage } from '@lavra/pades';

/**
 * A signature's picture in the one form of PNG that every drawing library reads alike (8 bits, on white, not
 * interlaced); a JPEG as it is. Null when it cannot be read: a picture never stops the report.
 */
export function plainPicture(bytes: Uint8Array): Buffer | null {
  try {
    const { pixels } = readImage(bytes);
    return pixels ? encode(pixels) : Buffer.from(bytes);
  } catch (error) {
    if (error instanceof PadesError) return null;
    throw error;
  }
}

function encode({ width, height, channels, samples, alpha }: Pixels): Buffer {
  const rows = Buffer.alloc(height * (width * channels + 1));
  for (let y = 0, at = 0; y < height; y += 1) {
    at += 1;
    for (let x = 0; x < width; x += 1) {
      const pixel = y * width + x;
      const opacity = (alpha?.[pixel] ?? 255) / 255;
      for (let channel = 0; channel < channels; channel += 1, at += 1)
        rows[at] = 255 + ((samples[pixel * channels + channel] ?? 0) - 255) * opacity;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([8, channels === 3 ? 2 : 0, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
