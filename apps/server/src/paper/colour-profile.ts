/**
 * What numbers of red, green and blue mean on a paper that is kept for decades: sRGB (IEC 61966-2-1), as a display's profile of
 * three curves and a matrix (ICC.1:2010, version 4.2, which ISO 19005-2 §6.2.3 takes). Made here from what the standards say.
 */
export const COLOURS = 'sRGB IEC61966-2.1';

/** CIE XYZ of the standard's primaries, adapted to D50 with the matrix below (Bradford, Annex E). */
const PRIMARIES = {
  rXYZ: [0.436066, 0.222488, 0.013916],
  gXYZ: [0.385147, 0.716873, 0.097076],
  bXYZ: [0.143066, 0.060608, 0.714096],
} as const;
/** D50, of the connection space (§7.2.16). */
const WHITE = [0.964202, 1, 0.824905] as const;
/** From D65 to D50. */
const ADAPTATION = [1.047882, 0.022919, -0.050201, 0.029587, 0.990479, -0.017059, -0.009232, 0.015076, 0.751678] as const;
/** Y = (aX + b)^g from d on, cX below it: g, a, b, c, d (§10.16, function 3). */
const CURVE = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045] as const;

const HEADER = 128;

/** The profile's file. */
export function colourProfile(): Uint8Array {
  const curve = tag('para', Buffer.from([0, 3, 0, 0]), numbers(CURVE));
  const elements: readonly (readonly [string, Buffer])[] = [
    ['desc', words(COLOURS)],
    ['cprt', words('No copyright, use freely')],
    ['wtpt', tag('XYZ ', numbers(WHITE))],
    ['chad', tag('sf32', numbers(ADAPTATION))],
    ...Object.entries(PRIMARIES).map(([name, values]) => [name, tag('XYZ ', numbers(values))] as const),
    // One curve for all three.
    ...(['rTRC', 'gTRC', 'bTRC'] as const).map((name) => [name, curve] as const),
  ];
  const table = Buffer.alloc(4 + 12 * elements.length);
  table.writeUInt32BE(elements.length, 0);
  const data: Buffer[] = [];
  const known = new Map<Buffer, number>();
  let end = HEADER + table.length;
  for (const [index, [name, bytes]] of elements.entries()) {
    const at = known.get(bytes) ?? end;
    if (at === end) {
      known.set(bytes, at);
      data.push(Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)]));
      end += data.at(-1)?.length ?? 0;
    }
    table.write(name, 4 + 12 * index, 'latin1');
    table.writeUInt32BE(at, 8 + 12 * index);
    table.writeUInt32BE(bytes.length, 12 + 12 * index);
  }
  return Buffer.concat([header(end), table, ...data]);
}

/** §7.2; of the day that the curve was published, since a profile that is always the same is made on no other. */
function header(size: number): Buffer {
  const bytes = Buffer.alloc(HEADER);
  bytes.writeUInt32BE(size, 0);
  bytes.writeUInt32BE(0x04_20_00_00, 8);
  bytes.write('mntrRGB XYZ ', 12, 'latin1');
  for (const [index, value] of [1999, 10, 1].entries()) bytes.writeUInt16BE(value, 24 + 2 * index);
  bytes.write('acsp', 36, 'latin1');
  numbers(WHITE).copy(bytes, 68);
  return bytes;
}

function tag(type: string, ...parts: readonly Buffer[]): Buffer {
  return Buffer.concat([Buffer.from(`${type}\0\0\0\0`, 'latin1'), ...parts]);
}

/** s15Fixed16Number (§4.6). */
function numbers(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeInt32BE(Math.round(value * 65_536), 4 * index);
  return bytes;
}

/** In one language (§10.13). */
function words(text: string): Buffer {
  const record = Buffer.alloc(20);
  for (const [index, value] of [1, 12].entries()) record.writeUInt32BE(value, 4 * index);
  record.write('enUS', 8, 'latin1');
  record.writeUInt32BE(2 * text.length, 12);
  record.writeUInt32BE(28, 16);
  return tag('mluc', record, Buffer.from(text, 'utf16le').swap16());
}
