import { PadesError } from '../errors.ts';
import type { Revision } from '../source.ts';
import { PdfName, PdfRef, PdfStream, PdfString, dict } from './objects.ts';
import type { PdfDict, PdfObject } from './objects.ts';
import type { Pdf } from './pdf.ts';
import { ByteWriter, writeObject } from './serialize.ts';
import type { XrefEntry } from './xref.ts';

const maxTableOffset = 9_999_999_999;

/** Where a labelled placeholder landed, from the beginning of the file. */
export interface PlacedLabels {
  readonly revision: Revision;
  readonly labels: ReadonlyMap<string, { start: number; end: number }>;
}

/**
 * Collects changed and new objects and writes them as one incremental update (ISO 32000-2 §7.5.6): the base's
 * bytes are never touched.
 */
export class RevisionWriter {
  private readonly pdf: Pdf;
  private readonly objects = new Map<number, { gen: number; value: PdfObject }>();
  private next: number;

  /** `next`: the first number for new objects. */
  constructor(pdf: Pdf, next?: number) {
    if (pdf.locked) throw new PadesError('ENCRYPTED');
    this.pdf = pdf;
    this.next = next ?? pdf.nextObjectNumber;
  }

  /** Adds an object under a new number. */
  add(value: PdfObject): PdfRef {
    const ref = this.reserve();
    this.set(ref, value);
    return ref;
  }

  /** A number for an object that is set later. */
  reserve(): PdfRef {
    return new PdfRef(this.next++, 0);
  }

  /** Replaces (or defines) an object. */
  set(ref: PdfRef, value: PdfObject): void {
    this.objects.set(ref.num, { gen: ref.gen, value });
  }

  /** The value this revision gives an object, if any. */
  pending(num: number): PdfObject | undefined {
    return this.objects.get(num)?.value;
  }

  get isEmpty(): boolean {
    return this.objects.size === 0;
  }

  /** Resolves through what this revision changes. */
  async resolve(value: PdfObject | undefined): Promise<PdfObject> {
    if (value instanceof PdfRef) {
      const changed = this.pending(value.num);
      if (changed !== undefined) return this.resolve(changed);
    }
    return this.pdf.resolve(value);
  }

  /** Writes the update, in what the file is encrypted with. `random` gives fresh bytes: for ID[1], and where something is encrypted. */
  async finish(random: (length: number) => Uint8Array): Promise<PlacedLabels> {
    const { pdf } = this;
    const id = random(16);
    const base = pdf.source.size;
    const out = new ByteWriter();
    const last = await pdf.reader.window(base - 1, 1);
    if (last[0] !== 0x0a && last[0] !== 0x0d) out.text('\n');
    const rows = new Map<number, XrefEntry>(pdf.recoveredEntries ?? []);
    const numbers = [...this.objects.keys()].toSorted((a, b) => a - b);
    for (const num of numbers) {
      const object = this.objects.get(num);
      if (object === undefined) continue;
      rows.set(num, { kind: 'offset', offset: base + out.length, gen: object.gen });
      out.text(`${num} ${object.gen} obj\n`);
      writeObject(out, pdf.security?.seal(object.value, new PdfRef(num, object.gen), random) ?? object.value);
      out.text('\nendobj\n');
    }
    const start = base + out.length - pdf.bias;
    // Ten digits are a row's (ISO 32000-2 §7.5.4): beyond them nobody else finds the way.
    if (pdf.xrefForm === 'table' && start > maxTableOffset) throw new PadesError('TOO_COMPLEX', 'a file of ten thousand million bytes');
    const trailer = this.trailer(id);
    if (pdf.xrefForm === 'stream') this.writeStreamSection(out, rows, trailer, base);
    else this.writeTableSection(out, rows, trailer);
    out.text(`startxref\n${start}\n%%EOF\n`);
    const labels = new Map<string, { start: number; end: number }>();
    for (const [label, at] of out.labels) {
      labels.set(label, { start: base + at.start, end: base + at.end });
    }
    return { revision: { offset: base, bytes: out.finish() }, labels };
  }

  /** Root, Info, ID[0] stay; Prev and Size are new; ID[1] changes (§14.4). */
  private trailer(id: Uint8Array): PdfDict {
    const { trailer, sections, recovered } = this.pdf;
    const old = trailer.get('ID');
    const encryption = trailer.get('Encrypt');
    // The key of an encrypted file is made of ID[0], of nothing where there is none.
    const fresh = new PdfString(encryption === undefined ? id : new Uint8Array(0), true);
    const first = Array.isArray(old) && old[0] instanceof PdfString ? old[0] : fresh;
    const info = trailer.get('Info');
    return dict({
      Size: this.next,
      Root: trailer.get('Root') ?? null,
      ...(info instanceof PdfRef ? { Info: info } : {}),
      ...(encryption === undefined ? {} : { Encrypt: encryption }),
      ID: [first, new PdfString(id, true)],
      ...(recovered ? {} : { Prev: sections[0]?.position ?? 0 }),
    });
  }

  private writeTableSection(out: ByteWriter, rows: Map<number, XrefEntry>, trailer: PdfDict): void {
    const { bias, recovered } = this.pdf;
    if (recovered && !rows.has(0)) rows.set(0, { kind: 'free' });
    out.text('xref\n');
    for (const run of runs(rows)) {
      out.text(`${run.first} ${run.entries.length}\n`);
      for (const entry of run.entries) {
        if (entry.kind !== 'offset') out.text('0000000000 65535 f \n');
        else {
          const offset = String(entry.offset - bias).padStart(10, '0');
          out.text(`${offset} ${String(entry.gen).padStart(5, '0')} n \n`);
        }
      }
    }
    out.text('trailer\n');
    writeObject(out, trailer);
    out.text('\n');
  }

  private writeStreamSection(out: ByteWriter, rows: Map<number, XrefEntry>, trailer: PdfDict, base: number): void {
    const own = this.reserve();
    trailer.set('Size', this.next);
    rows.set(own.num, { kind: 'offset', offset: base + out.length, gen: 0 });
    if (this.pdf.recovered && !rows.has(0)) rows.set(0, { kind: 'free' });
    const index: number[] = [];
    const data = new ByteWriter();
    for (const run of runs(rows)) {
      index.push(run.first, run.entries.length);
      for (const entry of run.entries) data.bytes(streamRow(entry, this.pdf.bias));
    }
    const stream = new PdfStream(
      new Map<string, PdfObject>([['Type', new PdfName('XRef')], ['W', [1, 6, 2]], ['Index', index], ...trailer]),
      data.finish(),
    );
    out.text(`${own.num} 0 obj\n`);
    writeObject(out, stream);
    out.text('\nendobj\n');
  }
}

function runs(rows: Map<number, XrefEntry>): { first: number; entries: XrefEntry[] }[] {
  const result: { first: number; entries: XrefEntry[] }[] = [];
  for (const num of [...rows.keys()].toSorted((a, b) => a - b)) {
    const entry = rows.get(num) ?? { kind: 'free' };
    const open = result.at(-1);
    if (open !== undefined && open.first + open.entries.length === num) open.entries.push(entry);
    else result.push({ first: num, entries: [entry] });
  }
  return result;
}

/** Type in 1 byte, offset or container in 6, generation or index in 2. */
function streamRow(entry: XrefEntry, bias: number): Uint8Array {
  const row = new Uint8Array(9);
  const [type, second, third] =
    entry.kind === 'offset'
      ? [1, entry.offset - bias, entry.gen]
      : entry.kind === 'compressed'
        ? [2, entry.stream, entry.index]
        : [0, 0, 65535];
  row[0] = type;
  for (let i = 0, value = second; i < 6; i++, value = Math.floor(value / 256)) row[6 - i] = value % 256;
  row[7] = third >> 8;
  row[8] = third & 255;
  return row;
}
