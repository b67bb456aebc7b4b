import { PadesError } from '../../errors.ts';
import { PdfName, PdfRef, PdfStream, PdfString, isDict, isName } from '../objects.ts';
import type { PdfDict, PdfObject } from '../objects.ts';
import type { Pdf } from '../pdf.ts';
import { decryptCbc, encryptCbc, md5, rc4 } from './ciphers.ts';
import { openHandler } from './file-key.ts';
import type { StandardHandler } from './file-key.ts';

type Method = 'none' | 'rc4' | 'aes128' | 'aes256';

/** What the owner of a protected file leaves to its users (ISO 32000-2 Table 22). */
export interface OwnerPermissions {
  /** Fill in and sign fields that are there (bit 9, or 6). */
  readonly fill: boolean;
  /** Make fields and pages (bits 4 and 6). */
  readonly change: boolean;
  /** The bits of P that would have to be set for what is not permitted. */
  readonly missing: readonly number[];
  /** All bits of P by which the owner forbids something; empty for who opened the file as its owner. */
  readonly forbidden: readonly number[];
}

/** The strings and streams of a protected file, opened and sealed. */
export class FileSecurity {
  readonly strings: Method;
  readonly streams: Method;
  /** Of files that are attached. */
  readonly attachments: Method;
  readonly permissions: OwnerPermissions;
  private readonly key: Uint8Array;
  private readonly encryptsMetadata: boolean;
  private readonly filters: ReadonlyMap<string, Method>;
  private readonly opened = new WeakMap<object, { value: PdfObject; damaged: boolean }>();
  private readonly owners = new WeakMap<PdfStream, { num: number; gen: number }>();

  private constructor(parts: {
    key: Uint8Array;
    strings: Method;
    streams: Method;
    attachments: Method;
    filters: ReadonlyMap<string, Method>;
    permissions: OwnerPermissions;
    encryptsMetadata: boolean;
  }) {
    this.key = parts.key;
    this.strings = parts.strings;
    this.streams = parts.streams;
    this.attachments = parts.attachments;
    this.filters = parts.filters;
    this.permissions = parts.permissions;
    this.encryptsMetadata = parts.encryptsMetadata;
  }

  /** Null: it does not open with this password, or in no way that is known here. */
  static async open(pdf: Pdf, password: string): Promise<FileSecurity | null> {
    const entries = await pdf.resolve(pdf.trailer.get('Encrypt'));
    if (!isDict(entries) || !isName(await pdf.resolve(entries.get('Filter')), 'Standard')) return null;
    const read = await readHandler(pdf, entries);
    if (read === null) return null;
    const result = openHandler(read.handler, password);
    if (result === null) return null;
    const { handler, ...methods } = read;
    const permissions = result.isOwner ? { fill: true, change: true, missing: [], forbidden: [] } : permissionsOf(handler.permissions);
    return new FileSecurity({ ...methods, key: result.key, permissions, encryptsMetadata: handler.encryptsMetadata });
  }

  /** An object as its owner wrote it. `damaged`: a string of it cannot be opened. */
  open({ num, gen, value }: { num: number; gen: number; value: PdfObject }): { value: PdfObject; damaged: boolean } {
    if (typeof value !== 'object' || value === null) return { value, damaged: false };
    const known = this.opened.get(value);
    if (known !== undefined) return known;
    let damaged = false;
    const text = (bytes: Uint8Array): Uint8Array => {
      const plain = this.decrypt(this.strings, num, gen, bytes);
      if (plain === null) damaged = true;
      return plain ?? bytes;
    };
    const result = { value: mapStrings(value, text, (stream) => this.owners.set(stream, { num, gen })), damaged };
    result.damaged = damaged;
    this.opened.set(value, result);
    return result;
  }

  /** A stream that `open` gave, as its filters take it. Throws DAMAGED. */
  streamBytes(stream: PdfStream, raw: Uint8Array): Uint8Array {
    const owner = this.owners.get(stream);
    if (owner === undefined) return raw;
    const plain = this.decrypt(this.methodOf(stream.dict), owner.num, owner.gen, raw);
    if (plain === null) throw new PadesError('DAMAGED', 'a stream cannot be decrypted');
    return plain;
  }

  /** An object as it is written: what stands in the place of a signature (raw bytes) stays. */
  seal(value: PdfObject, { num, gen }: PdfRef, random: (length: number) => Uint8Array): PdfObject {
    const text = (bytes: Uint8Array): Uint8Array => this.encrypt(this.strings, num, gen, bytes, random);
    return mapStrings(value, text, (stream, before) => {
      if (before.bytes === null) return stream;
      return new PdfStream(stream.dict, this.encrypt(this.methodOf(before.dict), num, gen, before.bytes, random));
    });
  }

  private methodOf(entries: PdfDict): Method {
    if (isName(entries.get('Type'), 'XRef')) return 'none';
    const filter = entries.get('Filter');
    const first = Array.isArray(filter) ? filter[0] : filter;
    if (isName(first, 'Crypt')) {
      const given = entries.get('DecodeParms');
      const parameters = Array.isArray(given) ? given[0] : given;
      const name = isDict(parameters) ? parameters.get('Name') : undefined;
      return name instanceof PdfName ? (this.filters.get(name.value) ?? 'none') : 'none';
    }
    if (isName(entries.get('Type'), 'Metadata') && !this.encryptsMetadata) return 'none';
    return isName(entries.get('Type'), 'EmbeddedFile') ? this.attachments : this.streams;
  }

  private decrypt(method: Method, num: number, gen: number, bytes: Uint8Array): Uint8Array | null {
    if (method === 'none') return bytes;
    const key = this.objectKey(method, num, gen);
    return method === 'rc4' ? rc4(key, bytes) : decryptCbc(key, bytes);
  }

  private encrypt(method: Method, num: number, gen: number, bytes: Uint8Array, random: (length: number) => Uint8Array): Uint8Array {
    if (method === 'none') return bytes;
    const key = this.objectKey(method, num, gen);
    return method === 'rc4' ? rc4(key, bytes) : encryptCbc(key, bytes, random(16));
  }

  /** Algorithm 1 and 1.A: one key for each object, of the file's key, its number and its generation. */
  private objectKey(method: Method, num: number, gen: number): Uint8Array {
    if (method === 'aes256') return this.key;
    const salt = method === 'aes128' ? [0x73, 0x41, 0x6c, 0x54] : [];
    const digest = md5(
      Uint8Array.from([...this.key, num & 255, (num >> 8) & 255, (num >> 16) & 255, gen & 255, (gen >> 8) & 255, ...salt]),
    );
    return digest.subarray(0, Math.min(16, this.key.length + 5));
  }
}

/**
 * A copy with each string mapped, but for the signature itself: Contents beside ByteRange is never encrypted (§7.6.2). `onStream` may
 * give another stream in the place of the copy.
 */
function mapStrings(
  value: PdfObject,
  text: (bytes: Uint8Array) => Uint8Array,
  onStream: (copy: PdfStream, before: PdfStream) => unknown,
): PdfObject {
  if (value instanceof PdfString) return new PdfString(text(value.bytes), true);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, text, onStream));
  if (value instanceof PdfStream) {
    const copy = new PdfStream(mapDict(value.dict, text, onStream), value.bytes, value.offset);
    const other = onStream(copy, value);
    return other instanceof PdfStream ? other : copy;
  }
  return isDict(value) ? mapDict(value, text, onStream) : value;
}

function mapDict(
  entries: PdfDict,
  text: (bytes: Uint8Array) => Uint8Array,
  onStream: (copy: PdfStream, before: PdfStream) => unknown,
): PdfDict {
  const result: PdfDict = new Map();
  const isSignature = entries.has('ByteRange');
  for (const [key, item] of entries) result.set(key, isSignature && key === 'Contents' ? item : mapStrings(item, text, onStream));
  return result;
}

/** Bits are counted from 1 in the book. */
function permissionsOf(p: number): OwnerPermissions {
  const has = (bit: number): boolean => ((p >> (bit - 1)) & 1) === 1;
  const change = has(4) && has(6);
  const fill = has(9) || has(6);
  const missing = [...(change ? [] : [4, 6].filter((bit) => !has(bit))), ...(fill ? [] : [9])];
  // Print, change, copy, annotate, fill in, assemble, print well. Bit 10 is always on (Table 22).
  return { fill, change, missing, forbidden: [3, 4, 5, 6, 9, 11, 12].filter((bit) => !has(bit)) };
}

interface Methods {
  readonly handler: StandardHandler;
  readonly strings: Method;
  readonly streams: Method;
  readonly attachments: Method;
  readonly filters: ReadonlyMap<string, Method>;
}

async function readHandler(pdf: Pdf, entries: PdfDict): Promise<Methods | null> {
  const number = async (key: string, usual: number): Promise<number> => {
    const value = await pdf.resolve(entries.get(key));
    return typeof value === 'number' ? value : usual;
  };
  const bytes = async (key: string): Promise<Uint8Array> => {
    const value = await pdf.resolve(entries.get(key));
    return value instanceof PdfString ? value.bytes : new Uint8Array(0);
  };
  const version = await number('V', 0);
  const revision = await number('R', 0);
  const stated = await number('Length', 40);
  // Some writers count bytes.
  const bits = stated < 40 ? stated * 8 : stated;
  const methods = await methodsOf(pdf, entries, version);
  if (methods === null || ![2, 3, 4, 5, 6].includes(revision)) return null;
  const keyLength = version === 1 || revision === 2 ? 5 : version === 4 ? 16 : version === 5 ? 32 : bits / 8;
  if (!Number.isInteger(keyLength) || keyLength < 5 || keyLength > 32 || revision >= 5 !== (version === 5)) return null;
  const [owner, user] = [await bytes('O'), await bytes('U')];
  const [ownerKey, userKey, sealedPermissions] = [await bytes('OE'), await bytes('UE'), await bytes('Perms')];
  const least = revision >= 5 ? 48 : 32;
  if (owner.length < least || user.length < least) return null;
  if (revision >= 5 && (ownerKey.length !== 32 || userKey.length !== 32 || sealedPermissions.length !== 16)) return null;
  const id = await pdf.resolve(pdf.trailer.get('ID'));
  const first = Array.isArray(id) ? await pdf.resolve(id[0]) : null;
  const handler: StandardHandler = {
    revision,
    keyLength,
    owner,
    user,
    ownerKey,
    userKey,
    sealedPermissions,
    // Some writers spell the 32 bits without their sign.
    permissions: (await number('P', 0)) | 0,
    encryptsMetadata: (await pdf.resolve(entries.get('EncryptMetadata'))) !== false,
    id: first instanceof PdfString ? first.bytes : new Uint8Array(0),
  };
  return { handler, ...methods };
}

async function methodsOf(pdf: Pdf, entries: PdfDict, version: number): Promise<Omit<Methods, 'handler'> | null> {
  if (version === 1 || version === 2) return { strings: 'rc4', streams: 'rc4', attachments: 'rc4', filters: new Map() };
  if (version !== 4 && version !== 5) return null;
  const filters = new Map<string, Method>([['Identity', 'none']]);
  for (const [name, raw] of (await pdf.resolveDict(entries.get('CF'))) ?? []) {
    const filter = await pdf.resolveDict(raw);
    const stated = await pdf.resolve(filter?.get('CFM'));
    const word = stated instanceof PdfName ? stated.value : 'None';
    const method = { None: 'none', V2: 'rc4', AESV2: 'aes128', AESV3: 'aes256' }[word] as Method | undefined;
    if (method === undefined || (method !== 'none' && (method === 'aes256') !== (version === 5))) return null;
    filters.set(name, method);
  }
  const chosen = async (key: string): Promise<Method | null> => {
    const name = await pdf.resolve(entries.get(key));
    return filters.get(name instanceof PdfName ? name.value : 'Identity') ?? null;
  };
  const [strings, streams] = [await chosen('StrF'), await chosen('StmF')];
  const attachments = entries.has('EFF') ? await chosen('EFF') : streams;
  return strings === null || streams === null || attachments === null ? null : { strings, streams, attachments, filters };
}
