/** Who signs a list, as its certificate writes it; DER. */
interface ListIssuer {
  readonly subject: Uint8Array;
  readonly publicKey: Uint8Array;
}

/**
 * By what a visitor's browser asks for a revocation list: SHA-256 (hexadecimal) over the issuer's name and key and the address
 * that a certificate names. No address travels, and nobody's certificate: whoever knows neither cannot tell what it stands for.
 */
export async function revocationListKey({ subject, publicKey }: ListIssuer, url: string): Promise<string> {
  // Name and key are DER and say where they end.
  const named = Uint8Array.of(...subject, ...publicKey, ...new TextEncoder().encode(url));
  const digest = new Uint8Array(await globalThis.crypto.subtle.digest('SHA-256', named));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
