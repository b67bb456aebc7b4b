import { PadesError } from '../errors.ts';

/** What a JPEG says of itself; its data goes into the PDF as it is. */
export interface JpegInfo {
  readonly width: number;
  readonly height: number;
  /** 1 gray, 3 colour, 4 CMYK. */
  readonly components: 1 | 3 | 4;
  /** Adobe CMYK files store inverted values. */
  readonly inverted: boolean;
  /** EXIF orientation, 1 to 8. */
  readonly orientation: number;
}

/** Reads size, components and orientation. IMAGE_DAMAGED, IMAGE_UNSUPPORTED (arithmetic or lossless coding). */
export function readJpeg(bytes: Uint8Array): JpegInfo {
  let orientation = 1;
  let adobe = false;
  for (let at = 2; at + 4 <= bytes.length;) {
    if (bytes[at] !== 0xff) throw damaged();
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) {
      at += marker === 0xff ? 1 : 2;
      continue;
    }
    const length = word(bytes, at + 2);
    const data = bytes.subarray(at + 4, at + 2 + length);
    if (length < 2) throw damaged();
    if (marker === 0xe1) orientation = exifOrientation(data) ?? orientation;
    if (marker === 0xee && text(data, 0, 5) === 'Adobe') adobe = true;
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return frame(marker, data, adobe, orientation);
    }
    if (marker === 0xda || marker === 0xd9) break;
    at += 2 + length;
  }
  throw damaged();
}

function frame(marker: number, data: Uint8Array, adobe: boolean, orientation: number): JpegInfo {
  if (marker > 0xc2 || data[0] !== 8) {
    throw new PadesError('IMAGE_UNSUPPORTED', 'a JPEG coding that PDF readers do not read');
  }
  const height = word(data, 1);
  const width = word(data, 3);
  const components = data[5];
  if (width === 0 || height === 0) throw damaged();
  if (components !== 1 && components !== 3 && components !== 4) throw damaged();
  return { width, height, components, inverted: adobe && components === 4, orientation };
}

function exifOrientation(data: Uint8Array): number | null {
  if (text(data, 0, 4) !== 'Exif') return null;
  const tiff = data.subarray(6);
  const little = text(tiff, 0, 2) === 'II';
  const short = (at: number): number => (little ? (tiff[at] ?? 0) | ((tiff[at + 1] ?? 0) << 8) : word(tiff, at));
  const directory = little ? short(4) : short(6);
  const entries = short(directory);
  for (let i = 0; i < Math.min(entries, 256); i++) {
    const at = directory + 2 + i * 12;
    if (short(at) !== 0x0112) continue;
    const value = short(at + 8);
    return value >= 1 && value <= 8 ? value : null;
  }
  return null;
}

function word(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
}

function text(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}

function damaged(): PadesError {
  return new PadesError('IMAGE_DAMAGED', 'not a readable JPEG');
}
