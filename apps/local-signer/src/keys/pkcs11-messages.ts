import type { DigestName } from '@lavra/pades';

/** Between the program and the process that a module runs in. */
export type ModuleRequest =
  | { readonly kind: 'list'; readonly module: string }
  | {
      readonly kind: 'sign';
      readonly module: string;
      readonly token: TokenName;
      /** DER: the certificate whose key signs. */
      readonly certificate: Uint8Array;
      readonly keyKind: 'rsa' | 'ec';
      /** UTF-8; null where the reader has its own keys. */
      readonly pin: Uint8Array | null;
      /** The messages. */
      readonly messages: readonly { readonly digest: DigestName; readonly bytes: Uint8Array }[];
    };

export interface TokenName {
  readonly label: string;
  readonly serial: string;
}

/** How near the PIN is to its end, as far as the token tells. */
export type PinState = 'fine' | 'low' | 'last' | 'locked';

export interface ListedToken extends TokenName {
  readonly manufacturer: string;
  readonly pin: PinState;
  /** The PIN is typed at the reader. */
  readonly pinPad: boolean;
  /** DER, authorities among them. */
  readonly certificates: readonly Uint8Array[];
}

export type ModuleFault =
  | 'ADDON_MISSING'
  | 'MODULE_UNLOADABLE'
  | 'MODULE_FAILED'
  | 'PIN_WRONG'
  | 'PIN_LOCKED'
  | 'TOKEN_REMOVED'
  | 'KEY_MISSING'
  | 'CANCELLED';

export type ModuleAnswer =
  | { readonly kind: 'tokens'; readonly tokens: readonly ListedToken[] }
  /** RSA: PKCS #1 v1.5; EC: r‖s. */
  | { readonly kind: 'signatures'; readonly values: readonly Uint8Array[] }
  | { readonly kind: 'fault'; readonly fault: ModuleFault; readonly detail: string; readonly pin?: PinState };
