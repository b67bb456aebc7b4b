import { localSignerPorts } from '@lavra/api';

/** LAVRA_SIGNER on the reader's own computer: exactly its ports, by number, so that no name has to be resolved. */
const localSigner = localSignerPorts.map((port) => `http://127.0.0.1:${port}`).join(' ');

/**
 * Content Security Policy of every page. `style-src` takes a nonce (the UI library injects one sheet);
 * `ipLookupUrls`: public services that browsers may ask for their address, only where they are configured; `style-src-attr` is for positions computed by script; wasm is for image codecs of PDFs.
 */
export function contentSecurityPolicy(nonce: string, ipLookupUrls: readonly string[]): string {
  const lookups = new Set(ipLookupUrls.map((url) => new URL(url).origin));
  return [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "worker-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "font-src 'self' data:",
    "img-src 'self' data: blob:",
    ['connect-src', "'self'", localSigner, ...lookups].join(' '),
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Constant over all answers of an installation. */
export function securityHeaders(publicUrl: string): Readonly<Record<string, string>> {
  return {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    // Addresses carry capabilities (signer ids): they never travel to another site.
    'referrer-policy': 'no-referrer',
    'permissions-policy': 'geolocation=(self), camera=(), microphone=(), payment=(), usb=()',
    // Windows that our pages open (a provider's) stay in sight, so that it is seen when they are closed; who opens us gets nothing.
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'same-origin',
    // Only where the address is secure: an intranet without TLS must stay reachable.
    ...(publicUrl.startsWith('https://') ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
}
