import { dueReminders } from '@lavra/domain';
import type { Ctx } from '../../../context.ts';
import { defineJob } from '../../../jobs/queue.ts';
import { queueMail } from '../../../mail/send-mail.job.ts';
import { loadProcess } from '../load-process.ts';
import { countReminder, findUser, listRemindableProcessIds } from '../processes.store.ts';
import { invitationMail } from './process.mail.ts';
import { recordEvent } from './record-event.ts';
import { isNewSender } from './sender-standing.ts';
import { signerLink } from './signer-link.ts';

/** Sends the reminders that are due, each once over all nodes. */
export const sendRemindersJob = defineJob<Record<string, never>>({
  name: 'send-reminders',
  cron: '*/10 * * * *',
  async run(ctx) {
    for (const id of await listRemindableProcessIds(ctx)) await remind(ctx, id);
  },
});

async function remind(ctx: Ctx, id: string): Promise<void> {
  const { row, signers, documents } = await loadProcess(ctx, id);
  const waitingSigners = signers
    .filter((signer) => signer.status === 'SENT')
    .map((signer) => ({ ...signer, invitedAt: signer.invited_at, dueDate: signer.due_date, remindersSent: signer.reminders_sent }));
  const due = dueReminders({ reminderIn: row.reminder_in, dueDate: row.due_date, waitingSigners }, ctx.clock.now());
  const creator = await findUser(ctx, row.owner_id);
  const newSender = creator && (await isNewSender(ctx, creator)) ? creator.email : null;
  for (const signer of waitingSigners.filter(({ id: signerId }) => due.some((other) => other.id === signerId))) {
    await ctx.transaction(async (tx) => {
      if (!(await countReminder(tx, signer.id, signer.remindersSent))) return;
      const values = {
        name: signer.name,
        creator: creator?.first_name ?? '',
        title: row.title,
        documents: documents.map(({ name }) => name),
        due: signer.dueDate ?? row.due_date,
        link: signerLink(tx, id, signer.id),
        newSender,
      };
      await queueMail(tx, signer.email, signer.lang_key, invitationMail(tx, signer.lang_key, values, true));
      await recordEvent(tx, { signatureProcessId: id, type: 'signer.reminded', signerId: signer.id, data: { name: signer.name } });
    });
  }
}
