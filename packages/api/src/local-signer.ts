import * as z from 'zod/mini';

/**
 * Messages between our page and LAVRA_SIGNER, the program on the signer's computer. It listens on 127.0.0.1 (and ::1) alone, on
 * the first free of `localSignerPorts`; JSON both ways. The page asks all three, for another user of the computer, or an impostor, may sit on
 * any of them; nothing of a process is handed over before the program has proved the key that the page knows, or its person has
 * compared a code. Then two steps, one window, one consent:
 *
 *     GET  /v1/version                                      → { name, version, protocol }    asked on a click, never on load
 *     POST /v2/sessions                      { commitment } → 201 { session, key, nonce }    the page has chosen its nonce and shows only its hash
 *     POST /v2/sessions/:session/meeting     { nonce, show }→ { signature }                  over `meetingText`; `show`: the window opens with the code
 *     POST /v2/sessions/:session/certificate { request }    → 202                            request: kind "certificate"
 *     GET  /v2/sessions/:session                            → { state, … }                   polled every second
 *     POST /v2/sessions/:session/sign        { request }    → 202                            request: kind "sign"
 *     DELETE /v2/sessions/:session                          → 204                            the page gave up
 *
 * Faults are `{ code }` of `localSignerFault` with status 400, 403, 404, 409 or 429.
 */
export const localSignerPorts = [35_917, 35_918, 35_919] as const;

/** What follows `version`. A program that does not say this number is to be renewed. */
export const localSignerProtocol = 2;

export const localSignerVersion = z.object({ name: z.literal('LAVRA_SIGNER'), version: z.string(), protocol: z.optional(z.number()) });

/** 32 random bytes, or a SHA-256, in base64url. */
export const localSignerNonce = z.string().check(z.regex(/^[\w-]{43}$/));

/** `commitment`: base64url(SHA-256(the characters of the nonce)), so that neither side can look for a nonce that makes a code it wants. */
export const localSignerGreeting = z.object({ commitment: localSignerNonce });

/** `key`: ECDSA on P-256, SPKI, base64: the program's own, made at its first run. */
export const localSignerGreeted = z.object({
  session: z.string().check(z.regex(/^[\w-]{1,100}$/)),
  key: z.string().check(z.regex(/^[\w+/=]{80,400}$/)),
  nonce: localSignerNonce,
});
export type LocalSignerGreeted = z.infer<typeof localSignerGreeted>;

export const localSignerMeeting = z.object({ nonce: localSignerNonce, show: z.boolean() });

/** Of `certificate` and `sign`: a one-time request of the server. */
export const localSignerDemand = z.object({ request: z.string() });

/** ECDSA with SHA-256 over `meetingText`, r‖s, base64. */
export const localSignerProof = z.object({ signature: z.string() });

/** What page and program have in common once they have met. */
export interface Meeting {
  /** Of the page. */
  readonly origin: string;
  /** That the page called and the program listens on: what another port passes on does not hold. */
  readonly port: number;
  readonly key: string;
  readonly pageNonce: string;
  readonly signerNonce: string;
}

/** What the program signs to show that it has its key. */
export function meetingText({ origin, port, key, pageNonce, signerNonce }: Meeting): string {
  return ['LAVRA_SIGNER meeting 2', origin, `127.0.0.1:${port}`, key, pageNonce, signerNonce].join('\n');
}

/** Six digits that page and window show: of two programs, or of one in between, they differ but once in a million. */
export async function meetingCode(meeting: Meeting): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`code\n${meetingText(meeting)}`));
  return sixDigits(new DataView(hash).getUint32(0));
}

const codesToChooseFrom = 4;

/** The codes among others that are nobody's, sorted: whoever is to find theirs has to look at the other screen. */
export function amongOthers(codes: readonly string[]): string[] {
  const all = new Set(codes);
  while (all.size < codesToChooseFrom) all.add(sixDigits(crypto.getRandomValues(new Uint32Array(1))[0] ?? 0));
  return [...all].toSorted();
}

function sixDigits(number: number): string {
  return `${number % 1_000_000}`.padStart(6, '0').replace(/^(...)/, '$1 ');
}

/** What the page shows of its nonce before the program has said its own. */
export async function commitmentTo(nonce: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(nonce)));
  return btoa(String.fromCharCode(...hash))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

/** Body of a one-time request. On the wire: base64url(JSON in UTF-8) "." base64url(Ed25519 over the first part's characters). */
export const localSignerRequest = z.object({
  format: z.literal(1),
  kind: z.enum(['certificate', 'sign']),
  /** Origin of the server that signed it, exactly as the browser says it in `Origin`. */
  origin: z.string(),
  /** Acts once. 16 to 200 characters. */
  nonce: z.string(),
  /** ISO 8601; at most ten minutes apart. */
  issuedAt: z.string(),
  expiresAt: z.string(),
  /** Of the signature process, and who asks for the signature. The second request says the same as the first, and has the same documents. */
  title: z.string(),
  creator: z.string(),
  documents: z.array(
    z.object({
      documentId: z.string(),
      name: z.string(),
      /** Of the uploaded file, hex: what the signer may compare. */
      sha256: z.string(),
      /** `sign` only: what is to be signed (see `prepareLocalSignature`). */
      digest: z.optional(z.enum(['sha256', 'sha384', 'sha512'])),
      signedAttributes: z.optional(z.string()),
    }),
  ),
  /** `sign` only: SHA-256 (hex) of the certificate that was chosen in the first step. */
  certificate: z.optional(z.string()),
});
export type LocalSignerRequest = z.infer<typeof localSignerRequest>;

export const localSignerFault = z.enum([
  'OTHER_USER',
  'ORIGIN_REFUSED',
  'REQUEST_INVALID',
  'REQUEST_EXPIRED',
  'REQUEST_USED',
  'KEY_UNREACHABLE',
  'REFUSED_BY_USER',
  'CERTIFICATE_NONE',
  'MODULE_NONE',
  'PIN_WRONG',
  'PIN_LOCKED',
  'PIN_TRIES',
  'TOKEN_REMOVED',
  'KEY_FAILED',
  'SESSION_UNKNOWN',
  'TOO_MANY',
]);
export type LocalSignerFault = z.infer<typeof localSignerFault>;

export const localSignerSession = z.discriminatedUnion('state', [
  /** A person is looking at the window (consent, choice, PIN). */
  z.object({ state: z.literal('waiting') }),
  /** First step done. DER, base64. */
  z.object({ state: z.literal('certificate'), certificate: z.string(), chain: z.array(z.string()) }),
  /** Second step done. */
  z.object({ state: z.literal('signed'), signatures: z.array(z.object({ documentId: z.string(), value: z.string() })) }),
  /** Over; nothing was signed. */
  z.object({ state: z.literal('failed'), code: localSignerFault }),
]);
export type LocalSignerSession = z.infer<typeof localSignerSession>;
