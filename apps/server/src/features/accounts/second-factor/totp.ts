import { Secret, TOTP } from 'otpauth';
import type { Ctx } from '../../../context.ts';

/** What every app takes (RFC 6238 with its defaults): anything else is silently ignored by some. */
const SHAPE = { issuer: 'Lavra', algorithm: 'SHA1', digits: 6, period: 30 } as const;
/** One step before and after ours: the code may have been read a moment ago, and clocks differ (RFC 6238 §5.2). */
const WINDOW = 1;

/** A new shared secret, 160 random bits (RFC 4226 §4), sealed. */
export function newTotpSecret(ctx: Ctx): { secret: Secret; sealed: Buffer } {
  const secret = new Secret({ size: 20 });
  return { secret, sealed: ctx.secrets.encrypt('totp', secret.bytes) };
}

/** As text, as an address, and as a picture of that address, for the app to read. */
export async function showTotp(secret: Secret, label: string): Promise<{ secret: string; address: string; picture: string }> {
  const { toDataURL } = await import('qrcode');
  const address = new TOTP({ ...SHAPE, secret, label }).toString();
  return { secret: secret.base32, address, picture: await toDataURL(address, { errorCorrectionLevel: 'M', margin: 2, width: 232 }) };
}

/** The step (30 seconds each since 1970) that a code is of, now or a step beside; null: of none. */
export function stepOf(ctx: Ctx, sealedSecret: Uint8Array, typed: string): number | null {
  const token = typed.normalize('NFKC').replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return null;
  const plain = ctx.secrets.decrypt('totp', sealedSecret);
  const secret = new Secret({ buffer: new Uint8Array(plain).buffer });
  const timestamp = ctx.clock.now().getTime();
  const delta = new TOTP({ ...SHAPE, secret }).validate({ token, timestamp, window: WINDOW });
  return delta === null ? null : TOTP.counter({ period: SHAPE.period, timestamp }) + delta;
}
