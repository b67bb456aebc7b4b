import { crc32 } from 'node:zlib';
import type { DomainErrorCode } from '@lavra/domain';
import { PadesError, type Pixels, readImage } from '@lavra/pades';

export type ImageType = 'image/png' | 'image/jpeg';

/** What the signer is told, or the kind that the bytes are. */
export type CheckedImage = { type: ImageType } | { fault: DomainErrorCode; params: Record<string, number> };

const MIN = { width: 16, height: 8 } as const;
/** A PNG is decoded for every place where it is drawn; a JPEG goes into the file as it is. */
const MAX_MEGAPIXELS = { 'image/png': 4, 'image/jpeg': 16 } as const;
/** What decoding costs: 4 megapixels of 8 bits with colour and alpha; of 16 bits, half as many. */
const MAX_DECODED_BYTES = 16_000_000;
/** Channels by PNG's type of colour. */
const PNG_CHANNELS = [1, 0, 3, 1, 2, 0, 4];
/** Lightest against darkest on white paper, of 255: less is not ink. */
const LEAST_CONTRAST = 16;

/** Reads a picture to its end with the reader that will draw it, so that nothing about it is found out later. */
export function checkSignatureImage(bytes: Uint8Array): CheckedImage {
  const type = typeOf(bytes);
  if (!type) return fault('evidence.imageInvalid');
  const damage = type === 'image/png' ? pngFault(bytes) : jpegFault(bytes);
  if (damage) return fault(damage);
  const size = declaredSize(bytes, type);
  if (!size) return fault('evidence.imageDamaged');
  if (size.width < MIN.width || size.height < MIN.height) return fault('evidence.imageTooSmall', { ...MIN });
  if (size.width * size.height > MAX_MEGAPIXELS[type] * 1_000_000)
    return fault('evidence.imageTooLarge', { megapixels: MAX_MEGAPIXELS[type] });
  if (type === 'image/png' && decodedBytes(bytes, size) > MAX_DECODED_BYTES)
    return fault('evidence.imageTooLarge', { megapixels: MAX_MEGAPIXELS[type] });
  try {
    const { pixels } = readImage(bytes);
    return pixels && isBlank(pixels) ? fault('evidence.imageBlank') : { type };
  } catch (error) {
    if (error instanceof PadesError) return fault(error.code === 'IMAGE_UNSUPPORTED' ? 'evidence.imageInvalid' : 'evidence.imageDamaged');
    throw error;
  }
}

function fault(code: DomainErrorCode, params: Record<string, number> = {}): CheckedImage {
  return { fault: code, params };
}

function typeOf(bytes: Uint8Array): ImageType | null {
  const head = Buffer.from(bytes.subarray(0, 8)).toString('hex');
  if (head === '89504e470d0a1a0a') return 'image/png';
  return head.startsWith('ffd8ff') ? 'image/jpeg' : null;
}

/** Every chunk whole and with its checksum, from IHDR to IEND; no animation (the APNG chunk acTL). */
function pngFault(bytes: Uint8Array): DomainErrorCode | null {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 8; at + 12 <= file.length;) {
    const end = at + 12 + file.readUInt32BE(at);
    const type = file.toString('latin1', at + 4, at + 8);
    if (end > file.length || crc32(file.subarray(at + 4, end - 4)) !== file.readUInt32BE(end - 4)) return 'evidence.imageDamaged';
    if (at === 8 && (type !== 'IHDR' || end !== 33)) return 'evidence.imageDamaged';
    if (type === 'acTL') return 'evidence.imageAnimated';
    if (type === 'IEND') return null;
    at = end;
  }
  return 'evidence.imageDamaged';
}

/** A JPEG that was cut has no end marker (ITU T.81 §B.1.1.3); some cameras write more behind it. */
function jpegFault(bytes: Uint8Array): DomainErrorCode | null {
  return Buffer.from(bytes).includes(Buffer.from([0xff, 0xd9])) ? null : 'evidence.imageDamaged';
}

/** Width and height as the header says, before anything of that size is taken into memory. */
function declaredSize(bytes: Uint8Array, type: ImageType): { width: number; height: number } | null {
  if (type === 'image/png') {
    const header = Buffer.from(bytes.subarray(0, 33));
    return { width: header.readUInt32BE(16), height: header.readUInt32BE(20) };
  }
  try {
    return readImage(bytes);
  } catch {
    return null;
  }
}

/** Of a PNG, as its header says: size, depth and channels. */
function decodedBytes(bytes: Uint8Array, { width, height }: { width: number; height: number }): number {
  const [depth = 8, colour = 6] = bytes.subarray(24, 26);
  return (width * height * (PNG_CHANNELS[colour] ?? 4) * depth) / 8;
}

/** A canvas nobody drew on: every channel is the same all over, seen on white paper. */
function isBlank({ channels, samples, alpha }: Pixels): boolean {
  const darkest = [255, 255, 255];
  const lightest = [0, 0, 0];
  for (let pixel = 0; pixel * channels < samples.length; pixel += 1) {
    const opacity = (alpha?.[pixel] ?? 255) / 255;
    for (let channel = 0; channel < channels; channel += 1) {
      const value = 255 + ((samples[pixel * channels + channel] ?? 0) - 255) * opacity;
      darkest[channel] = Math.min(darkest[channel] ?? 255, value);
      lightest[channel] = Math.max(lightest[channel] ?? 0, value);
    }
  }
  return lightest.slice(0, channels).every((light, channel) => light - (darkest[channel] ?? 0) < LEAST_CONTRAST);
}
