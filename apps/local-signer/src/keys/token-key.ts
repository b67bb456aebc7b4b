import { ecdsaDer } from '@lavra/pades/p12';
import { KeyError, cardOf, holds, isAuthority, keyKindOf } from './key.ts';
import type { CertificateCard, KeyAtHand, KeyFault } from './key.ts';
import { askModule } from './pkcs11.ts';
import type { ListedModule } from './pkcs11.ts';
import type { ListedToken, ModuleFault } from './pkcs11-messages.ts';

/** A certificate on a token, as the window lists it. */
export interface TokenChoice {
  readonly token: string;
  readonly card: CertificateCard;
  readonly key: KeyAtHand;
}

/** What can be chosen from: every certificate that is no authority's. One that two modules show is listed once. */
export function tokenChoices(modules: readonly ListedModule[], now: number): TokenChoice[] {
  const seen = new Set<string>();
  return modules.flatMap(({ path, tokens }) =>
    tokens.flatMap((token) =>
      token.certificates.flatMap((der) => {
        const card = cardOf(der, now);
        const name = [token.label, token.serial, Buffer.from(der).toString('base64')].join('\n');
        if (card === null || seen.has(name)) return [];
        seen.add(name);
        return [{ token: token.label || token.manufacturer, card, key: keyOnToken(path, token, der) }];
      }),
    ),
  );
}

const faults: Partial<Record<ModuleFault, KeyFault>> = {
  PIN_WRONG: 'PIN_WRONG',
  PIN_LOCKED: 'PIN_LOCKED',
  TOKEN_REMOVED: 'TOKEN_REMOVED',
  CANCELLED: 'CANCELLED',
};

function keyOnToken(module: string, token: ListedToken, certificate: Uint8Array): KeyAtHand {
  const { label, serial } = token;
  return {
    certificate,
    chain: token.certificates.filter(isAuthority),
    asks: token.pinPad ? 'pin-pad' : 'pin',
    pin: token.pin,
    token: JSON.stringify([label, serial]),
    async sign(messages, pin) {
      const kind = keyKindOf(certificate);
      if (kind === null || kind === 'ed25519') throw new KeyError('KEY_FAILED', 'a kind of key no token is asked for');
      const secret = token.pinPad ? null : new TextEncoder().encode(pin);
      const answer = await askModule({ kind: 'sign', module, token: { label, serial }, certificate, keyKind: kind, pin: secret, messages });
      secret?.fill(0);
      if (answer.kind === 'fault') throw new KeyError(faults[answer.fault] ?? 'KEY_FAILED', answer.detail, answer.pin);
      const raw = answer.kind === 'signatures' ? answer.values : [];
      const values = raw.map((value) => (kind === 'ec' ? ecdsaDer(value) : new Uint8Array(value)));
      if (
        values.length !== messages.length ||
        messages.some((message, index) => !holds(certificate, message, values[index] ?? new Uint8Array()))
      ) {
        throw new KeyError('KEY_FAILED', 'the value does not hold');
      }
      return values;
    },
    // The PIN was never kept.
    forget: () => undefined,
  };
}
