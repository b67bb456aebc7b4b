import { PadesError } from '../errors.ts';
import { deflate } from '../pdf/deflate.ts';
import { PdfName, PdfStream, dict } from '../pdf/objects.ts';
import type { PdfObject, PdfRef } from '../pdf/objects.ts';
import type { Requirements } from '../pdf/requirements.ts';
import type { RevisionWriter } from '../pdf/revision-writer.ts';
import { readJpeg } from './jpeg.ts';
import { decodePng } from './png.ts';
import type { Pixels } from './png.ts';

/** An image in the revision: its object, its size as shown, and how to turn it upright. */
export interface PlacedImage {
  readonly ref: PdfRef;
  readonly width: number;
  readonly height: number;
  /** EXIF orientation, 1 to 8. */
  readonly orientation: number;
}

/** What of a file's requirements speaks of pictures. */
type PictureRules = Pick<Requirements, 'opaque' | 'colours'>;

/**
 * Writes a PNG (alpha as SMask, or on white where nothing may shine through) or a JPEG (as it is) into the revision, its colours in
 * the file's spaces.
 */
export async function addImage(writer: RevisionWriter, bytes: Uint8Array, rules: PictureRules): Promise<PlacedImage> {
  if (bytes[0] === 0x89 && bytes[1] === 0x50) return addPng(writer, bytes, rules);
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return addJpeg(writer, bytes, rules);
  throw new PadesError('IMAGE_UNSUPPORTED', 'neither PNG nor JPEG');
}

async function addPng(writer: RevisionWriter, bytes: Uint8Array, { opaque, colours }: PictureRules): Promise<PlacedImage> {
  const pixels = decodePng(bytes);
  const { width, height, channels, alpha } = pixels;
  const base = { width, height };
  const mask = alpha && !opaque ? writer.add(await bitmap(base, new PdfName('DeviceGray'), alpha)) : null;
  const samples = alpha && opaque ? onWhite(pixels, alpha) : pixels.samples;
  const ref = writer.add(await bitmap(base, channels === 3 ? colours.rgb : colours.gray, samples, mask));
  return { ref, width, height, orientation: 1 };
}

/** As it looks on paper. */
function onWhite({ samples, channels }: Pixels, alpha: Uint8Array): Uint8Array {
  return samples.map((value, index) => {
    const share = alpha[Math.floor(index / channels)] ?? 255;
    return Math.round((value * share + 255 * (255 - share)) / 255);
  });
}

async function bitmap(
  size: { width: number; height: number },
  space: PdfObject,
  samples: Uint8Array,
  mask: PdfRef | null = null,
): Promise<PdfStream> {
  const entries = dict({
    Type: new PdfName('XObject'),
    Subtype: new PdfName('Image'),
    Width: size.width,
    Height: size.height,
    ColorSpace: space,
    BitsPerComponent: 8,
    Filter: new PdfName('FlateDecode'),
    ...(mask ? { SMask: mask } : {}),
  });
  return new PdfStream(entries, await deflate(samples));
}

function addJpeg(writer: RevisionWriter, bytes: Uint8Array, { colours }: PictureRules): PlacedImage {
  const { width, height, components, inverted, orientation } = readJpeg(bytes);
  const space = { 1: colours.gray, 3: colours.rgb, 4: colours.cmyk }[components];
  const entries = dict({
    Type: new PdfName('XObject'),
    Subtype: new PdfName('Image'),
    Width: width,
    Height: height,
    ColorSpace: withStreamsApart(writer, space),
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

/** A stream is an object of its own (§7.3.8). */
function withStreamsApart(writer: RevisionWriter, space: PdfObject): PdfObject {
  return Array.isArray(space) ? space.map((item) => (item instanceof PdfStream ? writer.add(item) : item)) : space;
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
