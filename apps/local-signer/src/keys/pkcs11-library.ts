import type koffiModule from 'koffi';
import { CKA, CKF, CKR, CKU, functions } from './pkcs11-codes.ts';
import type { FunctionName } from './pkcs11-codes.ts';

type Koffi = typeof koffiModule;
type Handle = number | bigint;
type Value = Handle | Uint8Array | null;

/** What a function of the module answered instead of CKR_OK. */
export class Pkcs11Error extends Error {
  readonly call: string;
  readonly rv: number;
  constructor(call: string, rv: number) {
    super(`${call}: 0x${rv.toString(16)}`);
    this.call = call;
    this.rv = rv;
  }
}

export interface TokenInfo {
  readonly label: string;
  readonly manufacturer: string;
  readonly serial: string;
  readonly flags: number;
}

/** No certificate or identifier is larger; a module that says so is not believed. */
const largestAttribute = 1 << 16;

/**
 * A PKCS #11 module (OASIS PKCS #11 2.40) as far as signing needs it, called through its function list. Structures are laid out by
 * hand: CK_ATTRIBUTE and CK_MECHANISM are ulong, pointer, ulong without gaps on every system (Windows packs them, elsewhere
 * both have one size). Every method throws `Pkcs11Error`.
 */
export class Pkcs11Library {
  readonly #koffi: Koffi;
  readonly #call: Record<FunctionName, (...values: Value[]) => Handle>;
  readonly #ulong: number;
  readonly #pointer: number;

  /** Loads the module; throws what the system's loader says. */
  constructor(koffi: Koffi, path: string) {
    this.#koffi = koffi;
    this.#ulong = koffi.sizeof('ulong');
    this.#pointer = koffi.sizeof('void *');
    const library = koffi.load(path);
    const place = Buffer.alloc(this.#pointer);
    const rv = Number(library.func('C_GetFunctionList', 'ulong', ['void *'])(place));
    if (rv !== CKR.OK) throw new Pkcs11Error('C_GetFunctionList', rv);
    const list = this.#read(place, 0, this.#pointer);
    // CK_VERSION has two bytes; then pointers, aligned except on Windows.
    const start = process.platform === 'win32' ? 2 : this.#pointer;
    this.#call = Object.fromEntries(
      Object.entries(functions).map(([name, { at, arguments: types }]) => {
        const address: unknown = koffi.decode(list, start + at * this.#pointer, 'void *');
        if (address === null) throw new Pkcs11Error(name, CKR.DEVICE_ERROR);
        return [name, koffi.decode(address, koffi.proto('ulong', [...types]))];
      }),
    ) as Record<FunctionName, (...values: Value[]) => Handle>;
    this.#do('C_Initialize', [null], [CKR.CRYPTOKI_ALREADY_INITIALIZED]);
  }

  finalize(): void {
    this.#call.C_Finalize(null);
  }

  /** Slots with a token in them. */
  slots(): Handle[] {
    return this.#list('C_GetSlotList', (room, count) => [1, room, count]);
  }

  mechanisms(slot: Handle): Handle[] {
    return this.#list('C_GetMechanismList', (room, count) => [slot, room, count]);
  }

  tokenInfo(slot: Handle): TokenInfo {
    const info = Buffer.alloc(512);
    this.#do('C_GetTokenInfo', [slot, info]);
    const text = (from: number, to: number) => info.toString('utf8', from, to).replaceAll('\0', ' ').trim();
    return { label: text(0, 32), manufacturer: text(32, 64), serial: text(80, 96), flags: Number(this.#read(info, 96, this.#ulong)) };
  }

  openSession(slot: Handle): Handle {
    const session = Buffer.alloc(this.#ulong);
    this.#do('C_OpenSession', [slot, CKF.SERIAL_SESSION, null, null, session]);
    return this.#read(session, 0, this.#ulong);
  }

  /** What was pulled out is closed already: the answer does not matter. */
  closeSession(session: Handle): void {
    this.#call.C_CloseSession(session);
  }

  /** `pin` null: the reader has its own keys. A session that somebody left logged in proves no PIN, so it is logged out first. */
  login(session: Handle, pin: Uint8Array | null, user: number = CKU.USER): void {
    const values: Value[] = [session, user, pin, pin?.length ?? 0];
    const rv = Number(this.#call.C_Login(...values));
    if (rv === CKR.USER_ALREADY_LOGGED_IN && user === CKU.USER) {
      this.logout(session);
      this.#do('C_Login', values);
    } else if (rv !== CKR.OK) throw new Pkcs11Error('C_Login', rv);
  }

  logout(session: Handle): void {
    this.#call.C_Logout(session);
  }

  /** Objects of a class, with the identifier when one is given. */
  find(session: Handle, objectClass: number, id?: Uint8Array): Handle[] {
    const classValue = this.#ulongs(objectClass);
    const attributes: [number, Uint8Array][] = [[CKA.CLASS, classValue]];
    if (id) attributes.push([CKA.ID, id]);
    const template = Buffer.concat(attributes.map(([type, value]) => this.#triple(type, value)));
    this.#do('C_FindObjectsInit', [session, template, attributes.length]);
    const found: Handle[] = [];
    const room = Buffer.alloc(this.#ulong * 16);
    const count = Buffer.alloc(this.#ulong);
    try {
      for (let rounds = 0; rounds < 64; rounds++) {
        this.#do('C_FindObjects', [session, room, 16, count]);
        const many = Number(this.#read(count, 0, this.#ulong));
        if (many === 0) break;
        for (let i = 0; i < Math.min(many, 16); i++) found.push(this.#read(room, i * this.#ulong, this.#ulong));
      }
    } finally {
      this.#call.C_FindObjectsFinal(session);
    }
    return found;
  }

  /** An attribute's bytes; null when the object has none or does not tell. */
  attribute(session: Handle, object: Handle, type: number): Uint8Array | null {
    const unsized = this.#triple(type, null);
    if (Number(this.#call.C_GetAttributeValue(session, object, unsized, 1)) !== CKR.OK) return null;
    const size = Number(this.#read(unsized, this.#ulong + this.#pointer, this.#ulong));
    if (size <= 0 || size > largestAttribute) return null;
    const value = Buffer.alloc(size);
    this.#do('C_GetAttributeValue', [session, object, this.#triple(type, value), 1]);
    return new Uint8Array(value);
  }

  /** `authenticate` is called between the two steps, where keys that ask for the PIN each time want it. */
  sign(session: Handle, key: Handle, mechanism: number, data: Uint8Array, authenticate?: () => void): Uint8Array {
    this.#do('C_SignInit', [session, this.#triple(mechanism, null), key]);
    authenticate?.();
    const value = Buffer.alloc(2048);
    const length = this.#ulongs(value.length);
    this.#do('C_Sign', [session, data, data.length, value, length]);
    return new Uint8Array(value.subarray(0, Number(this.#read(length, 0, this.#ulong))));
  }

  #list(name: 'C_GetSlotList' | 'C_GetMechanismList', values: (room: Buffer | null, count: Buffer) => Value[]): Handle[] {
    const count = this.#ulongs(0);
    this.#do(name, values(null, count));
    const many = Math.min(Number(this.#read(count, 0, this.#ulong)), 1024);
    if (many === 0) return [];
    const room = Buffer.alloc(many * this.#ulong);
    this.#do(name, values(room, count));
    const present = Math.min(Number(this.#read(count, 0, this.#ulong)), many);
    return Array.from({ length: present }, (_, index) => this.#read(room, index * this.#ulong, this.#ulong));
  }

  #do(name: FunctionName, values: Value[], alsoGood: readonly number[] = []): void {
    const rv = Number(this.#call[name](...values));
    if (rv !== CKR.OK && !alsoGood.includes(rv)) throw new Pkcs11Error(name, rv);
  }

  #read(bytes: Buffer, at: number, size: number): Handle {
    if (size === 4) return bytes.readUInt32LE(at);
    const value = bytes.readBigUInt64LE(at);
    return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
  }

  #ulongs(value: number): Buffer {
    const bytes = Buffer.alloc(this.#ulong);
    bytes.writeUInt32LE(value, 0);
    return bytes;
  }

  /** CK_ATTRIBUTE or CK_MECHANISM. Whoever calls keeps `value` alive. */
  #triple(type: number, value: Uint8Array | null): Buffer {
    const bytes = Buffer.alloc(this.#ulong * 2 + this.#pointer);
    bytes.writeUInt32LE(type, 0);
    if (value === null) return bytes;
    const address = BigInt(this.#koffi.address(value));
    if (this.#pointer === 4) bytes.writeUInt32LE(Number(address), this.#ulong);
    else bytes.writeBigUInt64LE(address, this.#ulong);
    bytes.writeUInt32LE(value.length, this.#ulong + this.#pointer);
    return bytes;
  }
}
