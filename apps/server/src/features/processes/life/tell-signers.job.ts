import { fullName } from '@lavra/domain';
import { defineJob } from '../../../jobs/queue.ts';
import type { Ctx } from '../../../context.ts';
import { type KeptMails, type QueuedMail, sendKept, tellByMail, withdrawMails } from '../../../mail/send-mail.job.ts';
import { loadTold, type ReadTold, type ToldProcess } from '../load-process.ts';
import { brandOf } from '../../companies/find-brand.ts';
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
export const tellSignersJob = defineJob<{ signatureProcessId: string; told: readonly Told[] }, KeptMails>({
  name: 'tell-signers',
  // Days: nobody else would ever tell them.
  retryLimit: 500,
  async run(ctx, { signatureProcessId, told }, end, handed) {
    if (handed) return sendKept(ctx, handed, end);
    const read = await loadTold(ctx, signatureProcessId);
    const mails = await invitationsOf(ctx, read, told);
    // First: the job ends with its mails.
    await withdrawMails(ctx, outdated(read, told, mails));
    await tellByMail(ctx, mails, end);
  },
});

/**
 * What was kept with an act whose program died before it sent it goes out by its own job: not to whoever is no longer waited for, nor to the
 * address that was corrected since.
 */
function outdated({ keys, replaced }: ReadTold, told: readonly Told[], mails: readonly QueuedMail[]): string[] {
  const all = [...replaced, ...[...keys].map(([signerId, key]) => ({ signerId, key }))];
  const still = new Set(mails.map(({ once }) => once));
  return told.flatMap((one) =>
    all.flatMap(({ signerId, key }) => (signerId === one.signerId && !still.has(nameOf(key, one)) ? [nameOf(key, one)] : [])),
  );
}

const nameOf = (key: string, { again, reminder }: Told) => `invitation ${key} ${again ?? reminder}`;

/** What it writes to them. */
export async function invitationsOf(ctx: Ctx, { loaded, keys }: ToldProcess, told: readonly Told[]): Promise<QueuedMail[]> {
  if (loaded.status !== 'IN_PROGRESS') return [];
  const { sender: creator, senderCompany } = loaded;
  const isNew = creator === null || (await isNewSender(ctx, creator));
  const sender = { name: creator ? fullName(creator) : '', email: creator?.email ?? '', isNew };
  // Who has no history here looks like nobody else, either.
  const brand = senderCompany && !isNew ? await brandOf(ctx, senderCompany.id) : undefined;
  return told.flatMap((one): QueuedMail[] => {
    const { signerId, reminder } = one;
    const signer = loaded.signers.find(({ id, status }) => id === signerId && status === 'SENT');
    const key = keys.get(signerId);
    if (!signer || key === undefined) return [];
    const values = {
      name: signer.name,
      sender,
      title: loaded.title,
      documents: loaded.documents.map(({ name }) => name),
      due: signer.dueDate ?? loaded.dueDate,
      link: signerLink(ctx, loaded.id, key),
    };
    const content = { ...invitationMail(ctx, signer.langKey, values, reminder > 0), brand };
    return [{ to: signer.email, locale: signer.langKey, content, once: nameOf(key, one), ofLink: key }];
  });
}
