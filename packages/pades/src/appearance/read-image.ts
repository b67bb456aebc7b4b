import { PadesError } from '../errors.ts';
import { readJpeg } from './jpeg.ts';
import { decodePng } from './png.ts';
import type { Pixels } from './png.ts';

/** A picture that an appearance can show. */
export interface ReadImage {
  readonly type: 'image/png' | 'image/jpeg';
  readonly width: number;
  readonly height: number;
  /** 1 gray, 3 colour, 4 CMYK. */
  readonly components: 1 | 3 | 4;
  /** A JPEG's, as EXIF says it, 1 to 8: how the camera was held. */
  readonly orientation: number;
  /** A PNG's; a JPEG goes into a PDF as it is, undecoded. */
  readonly pixels: Pixels | null;
}

/** Reads a picture as appearances do, to its last row where it is decoded. IMAGE_DAMAGED, IMAGE_UNSUPPORTED. */
export function readImage(bytes: Uint8Array): ReadImage {
  if (bytes[0] === 0x89 && bytes[1] === 0x50) {
    const pixels = decodePng(bytes);
    return { type: 'image/png', width: pixels.width, height: pixels.height, components: pixels.channels, orientation: 1, pixels };
  }
  if (bytes[0] === 0xff && bytes[1] === 0xd8) {
    const { width, height, components, orientation } = readJpeg(bytes);
    return { type: 'image/jpeg', width, height, components, orientation, pixels: null };
  }
  throw new PadesError('IMAGE_UNSUPPORTED', 'neither PNG nor JPEG');
}
