import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { NewPasskey, PasskeyAnswer, PasskeyCreation, PasskeyRequest } from '@lavra/api';

interface Signing {
  /** Whether it has seen its holder (PIN, finger, face). */
  verified?: boolean;
  /** The page that it answers. */
  origin?: string;
  /** The counter that it shows, instead of one more than before. */
  counter?: number;
}

/** An authenticator of WebAuthn as a security key is one: keys of P-256, a counter, no attestation. */
export class Authenticator {
  readonly #origin: string;
  readonly #keys = new Map<string, { key: KeyObject; rpId: string; handle: string }>();
  #counter = 0;

  constructor(origin: string) {
    this.#origin = origin;
  }

  create(options: PasskeyCreation, { verified = true, origin = this.#origin }: Signing = {}): NewPasskey {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const id = randomBytes(16);
    const rpId = options.rp.id ?? '';
    this.#keys.set(id.toString('base64url'), { key: privateKey, rpId, handle: options.user.id });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    // COSE (RFC 9053): kty EC2, alg ES256, crv P-256, x, y.
    const cose = map([
      [int(1), int(2)],
      [int(3), int(-7)],
      [int(-1), int(1)],
      [int(-2), bytes(Buffer.from(x, 'base64url'))],
      [int(-3), bytes(Buffer.from(y, 'base64url'))],
    ]);
    const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose]);
    const attestationObject = map([
      [text('fmt'), text('none')],
      [text('attStmt'), map([])],
      [text('authData'), bytes(this.#data(rpId, 0x40 | flags(verified), (this.#counter += 1), attested))],
    ]);
    const name = id.toString('base64url');
    return {
      id: name,
      rawId: name,
      type: 'public-key',
      response: {
        clientDataJSON: clientData('webauthn.create', options.challenge, origin).toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
        transports: ['usb'],
      },
    };
  }

  get(options: PasskeyRequest, { verified = true, origin = this.#origin, counter }: Signing = {}): PasskeyAnswer {
    const allowed = options.allowCredentials?.map(({ id }) => id) ?? [...this.#keys.keys()];
    const id = allowed.find((one) => this.#keys.has(one));
    const held = id === undefined ? undefined : this.#keys.get(id);
    if (id === undefined || !held) throw new Error('none of these passkeys is here');
    const authenticatorData = this.#data(held.rpId, flags(verified), counter ?? (this.#counter += 1));
    const client = clientData('webauthn.get', options.challenge, origin);
    const signature = sign('sha256', Buffer.concat([authenticatorData, createHash('sha256').update(client).digest()]), held.key);
    return {
      id,
      rawId: id,
      type: 'public-key',
      response: {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: held.handle,
      },
    };
  }

  #data(rpId: string, flag: number, counter: number, rest: Buffer = Buffer.alloc(0)): Buffer {
    const head = Buffer.alloc(5);
    head.writeUInt8(flag, 0);
    head.writeUInt32BE(counter, 1);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), head, rest]);
  }
}

/** Present, and verified where it has seen its holder (WebAuthn §6.1). */
const flags = (verified: boolean) => (verified ? 0x05 : 0x01);

function clientData(type: string, challenge: string, origin: string): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

// CBOR (RFC 8949), as much as stands above.
function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  return value < 256 ? Buffer.from([(major << 5) | 24, value]) : Buffer.from([(major << 5) | 25, value >> 8, value & 0xff]);
}
const int = (value: number) => (value < 0 ? head(1, -1 - value) : head(0, value));
const bytes = (value: Buffer) => Buffer.concat([head(2, value.length), value]);
const text = (value: string) => Buffer.concat([head(3, value.length), Buffer.from(value)]);
const map = (entries: readonly (readonly [Buffer, Buffer])[]) => Buffer.concat([head(5, entries.length), ...entries.flat()]);
