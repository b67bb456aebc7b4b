/**
 * Whether this browser, at this address, knows passkeys at all: not over http, except on this computer. As the library looks that asks for
 * them, which is fetched with the first question.
 */
export function knowsPasskeys(): boolean {
  return typeof globalThis.PublicKeyCredential === 'function';
}
