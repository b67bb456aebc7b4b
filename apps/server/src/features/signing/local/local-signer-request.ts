import { createHmac, createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { LocalSignerRequest } from '@lavra/api';
import type { Ctx } from '../../../context.ts';

const LIFETIME_MS = 5 * 60_000;
/** PKCS #8 of an Ed25519 key (RFC 8410 §7) up to its 32 bytes. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The same on every node: derived from the installation's secret. */
function signingKey(ctx: Ctx): KeyObject {
  const seed = createHmac('sha256', ctx.secrets.sign('local-signer', 'ed25519')).update('seed').digest();
  return createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' });
}

/** SPKI, base64. */
export function localSignerKey(ctx: Ctx): string {
  return createPublicKey(signingKey(ctx)).export({ format: 'der', type: 'spki' }).toString('base64');
}

/** A one-time request to the signer's computer, signed so that no other site can make one in our name. */
export function signLocalRequest(
  ctx: Ctx,
  request: Pick<LocalSignerRequest, 'kind' | 'title' | 'creator' | 'documents' | 'certificate'>,
): string {
  const now = ctx.clock.now();
  const body: LocalSignerRequest = {
    format: 1,
    origin: new URL(ctx.publicUrl).origin,
    nonce: randomBytes(18).toString('base64url'),
    issuedAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + LIFETIME_MS).toISOString(),
    ...request,
  };
  const text = Buffer.from(JSON.stringify(body)).toString('base64url');
  return `${text}.${sign(null, Buffer.from(text), signingKey(ctx)).toString('base64url')}`;
}
