import { PadesError } from '../errors.ts';
import type { IndirectObject } from './parser.ts';
import type { FileSecurity } from './security/file-security.ts';
import { spelledProtection } from './security/spelled-protection.ts';
import type { PdfSource } from '../source.ts';
import { after } from './awaitable.ts';
import type { Awaitable } from './awaitable.ts';
import { decodeStream, decodingBudget } from './filters.ts';
import type { DecodingBudget } from './filters.ts';
import { PdfRef, PdfStream, dictOf, isDict } from './objects.ts';
import type { PdfDict, PdfObject } from './objects.ts';
import { locateStart } from './locate-start.ts';
import { ObjectStream } from './object-stream.ts';
import { mendable, recoverObjects } from './recover-objects.ts';
import { readRawStream } from './stream-data.ts';
import { WindowReader } from './window-reader.ts';
import { SectionIndex } from './section-index.ts';
import { loadSections } from './xref.ts';
import { maxObjectNumber } from './xref-stream.ts';
import type { XrefEntry, XrefSection } from './xref.ts';

/** What an object says, and whether readers could disagree on it. */
export interface StrictObject {
  readonly value: PdfObject;
  readonly ambiguous: boolean;
  readonly strange?: boolean;
  readonly ranOut?: boolean;
}

const maxCachedObjects = 4096;
const maxReferenceHops = 30;
/** What asking for an object costs when it is known already. */
const stepCost = 64;
/** Decoded object streams are kept up to this many bytes, and the last one. */
const maxKept = 64 << 20;

/**
 * A PDF opened for random access. Objects are read when asked for; damaged cross-references are rebuilt by
 * scanning, once, and `recovered` says so.
 */
export class Pdf {
  readonly source: PdfSource;
  readonly reader: WindowReader;
  /** From the header, e.g. "1.4". The catalog may raise it: see `pdfVersion`. */
  readonly headerVersion: string;
  /** Bytes before %PDF- when offsets in the file count from there, else 0. */
  readonly bias: number;
  private index = SectionIndex.of([]);
  private isEncrypted = false;
  /** Opens and seals the strings and streams of a protected file. */
  private protection: FileSecurity | null = null;
  trailer: PdfDict = new Map();
  recovered = false;
  private strict = false;
  private budget: DecodingBudget;
  private entries: Map<number, XrefEntry> | null = null;
  private recovery: Promise<void> | null = null;
  /** Out of object streams. */
  private readonly objects = new Map<number, PdfObject>();
  private readonly objectStreams = new Map<number, Awaitable<ObjectStream>>();
  private keptBytes = 0;

  private constructor(source: PdfSource, reader: WindowReader, version: string, bias: number) {
    this.source = source;
    this.reader = reader;
    this.headerVersion = version;
    this.bias = bias;
    this.budget = decodingBudget(source.size);
  }

  /** `earlier`: the same file before something was appended to it; what was read of it is not read again. */
  static async open(source: PdfSource, password = '', earlier?: Pdf): Promise<Pdf> {
    const reader = earlier?.reader.grownTo(source) ?? new WindowReader(source);
    const start = await locateStart(reader);
    const known = earlier?.bias === start.bias ? earlier.sections : [];
    const pdf = new Pdf(source, reader, start.version, start.bias);
    try {
      if (start.startXref === null) throw new PadesError('DAMAGED', 'no startxref');
      pdf.setSections(SectionIndex.of(await loadSections(reader, start.startXref, start.bias, pdf.budget, known)));
      pdf.trailer = pdf.sections[0]?.trailer ?? new Map();
      if (pdf.encrypted) await pdf.unlock(password);
      if (pdf.locked) return pdf;
      const catalog = await pdf.resolve(pdf.trailer.get('Root'));
      if (!isDict(catalog)) throw new PadesError('DAMAGED', 'no catalog');
      // Some writers say nought where they mean what was there before: it is all in the file.
      const isCut = pdf.sections.at(-1)?.trailer.get('Prev') === 0;
      if (isCut && !isDict(await pdf.resolve(catalog.get('Pages')))) throw new PadesError('DAMAGED', 'no pages, and a Prev of 0');
    } catch (error) {
      if (!(error instanceof PadesError) || pdf.recovered) throw error;
      if (error.code === 'TOO_COMPLEX') throw error;
      await pdf.recover();
    }
    return pdf;
  }

  /**
   * The document as it stood when the file ended at `end`. Strict: nothing is rebuilt, and an object that is not where
   * its entry says is null. Nothing behind `end` is looked at: not even a section that Prev or startxref announce there.
   * `earlier` lends the sections that an earlier state has read already. Throws DAMAGED when there is no such state.
   */
  async asOf(end: number, earlier?: Pdf): Promise<Pdf> {
    if (this.recovered) throw new PadesError('DAMAGED', 'the cross-reference was rebuilt');
    const reader = this.reader.upTo(end);
    const { startXref, bias, twofold } = await locateStart(reader);
    if (startXref === null) throw new PadesError('DAMAGED', 'no startxref');
    // A state is read as whoever had no more than it read it.
    if (twofold || bias !== this.bias) throw new PadesError('DAMAGED', 'offsets count from two places');
    const view = new Pdf(reader.source, reader, this.headerVersion, this.bias);
    view.strict = true;
    if (earlier !== undefined) view.budget = earlier.budget;
    const sections = await loadSections(reader, startXref, this.bias, view.budget, earlier?.sections);
    view.setSections(earlier === undefined ? SectionIndex.of(sections) : earlier.index.grownTo(sections, reader.work));
    view.trailer = view.sections[0]?.trailer ?? new Map();
    if (view.encrypted || this.encrypted) await view.protectAs(this);
    return view;
  }

  /** A state is read as the whole file is, when it says the same about its protection. Throws DAMAGED. */
  private async protectAs(whole: Pdf): Promise<void> {
    const own = await spelledProtection(this);
    if (own !== (await spelledProtection(whole))) throw new PadesError('DAMAGED', 'the protection of the file was changed');
    this.protection = whole.protection;
  }

  /** An object as it was before it was encrypted. */
  private unsealed(found: IndirectObject): IndirectObject {
    if (this.protection === null || this.isProtection(found.num)) return found;
    const { value, damaged } = this.protection.open(found);
    return { ...found, value, ambiguous: found.ambiguous || damaged };
  }

  /** The dictionary that says how the file is encrypted is not. */
  private isProtection(num: number): boolean {
    const said = this.trailer.get('Encrypt');
    return said instanceof PdfRef && said.num === num;
  }

  /** An object with what a lenient reading would hide (see `Parser`): for verifiers. Undefined when it is not there. */
  strictObject(num: number): Awaitable<StrictObject | undefined> {
    return after(this.entry(num), (entry) => {
      if (entry === undefined || entry.kind === 'free') return undefined;
      if (entry.kind === 'offset') {
        return after(this.reader.indirectObject(entry.offset), (found) =>
          found === null || found.num !== num ? undefined : this.unsealed(found),
        );
      }
      return after(this.entry(entry.stream), (container) => {
        if (container?.kind !== 'offset') return undefined;
        return after(this.objectStreamAt(container.offset), (stream) => stream.strictObject(num));
      });
    });
  }

  /** Newest first; empty when recovered. */
  get sections(): readonly XrefSection[] {
    return this.index.sections;
  }

  private setSections(index: SectionIndex): void {
    this.index = index;
    this.isEncrypted = index.sections.some((section) => section.trailer.has('Encrypt'));
  }

  /** With the password, the empty one too. What does not open stays locked. */
  private async unlock(password: string): Promise<void> {
    if (!this.trailer.has('Encrypt')) return;
    // Loaded only for files that are protected.
    const { FileSecurity: Security } = await import('./security/file-security.ts');
    try {
      this.protection = await Security.open(this, password);
    } catch (error) {
      // A description that cannot be read opens nothing.
      if (!(error instanceof PadesError) || error.code === 'TOO_COMPLEX') throw error;
    }
    // What was read to get here was read as it is spelled.
    this.forget();
  }

  /** How a protected file is opened and sealed; null when it is not protected, or locked. */
  get security(): FileSecurity | null {
    return this.protection;
  }

  /** Protected by a password that was not given, or in a way that is not known here: it can be inspected, no more. */
  get locked(): boolean {
    return this.encrypted && this.protection === null;
  }

  /** Protected, whether it opens or not. */
  get encrypted(): boolean {
    return this.isEncrypted || this.trailer.has('Encrypt');
  }

  /** Every object of a recovered file, for a cross-reference section that stands alone. */
  get recoveredEntries(): ReadonlyMap<number, XrefEntry> | null {
    return this.entries;
  }

  /** The form the next section must have: the newest section's own. */
  get xrefForm(): 'table' | 'stream' {
    if (this.entries === null) return this.sections[0]?.form ?? 'table';
    for (const entry of this.entries.values()) if (entry.kind === 'compressed') return 'stream';
    return 'table';
  }

  /** The first object number that nothing uses. */
  get nextObjectNumber(): number {
    const stated = this.trailer.get('Size');
    const size = typeof stated === 'number' && stated <= maxObjectNumber ? Math.floor(stated) : 1;
    let next = Math.max(1, size, ...this.sections.map((section) => section.limit));
    for (const num of this.entries?.keys() ?? []) next = Math.max(next, num + 1);
    if (next > maxObjectNumber - 1_000_000) {
      throw new PadesError('TOO_COMPLEX', 'no object numbers left');
    }
    return next;
  }

  /** Follows references until a value stands. A missing object is null (§7.3.10). */
  resolve(value: PdfObject | undefined): Awaitable<PdfObject> {
    if (!(value instanceof PdfRef)) return value ?? null;
    const found = this.object(value.num);
    return found instanceof Promise || found instanceof PdfRef ? this.follow(found) : found;
  }

  /** Behind the first reference. */
  private async follow(found: Awaitable<PdfObject>): Promise<PdfObject> {
    let current = await found;
    for (let hops = 1; current instanceof PdfRef; hops++) {
      if (hops >= maxReferenceHops) throw new PadesError('TOO_COMPLEX', 'references in a circle');
      current = await this.object(current.num);
    }
    return current;
  }

  /** Resolves to a dictionary (a stream gives its own), or null. */
  resolveDict(value: PdfObject | undefined): Awaitable<PdfDict | null> {
    return after(this.resolve(value), dictOf);
  }

  resolveArray(value: PdfObject | undefined): Awaitable<PdfObject[] | null> {
    return after(this.resolve(value), (array) => (Array.isArray(array) ? array : null));
  }

  /** The cross-reference entry in force. At once when nothing need be read for it. */
  entry(num: number): Awaitable<XrefEntry | undefined> {
    return this.entries === null ? this.index.lookup(num, this.reader.work) : this.entries.get(num);
  }

  /** The reference to write when object `num` is replaced: its generation is the one in force. */
  refTo(num: number): Awaitable<PdfRef> {
    return after(this.entry(num), (entry) => new PdfRef(num, entry?.kind === 'offset' ? entry.gen : 0));
  }

  /** The object of that number. Rebuilds the cross-reference when its entry turns out to be wrong. */
  object(num: number): Awaitable<PdfObject> {
    this.reader.work.spend(stepCost);
    if (this.entries !== null || this.strict) return after(this.read(num), (found) => found ?? null);
    let found: Awaitable<PdfObject | undefined>;
    try {
      found = this.read(num);
    } catch (error) {
      found = mendable(error);
    }
    if (!(found instanceof Promise)) return found === undefined ? this.mended(num) : found;
    return found.catch(mendable).then((later) => (later === undefined ? this.mended(num) : later));
  }

  private async mended(num: number): Promise<PdfObject> {
    await this.recover();
    return (await this.read(num)) ?? null;
  }

  /** Undefined: the entry does not lead to that object. */
  private read(num: number): Awaitable<PdfObject | undefined> {
    return after(this.entry(num), (entry): Awaitable<PdfObject | undefined> => {
      if (entry === undefined || entry.kind === 'free') return null;
      if (entry.kind === 'compressed') return this.readCompressed(num, entry.stream);
      // The reader keeps what it has parsed.
      return after(this.reader.indirectObject(entry.offset), (found) =>
        found === null || found.num !== num ? undefined : this.unsealed(found).value,
      );
    });
  }

  private async readCompressed(num: number, container: number): Promise<PdfObject | undefined> {
    if (this.locked) throw new PadesError('ENCRYPTED');
    const cached = this.objects.get(num);
    if (cached !== undefined) return cached;
    const entry = await this.entry(container);
    if (entry?.kind !== 'offset') return undefined;
    try {
      const value = (await this.objectStreamAt(entry.offset)).object(num);
      if (this.objects.size >= maxCachedObjects) this.objects.clear();
      if (value !== undefined) this.objects.set(num, value);
      return value;
    } catch (error) {
      if (error instanceof PadesError && error.code === 'DAMAGED') return undefined;
      throw error;
    }
  }

  /** A decoded object stream (some are kept). */
  objectStreamAt(offset: number): Awaitable<ObjectStream> {
    const kept = this.objectStreams.get(offset);
    if (kept !== undefined) return kept;
    if (this.keptBytes > maxKept) this.forgetStreams();
    const loading = this.loadObjectStream(offset);
    this.objectStreams.set(offset, loading);
    const settle = (stream: ObjectStream) => {
      if (this.objectStreams.get(offset) === loading) this.objectStreams.set(offset, stream);
    };
    loading.then(settle, () => undefined);
    return loading;
  }

  /** Lets go of what was read: states that are compared one after the other need not hold theirs all at once. */
  forget(): void {
    this.forgetStreams();
    this.objects.clear();
  }

  private forgetStreams(): void {
    this.objectStreams.clear();
    this.keptBytes = 0;
  }

  private async loadObjectStream(offset: number): Promise<ObjectStream> {
    const found = await this.reader.indirectObject(offset);
    const container = found && this.unsealed(found).value;
    if (!(container instanceof PdfStream)) throw new PadesError('DAMAGED', 'no object stream');
    const decoded = await this.streamData(container);
    if (decoded === null) throw new PadesError('DAMAGED', 'object stream cannot be decoded');
    this.keptBytes += decoded.length;
    const n = await this.resolve(container.dict.get('N'));
    const first = await this.resolve(container.dict.get('First'));
    const result = new ObjectStream(decoded, Number(n), Number(first), this.reader.work);
    // A list entry takes more room than the few bytes that spell it.
    this.keptBytes += 64 * result.size;
    return result;
  }

  /** A stream's data as its filters take them: as they are in the file, decrypted where they are encrypted. */
  async rawStreamData(stream: PdfStream): Promise<Uint8Array> {
    const length = await this.resolve(stream.dict.get('Length'));
    const raw = await readRawStream(this.reader, stream, length);
    return this.protection === null ? raw : this.protection.streamBytes(stream, raw);
  }

  /** A stream's decoded data; null when its filters are not for structure. Bounded. */
  async streamData(stream: PdfStream): Promise<Uint8Array | null> {
    const direct: PdfDict = new Map();
    for (const key of ['Filter', 'F', 'DecodeParms', 'DP']) {
      const value = await this.resolveDeep(stream.dict.get(key));
      if (value !== null) direct.set(key, value);
    }
    return decodeStream(await this.rawStreamData(stream), direct, this.budget);
  }

  private async resolveDeep(value: PdfObject | undefined): Promise<PdfObject> {
    const resolved = await this.resolve(value);
    if (Array.isArray(resolved)) {
      return Promise.all(resolved.slice(0, 16).map((item) => this.resolveDeep(item)));
    }
    if (!isDict(resolved)) return resolved;
    const direct: PdfDict = new Map();
    for (const [key, item] of resolved) direct.set(key, await this.resolve(item));
    return direct;
  }

  /** Rebuilds the list of objects from the whole file, once. Appending then writes a section that stands alone. */
  private recover(): Promise<void> {
    this.recovery ??= this.rebuild();
    return this.recovery;
  }

  /** Beside what there is: whoever asks meanwhile must not find a list that is not full yet. */
  private async rebuild(): Promise<void> {
    if (this.encrypted) throw new PadesError('ENCRYPTED');
    this.forget();
    const rebuilt = new Pdf(this.source, this.reader, this.headerVersion, this.bias);
    rebuilt.budget = this.budget;
    rebuilt.entries = new Map();
    try {
      await recoverObjects(rebuilt, rebuilt.entries);
      this.trailer = rebuilt.trailer;
      this.setSections(SectionIndex.of([]));
    } finally {
      // What cannot be rebuilt is not read by its old list either.
      this.forget();
      for (const [offset, stream] of rebuilt.objectStreams) this.objectStreams.set(offset, stream);
      this.keptBytes = rebuilt.keptBytes;
      this.entries = rebuilt.entries;
      this.recovered = true;
    }
  }
}
