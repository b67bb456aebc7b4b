import { dueReminders, hasExpired, limits } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import { defineJob, type Job } from '../../jobs/queue.ts';
import { queueMail } from '../../mail/send-mail.job.ts';
import { deleteAbandonedDocuments } from '../documents/sweep-documents.ts';
import { announceEnd } from './announce-end.ts';
import { loadProcess } from './load-process.ts';
import { invitationMail } from './process.mail.ts';
import {
  countReminder,
  deleteDraft,
  findUser,
  listOverdueProcessIds,
  listRemindableProcessIds,
  listStaleDrafts,
  moveStatus,
} from './processes.store.ts';
import { recordEvent } from './record-event.ts';
import { isNewSender } from './sender-standing.ts';
import { signerLink } from './signer-link.ts';
import { type PrepareDocuments, startProcess } from './start-process.ts';

/** Ends processes one of whose deadlines has passed. */
export const expireProcessesJob = defineJob<Record<string, never>>({
  name: 'expire-processes',
  cron: '* * * * *',
  async run(ctx) {
    for (const id of await listOverdueProcessIds(ctx, ctx.clock.now())) await expireProcess(ctx, id);
  },
});

/** Conditional: a signature that came first wins. */
export async function expireProcess(ctx: Ctx, id: string): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { state } = await loadProcess(tx, id);
    if (!hasExpired(state, tx.clock.now())) return;
    if (!(await moveStatus(tx, id, 'IN_PROGRESS', 'FINALIZED_BY_EXPIRATION', { finalized_at: tx.clock.now() }))) return;
    await recordEvent(tx, { signatureProcessId: id, type: 'process.expired' });
    await announceEnd(tx, id);
  });
}

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

/** Starts drafts that a client left without closing, removes the ones that cannot start, and documents nobody used. */
export function sweepDraftsJob(prepareDocuments: PrepareDocuments): Job<Record<string, never>> {
  return defineJob<Record<string, never>>({
    name: 'sweep-drafts',
    cron: '* * * * *',
    async run(ctx) {
      const now = ctx.clock.now();
      const abandonedBefore = new Date(now.getTime() - limits.draftLifetimeHours * 3_600_000);
      for (const draft of await listStaleDrafts(ctx, new Date(now.getTime() - limits.draftAutoStartSeconds * 1000))) {
        if (draft.created_at < abandonedBefore) await ctx.transaction((tx) => deleteDraft(tx, draft.id));
        // One that is not complete stays until its day is over: its client may come back. Whether a sequence that
        // failed halfway is complete only its client knows: one that says it closes its own is waited for.
        else if (!draft.awaits_start)
          await startProcess(ctx, draft.owner_id, draft.id, prepareDocuments).catch((error) =>
            ctx.log.debug({ err: error }, 'draft not startable'),
          );
      }
      await deleteAbandonedDocuments(ctx, abandonedBefore);
    },
  });
}
