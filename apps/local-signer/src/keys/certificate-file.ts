import { certificateFileSigner, openCertificateFile } from '@lavra/pades/p12';
import { KeyError, holds } from './key.ts';
import type { KeyAtHand } from './key.ts';

/**
 * A certificate file (.pfx, .p12) as it came from the window. The password is used once, here; the key stays in memory until
 * `forget`. Throws the engine's P12_WRONG_PASSWORD, P12_DAMAGED, P12_UNSUPPORTED, P12_NO_KEY.
 */
export async function keyInFile(bytes: Uint8Array, password: string): Promise<KeyAtHand> {
  const file = await openCertificateFile(bytes, password);
  const signer = await certificateFileSigner(file);
  let forgotten = false;
  return {
    certificate: file.certificate,
    chain: file.chain,
    asks: 'nothing',
    pin: 'fine',
    token: null,
    async sign(messages) {
      if (forgotten) throw new KeyError('KEY_FAILED', 'forgotten');
      const values: Uint8Array[] = [];
      for (const message of messages) {
        const value = await signer.sign(message.bytes, message.digest);
        if (!holds(file.certificate, message, value)) throw new KeyError('KEY_FAILED', 'the value does not hold');
        values.push(value);
      }
      return values;
    },
    forget() {
      forgotten = true;
      file.privateKeyPkcs8.fill(0);
    },
  };
}
