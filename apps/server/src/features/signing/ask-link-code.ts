import { createHash, randomInt } from 'node:crypto';
import { DomainError, limits } from '@lavra/domain';
import type { SignerLink } from '../../access/actor.ts';
import { limitRate } from '../../access/limits.store.ts';
import { setLinkCode } from '../../access/signer-links.store.ts';
import type { Ctx } from '../../context.ts';
import { queueMail } from '../../mail/send-mail.job.ts';
import { ownerOf, loadProcess, processIdOfSigner } from '../processes/load-process.ts';
import { linkCodeMail } from './link-code.mail.ts';

/** What the database keeps of a code. */
export function linkCodeHash(key: string, code: string): string {
  return createHash('sha256').update(`${key} ${code}`).digest('hex');
}

/**
 * Mails a code to the signer that a link was made for which the sender handed over; the one before holds no more.
 * @throws DomainError signer.notFound: also for a link that asks for no code; request.tooMany
 */
export async function askLinkCode(ctx: Ctx, { key, signerId, channel }: SignerLink): Promise<void> {
  const id = await processIdOfSigner(ctx, signerId);
  const loaded = await loadProcess(ctx, id);
  const signer = loaded.signers.find((one) => one.id === signerId);
  if (!signer || loaded.status === 'DRAFT' || channel !== 'handedOver') throw new DomainError('signer.notFound');
  await limitRate(ctx, 'link-code', signerId);
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const owner = ownerOf(loaded);
  // A code is short-lived and asked for: no name but the installation's is needed where mail programs show who writes.
  const sender = { name: owner?.name ?? '', email: owner?.email ?? '', isNew: true };
  const until = new Date(ctx.clock.now().getTime() + limits.linkCodeMinutes * 60_000);
  await ctx.transaction(async (tx) => {
    await setLinkCode(tx, key, { hash: linkCodeHash(key, code), until });
    const values = { name: signer.name, sender, title: loaded.title, code };
    await queueMail(tx, signer.email, signer.langKey, linkCodeMail(tx, signer.langKey, values));
  });
}
