import { readImage } from '@lavra/pades';
import type { PdfObjects } from './pdf-objects.ts';

/** A picture in a document, with the size that it has upright. */
export interface Picture {
  readonly number: number;
  readonly width: number;
  readonly height: number;
  /** EXIF's, 1 to 8: how the camera was held. */
  readonly orientation: number;
}

/** From the unit square to the picture as it is seen, by its orientation. */
const TURNS = [
  [1, 0, 0, 1, 0, 0],
  [-1, 0, 0, 1, 1, 0],
  [-1, 0, 0, -1, 1, 1],
  [1, 0, 0, -1, 0, 1],
  [0, -1, -1, 0, 1, 1],
  [0, -1, 1, 0, 0, 1],
  [0, 1, 1, 0, 0, 0],
  [0, 1, -1, 0, 1, 0],
] as const;

/** Writes a picture as `plainPicture` gives it: its data stand in the document as they are. */
export function addPicture(objects: PdfObjects, bytes: Buffer): Picture {
  const number = bytes[0] === 0x89 ? addPng(objects, bytes) : addJpeg(objects, bytes);
  const { width, height, orientation } = readSize(bytes);
  return { number, orientation, ...(orientation > 4 ? { width: height, height: width } : { width, height }) };
}

/** Shows a picture upright; `x` and `y`: its lower left corner. */
export function shownPicture({ orientation }: Picture, x: number, y: number, width: number, height: number): number[] {
  const [a, b, c, d, e, f] = TURNS[orientation - 1] ?? TURNS[0];
  return [a * width, b * height, c * width, d * height, x + e * width, y + f * height];
}

function readSize(bytes: Buffer): { width: number; height: number; orientation: number } {
  return bytes[0] === 0x89 ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), orientation: 1 } : readImage(bytes);
}

/** Of 8 bits, not interlaced, without transparency: PDF's predictors are PNG's (ISO 32000-2 §7.4.4.4). */
function addPng(objects: PdfObjects, bytes: Buffer): number {
  const { width, height } = readSize(bytes);
  const colours = bytes[25] === 2 ? 3 : 1;
  const data: Buffer[] = [];
  for (let at = 8; at + 12 <= bytes.length;) {
    const end = at + 12 + bytes.readUInt32BE(at);
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT') data.push(bytes.subarray(at + 8, end - 4));
    at = end;
  }
  return objects.addStream(
    `/Type/XObject/Subtype/Image/BitsPerComponent 8/Width ${width}/Height ${height}/ColorSpace/${colours === 3 ? 'DeviceRGB' : 'DeviceGray'}` +
      `/Filter/FlateDecode/DecodeParms<</Predictor 15/Colors ${colours}/BitsPerComponent 8/Columns ${width}>>`,
    Buffer.concat(data),
  );
}

function addJpeg(objects: PdfObjects, bytes: Buffer): number {
  const { width, height, components } = readImage(bytes);
  // Four inks come inverted, as the programs write them that write such files.
  const space = { 1: '/DeviceGray', 3: '/DeviceRGB', 4: '/DeviceCMYK/Decode[1 0 1 0 1 0 1 0]' }[components];
  return objects.addStream(
    `/Type/XObject/Subtype/Image/BitsPerComponent 8/Width ${width}/Height ${height}/ColorSpace${space}/Filter/DCTDecode`,
    bytes,
  );
}
