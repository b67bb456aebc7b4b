import * as z from 'zod/mini';

/**
 * Messages between our page and LAVRA_SIGNER, the program on the signer's computer. It listens on 127.0.0.1 (and ::1) alone, on
 * the first free of `localSignerPorts`; JSON both ways. Two steps, one window, one consent:
 *
 *     POST /v1/sessions                 { request }      → 201 { session }            request: kind "certificate"
 *     GET  /v1/sessions/:session                         → { state, … }               polled every second
 *     POST /v1/sessions/:session/sign   { request }      → 202                        request: kind "sign", same session
 *     DELETE /v1/sessions/:session                       → 204                        the page gave up
 *     GET  /v1/version                                   → { name: "LAVRA_SIGNER", version }   asked on a click, never on load
 *
 * Faults are `{ code }` of `localSignerFault` with status 400, 403, 404, 409 or 429.
 */
export const localSignerPorts = [35_917, 35_918, 35_919] as const;

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
