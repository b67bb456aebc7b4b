import type { Ctx } from '../context.ts';
import type { RenderedMail } from './layout.ts';

const PURPOSE = 'mail';

/** A mail's words as the outbox keeps them: whoever reads the database or a backup of it finds no link that opens anything. */
export function sealMail({ secrets }: Pick<Ctx, 'secrets'>, { subject, html, text, fromName, replyTo }: RenderedMail): Buffer {
  return secrets.encrypt(PURPOSE, Buffer.from(JSON.stringify({ subject, html, text, fromName, replyTo })));
}

export function openMail({ secrets }: Pick<Ctx, 'secrets'>, sealed: Uint8Array): RenderedMail {
  return JSON.parse(secrets.decrypt(PURPOSE, sealed).toString()) as RenderedMail;
}
