import { PadesError } from '../errors.ts';
import { deflate } from '../pdf/deflate.ts';
import { PdfName, PdfStream, dict } from '../pdf/objects.ts';
import type { PdfRef } from '../pdf/objects.ts';
import type { RevisionWriter } from '../pdf/revision-writer.ts';
import { readJpeg } from './jpeg.ts';
import { decodePng } from './png.ts';

/** An image in the revision: its object, its size as shown, and how to turn it upright. */
export interface PlacedImage {
  readonly ref: PdfRef;
  readonly width: number;
  readonly height: number;
  /** EXIF orientation, 1 to 8. */
  readonly orientation: number;
}

/** Writes a PNG (alpha as SMask) or a JPEG (as it is) into the revision. */
export async function addImage(writer: RevisionWriter, bytes: Uint8Array): Promise<PlacedImage> {
  if (bytes[0] === 0x89 && bytes[1] === 0x50) return addPng(writer, bytes);
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return addJpeg(writer, bytes);
  throw new PadesError('IMAGE_UNSUPPORTED', 'neither PNG nor JPEG');
}

async function addPng(writer: RevisionWriter, bytes: Uint8Array): Promise<PlacedImage> {
  const { width, height, channels, samples, alpha } = decodePng(bytes);
  const base = { width, height };
  const mask = alpha && writer.add(await bitmap(base, 'DeviceGray', alpha));
  const space = channels === 3 ? 'DeviceRGB' : 'DeviceGray';
  const ref = writer.add(await bitmap(base, space, samples, mask));
  return { ref, width, height, orientation: 1 };
}

async function bitmap(
  size: { width: number; height: number },
  space: string,
  samples: Uint8Array,
  mask: PdfRef | null = null,
): Promise<PdfStream> {
  const entries = dict({
    Type: new PdfName('XObject'),
    Subtype: new PdfName('Image'),
    Width: size.width,
    Height: size.height,
    ColorSpace: new PdfName(space),
    BitsPerComponent: 8,
    Filter: new PdfName('FlateDecode'),
    ...(mask ? { SMask: mask } : {}),
  });
  return new PdfStream(entries, await deflate(samples));
}

async function addJpeg(writer: RevisionWriter, bytes: Uint8Array): Promise<PlacedImage> {
  const { width, height, components, inverted, orientation } = readJpeg(bytes);
  const space = { 1: 'DeviceGray', 3: 'DeviceRGB', 4: 'DeviceCMYK' }[components];
  const entries = dict({
    Type: new PdfName('XObject'),
    Subtype: new PdfName('Image'),
    Width: width,
    Height: height,
    ColorSpace: new PdfName(space),
    BitsPerComponent: 8,
    Filter: new PdfName('DCTDecode'),
    ...(inverted ? { Decode: [1, 0, 1, 0, 1, 0, 1, 0] } : {}),
  });
  const turned = orientation >= 5;
  return {
    ref: writer.add(new PdfStream(entries, bytes)),
    width: turned ? height : width,
    height: turned ? width : height,
    orientation,
  };
}

/** The matrix that draws the image upright into a rectangle. */
export function imageMatrix(orientation: number, x: number, y: number, w: number, h: number): number[] {
  switch (orientation) {
    case 2:
      return [-w, 0, 0, h, x + w, y];
    case 3:
      return [-w, 0, 0, -h, x + w, y + h];
    case 4:
      return [w, 0, 0, -h, x, y + h];
    case 5:
      return [0, -h, -w, 0, x + w, y + h];
    case 6:
      return [0, -h, w, 0, x, y + h];
    case 7:
      return [0, h, w, 0, x, y];
    case 8:
      return [0, h, -w, 0, x + w, y];
    default:
      return [w, 0, 0, h, x, y];
  }
}
