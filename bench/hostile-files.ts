import { randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { makeBases } from '../packages/pades/src/testing/attacks/bases.ts';
import { hostile } from '../packages/pades/src/testing/attacks/hostile.ts';
import { hostileDocuments } from '../packages/pades/src/testing/attacks/hostile-documents.ts';
import { attackWorld } from '../packages/pades/src/testing/attacks/world.ts';

type Make = () => Promise<Uint8Array>;

/** Every hostile file of the engine's tests and the large ones that are made here; in short the first of each and one large. */
async function all(isShort: boolean): Promise<(readonly [string, Make])[]> {
  const world = await attackWorld();
  const bases = await makeBases(world);
  const engines: (readonly [string, Make])[] = [
    ...Object.entries(hostile).map(([name, make]) => [name, () => Promise.resolve(make(bases))] as const),
    ...Object.entries(hostileDocuments).map(([name, make]) => [name, () => make(world)] as const),
  ];
  const ours: (readonly [string, Make])[] = [
    ['two object streams of 100 MB in 0.2 MB', () => Promise.resolve(inflating(100))],
    ['59 MB of `1 0 obj`', () => Promise.resolve(repeated(59))],
    ['97 MB of `1 0 obj`', () => Promise.resolve(repeated(97))],
  ];
  return isShort ? [...engines.slice(0, 2), ...ours.slice(0, 1)] : [...engines, ...ours];
}

function repeated(megabytes: number): Uint8Array {
  return Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(megabytes * 1_000_000, '1 0 obj ')]);
}

/** Catalog and page tree in object streams of blanks. */
function inflating(megabytes: number): Uint8Array {
  const file = new Assembled();
  file.packed(10, 1, '<</Type/Catalog/Pages 2 0 R>>', megabytes);
  file.packed(11, 2, '<</Type/Pages/Kids[3 0 R]/Count 1>>', megabytes);
  file.object(3, Buffer.from('<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]>>'));
  return file.end();
}

/** A plain file of so many empty pages. */
function manyPages(count: number): Uint8Array {
  const file = new Assembled();
  const kids = Array.from({ length: count }, (_, index) => `${20 + index} 0 R`).join(' ');
  file.object(1, Buffer.from('<</Type/Catalog/Pages 2 0 R>>'));
  file.object(2, Buffer.from(`<</Type/Pages/Count ${count}/Kids[${kids}]>>`));
  for (let page = 0; page < count; page += 1)
    file.object(20 + page, Buffer.from('<</Type/Page/Parent 2 0 R/MediaBox[0 0 595.28 841.89]/Resources<<>>>>'));
  return file.end();
}

/** Scans: each page a picture of 197 kB that nothing makes smaller. 500 of them are 98 MB. */
function scans(count: number): Uint8Array {
  const file = new Assembled();
  const side = 256;
  const kids = Array.from({ length: count }, (_, index) => `${20 + index * 3} 0 R`).join(' ');
  const picture = `<</Type/XObject/Subtype/Image/Width ${side}/Height ${side}/ColorSpace/DeviceRGB/BitsPerComponent 8/Length ${side * side * 3}>>stream\n`;
  const drawn = 'q 595.28 0 0 841.89 0 0 cm /I Do Q';
  file.object(1, Buffer.from('<</Type/Catalog/Pages 2 0 R>>'));
  file.object(2, Buffer.from(`<</Type/Pages/Count ${count}/Kids[${kids}]>>`));
  for (let num = 20; num < 20 + count * 3; num += 3) {
    const look = `/Resources<</XObject<</I ${num + 2} 0 R>>>>/Contents ${num + 1} 0 R`;
    file.object(num, Buffer.from(`<</Type/Page/Parent 2 0 R/MediaBox[0 0 595.28 841.89]${look}>>`));
    file.object(num + 1, Buffer.from(`<</Length ${drawn.length}>>stream\n${drawn}\nendstream`));
    file.object(num + 2, Buffer.concat([Buffer.from(picture), randomBytes(side * side * 3), Buffer.from('\nendstream')]));
  }
  return file.end();
}

/** A PDF object by object, with a cross-reference stream (ISO 32000-2 §7.5.8). */
class Assembled {
  private readonly parts: Buffer[] = [];
  private position = 0;
  private readonly rows = new Map<number, readonly [type: number, where: number, index: number]>();

  constructor() {
    this.push(Buffer.from('%PDF-1.7\n'));
  }

  object(num: number, body: Buffer): void {
    this.rows.set(num, [1, this.position, 0]);
    this.push(Buffer.concat([Buffer.from(`${num} 0 obj\n`), body, Buffer.from('\nendobj\n')]));
  }

  /** One object in an object stream, with blanks behind it. */
  packed(stream: number, num: number, text: string, megabytes: number): void {
    const head = `${num} 0 `;
    const data = deflateSync(Buffer.concat([Buffer.from(head + text), Buffer.alloc(megabytes << 20, ' ')]), { level: 9 });
    const entries = `<</Type/ObjStm/N 1/First ${head.length}/Filter/FlateDecode/Length ${data.length}>>stream\n`;
    this.object(stream, Buffer.concat([Buffer.from(entries), data, Buffer.from('\nendstream')]));
    this.rows.set(num, [2, stream, 0]);
  }

  end(): Uint8Array {
    const start = this.position;
    const num = Math.max(...this.rows.keys()) + 1;
    const table = Buffer.alloc((num + 1) * 7);
    for (const [row, [type, where, index]] of [...this.rows, [num, [1, start, 0]] as const]) {
      table.writeUInt8(type, row * 7);
      table.writeUInt32BE(where, row * 7 + 1);
      table.writeUInt16BE(index, row * 7 + 5);
    }
    const entries = `<</Type/XRef/Size ${num + 1}/W[1 4 2]/Root 1 0 R/Length ${table.length}>>stream\n`;
    this.object(num, Buffer.concat([Buffer.from(entries), table, Buffer.from('\nendstream')]));
    this.push(Buffer.from(`startxref\n${start}\n%%EOF\n`));
    return Buffer.concat(this.parts);
  }

  private push(bytes: Buffer): void {
    this.parts.push(bytes);
    this.position += bytes.length;
  }
}

export const hostileFiles = { all, manyPages, scans };
