import { toBase64Url } from './encodings.ts';

/** RFC 7636: the verifier stays here until the token call, its hash travels with the browser. */
export interface Pkce {
  readonly verifier: string;
  readonly challenge: string;
}

export async function createPkce(random: (length: number) => Uint8Array): Promise<Pkce> {
  // §4.1: 32 octets make the 43 characters that are the least allowed.
  const verifier = toBase64Url(random(32));
  return { verifier, challenge: await challengeOf(verifier) };
}

/** §4.2, S256. */
export async function challengeOf(verifier: string): Promise<string> {
  return toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))));
}
