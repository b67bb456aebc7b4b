// A vendor's module runs here, one process for one request: when it crashes or hangs, nothing else does, and the PIN goes with it.
import { X509Certificate, createHash } from 'node:crypto';
import { digestInfo } from './digest-info.ts';
import { CKA, CKF, CKM, CKO, CKR, CKU } from './pkcs11-codes.ts';
import { Pkcs11Error, Pkcs11Library } from './pkcs11-library.ts';
import type { TokenInfo } from './pkcs11-library.ts';
import type { ListedToken, ModuleAnswer, ModuleFault, ModuleRequest, PinState } from './pkcs11-messages.ts';

type SignRequest = Extract<ModuleRequest, { kind: 'sign' }>;
type Slot = number | bigint;

const faults: Readonly<Record<number, ModuleFault>> = {
  [CKR.SLOT_ID_INVALID]: 'TOKEN_REMOVED',
  [CKR.DEVICE_ERROR]: 'TOKEN_REMOVED',
  [CKR.DEVICE_REMOVED]: 'TOKEN_REMOVED',
  [CKR.SESSION_CLOSED]: 'TOKEN_REMOVED',
  [CKR.SESSION_HANDLE_INVALID]: 'TOKEN_REMOVED',
  [CKR.OBJECT_HANDLE_INVALID]: 'TOKEN_REMOVED',
  [CKR.TOKEN_NOT_PRESENT]: 'TOKEN_REMOVED',
  [CKR.TOKEN_NOT_RECOGNIZED]: 'TOKEN_REMOVED',
  [CKR.PIN_INCORRECT]: 'PIN_WRONG',
  [CKR.PIN_INVALID]: 'PIN_WRONG',
  [CKR.PIN_LEN_RANGE]: 'PIN_WRONG',
  [CKR.PIN_LOCKED]: 'PIN_LOCKED',
  [CKR.PIN_EXPIRED]: 'PIN_LOCKED',
  [CKR.FUNCTION_CANCELED]: 'CANCELLED',
};

class Fault extends Error {
  readonly fault: ModuleFault;
  readonly pin: PinState | undefined;
  constructor(fault: ModuleFault, detail = '', pin?: PinState) {
    super(detail);
    this.fault = fault;
    this.pin = pin;
  }
}

function pinState({ flags }: TokenInfo): PinState {
  if (flags & CKF.USER_PIN_LOCKED) return 'locked';
  if (flags & CKF.USER_PIN_FINAL_TRY) return 'last';
  return flags & CKF.USER_PIN_COUNT_LOW ? 'low' : 'fine';
}

async function load(path: string): Promise<Pkcs11Library> {
  const koffi = await import('koffi').catch((error: Error) => {
    throw new Fault('ADDON_MISSING', error.message);
  });
  try {
    return new Pkcs11Library(koffi.default, path);
  } catch (error) {
    throw error instanceof Pkcs11Error ? error : new Fault('MODULE_UNLOADABLE', (error as Error).message);
  }
}

function withSession<T>(library: Pkcs11Library, slot: Slot, act: (session: Slot) => T): T {
  const session = library.openSession(slot);
  try {
    return act(session);
  } finally {
    library.closeSession(session);
  }
}

function certificatesIn(library: Pkcs11Library, session: Slot): { object: Slot; der: Uint8Array }[] {
  return library.find(session, CKO.CERTIFICATE).flatMap((object) => {
    const der = library.attribute(session, object, CKA.VALUE);
    return der === null ? [] : [{ object, der: withoutFilling(der) }];
  });
}

/** Some tokens fill up a place of fixed size; the certificate's own hash is what signatures name. */
function withoutFilling(der: Uint8Array): Uint8Array {
  try {
    return new Uint8Array(new X509Certificate(der).raw);
  } catch {
    return der;
  }
}

function list(library: Pkcs11Library): ListedToken[] {
  return library.slots().flatMap((slot) => {
    try {
      return tokenIn(library, slot);
    } catch (error) {
      // A card this module does not know, or one that is being pulled out, must not hide the others.
      if (error instanceof Pkcs11Error && faults[error.rv] === 'TOKEN_REMOVED') return [];
      throw error;
    }
  });
}

function tokenIn(library: Pkcs11Library, slot: Slot): ListedToken[] {
  const info = library.tokenInfo(slot);
  if (!(info.flags & CKF.TOKEN_INITIALIZED)) return [];
  const certificates = withSession(library, slot, (session) => certificatesIn(library, session).map(({ der }) => der));
  const { label, serial, manufacturer } = info;
  const pinPad = (info.flags & CKF.PROTECTED_AUTHENTICATION_PATH) !== 0;
  return [{ label, serial, manufacturer, pin: pinState(info), pinPad, certificates }];
}

function tokenInfoOrNull(library: Pkcs11Library, slot: Slot): TokenInfo | null {
  try {
    return library.tokenInfo(slot);
  } catch (error) {
    if (error instanceof Pkcs11Error && faults[error.rv] === 'TOKEN_REMOVED') return null;
    throw error;
  }
}

function sign(library: Pkcs11Library, request: SignRequest): Uint8Array[] {
  const { label, serial } = request.token;
  for (const slot of library.slots()) {
    const info = tokenInfoOrNull(library, slot);
    if (info?.label !== label || info.serial !== serial) continue;
    if (pinState(info) === 'locked') throw new Fault('PIN_LOCKED');
    const values = withSession(library, slot, (session) => {
      const chosen = certificatesIn(library, session).find(({ der }) => Buffer.compare(der, request.certificate) === 0);
      if (chosen === undefined) return null;
      const id = library.attribute(session, chosen.object, CKA.ID);
      return id === null ? null : signInSession(library, { slot, session, id }, request);
    });
    if (values !== null) return values;
  }
  throw new Fault('TOKEN_REMOVED');
}

function signInSession(
  library: Pkcs11Library,
  { slot, session, id }: { slot: Slot; session: Slot; id: Uint8Array },
  { keyKind, pin, messages }: SignRequest,
): Uint8Array[] {
  try {
    library.login(session, pin);
  } catch (error) {
    if (!(error instanceof Pkcs11Error) || faults[error.rv] !== 'PIN_WRONG') throw error;
    const state = pinState(library.tokenInfo(slot));
    throw new Fault(state === 'locked' ? 'PIN_LOCKED' : 'PIN_WRONG', error.message, state);
  }
  try {
    const [key] = library.find(session, CKO.PRIVATE_KEY, id);
    if (key === undefined) throw new Fault('KEY_MISSING');
    const eachTime = library.attribute(session, key, CKA.ALWAYS_AUTHENTICATE)?.[0] === 1;
    const offered = library.mechanisms(slot);
    return messages.map(({ digest, bytes }) => {
      const hash = new Uint8Array(createHash(digest).update(bytes).digest());
      const { mechanism, data } = inputOf(keyKind, offered, digest, hash, bytes);
      return library.sign(session, key, mechanism, data, eachTime ? () => library.login(session, pin, CKU.CONTEXT_SPECIFIC) : undefined);
    });
  } finally {
    library.logout(session);
  }
}

const hashing = { sha256: CKM.SHA256_RSA_PKCS, sha384: CKM.SHA384_RSA_PKCS, sha512: CKM.SHA512_RSA_PKCS };

function inputOf(
  keyKind: 'rsa' | 'ec',
  offered: readonly Slot[],
  digest: keyof typeof hashing,
  hash: Uint8Array,
  message: Uint8Array,
): { mechanism: number; data: Uint8Array } {
  if (keyKind === 'ec') return { mechanism: CKM.ECDSA, data: hash };
  // Nearly every token has the plain one; some offer only those that hash by themselves.
  const plain = offered.includes(CKM.RSA_PKCS) || !offered.includes(hashing[digest]);
  return plain ? { mechanism: CKM.RSA_PKCS, data: digestInfo(digest, hash) } : { mechanism: hashing[digest], data: message };
}

async function answer(request: ModuleRequest): Promise<ModuleAnswer> {
  try {
    const library = await load(request.module);
    try {
      return request.kind === 'list' ? { kind: 'tokens', tokens: list(library) } : { kind: 'signatures', values: sign(library, request) };
    } finally {
      library.finalize();
    }
  } catch (error) {
    const detail = (error as Error).message;
    if (error instanceof Fault) return { kind: 'fault', fault: error.fault, detail, ...(error.pin ? { pin: error.pin } : {}) };
    const fault = error instanceof Pkcs11Error ? faults[error.rv] : undefined;
    return { kind: 'fault', fault: fault ?? 'MODULE_FAILED', detail };
  }
}

process.once('message', (request: ModuleRequest) => {
  void answer(request).then((reply) => process.send?.(reply, () => process.exit(0)));
});
process.once('disconnect', () => process.exit(1));
