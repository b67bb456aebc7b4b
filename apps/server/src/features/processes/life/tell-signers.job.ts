import { fullName } from '@lavra/domain';
import { mailedKeys } from '../../../access/signer-links.store.ts';
import { defineJob } from '../../../jobs/queue.ts';
import { type QueuedMail, tellByMail } from '../../../mail/send-mail.job.ts';
import { loadProcess } from '../load-process.ts';
import { findAccount } from '../../accounts/find-account.ts';
import { findBrand } from '../../companies/find-brand.ts';
import { invitationMail } from './process.mail.ts';
import { isNewSender } from './sender-standing.ts';
import { signerLink } from './signer-link.ts';

interface Told {
  signerId: string;
  /** Which reminder of theirs it is, from 1; 0: the invitation. */
  reminder: number;
  /** The sender asked for it: when, which is once an hour at most. */
  again?: string;
}

/**
 * Writes to signers whose turn has come, or who are reminded of it; each is told once, however often it runs. Whoever is no longer
 * waited for by then is left alone.
 */
export const tellSignersJob = defineJob<{ signatureProcessId: string; told: readonly Told[] }>({
  name: 'tell-signers',
  // Days: nobody else would ever tell them.
  retryLimit: 500,
  async run(ctx, { signatureProcessId, told }) {
    // Before the addresses: a signer who is corrected meanwhile would get their new link sent to the old one. This way round it is dead.
    const keys = await mailedKeys(
      ctx,
      told.map(({ signerId }) => signerId),
    );
    const loaded = await loadProcess(ctx, signatureProcessId);
    if (loaded.status !== 'IN_PROGRESS') return;
    const creator = await findAccount(ctx, loaded.ownerId);
    const isNew = creator === null || (await isNewSender(ctx, creator));
    const sender = { name: creator ? fullName(creator) : '', email: creator?.email ?? '', isNew };
    // Who has no history here looks like nobody else, either.
    const brand = creator && !isNew ? await findBrand(ctx, creator.id) : undefined;
    await tellByMail(ctx, async (tx) =>
      told.flatMap(({ signerId, reminder, again }): QueuedMail[] => {
        const signer = loaded.signers.find(({ id, status }) => id === signerId && status === 'SENT');
        const key = keys.get(signerId);
        if (!signer || key === undefined) return [];
        const values = {
          name: signer.name,
          sender,
          title: loaded.title,
          documents: loaded.documents.map(({ name }) => name),
          due: signer.dueDate ?? loaded.dueDate,
          link: signerLink(tx, loaded.id, key),
        };
        const content = { ...invitationMail(tx, signer.langKey, values, reminder > 0), brand };
        return [{ to: signer.email, locale: signer.langKey, content, once: `invitation ${key} ${again ?? reminder}` }];
      }),
    );
  },
});
