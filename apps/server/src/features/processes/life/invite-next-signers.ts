import { signersToInvite } from '@lavra/domain';
import type { Ctx } from '../../../context.ts';
import { queueMail } from '../../../mail/send-mail.job.ts';
import { loadProcess } from '../load-process.ts';
import { invitationMail } from './process.mail.ts';
import { markInvited } from '../inbox.store.ts';
import { findUser } from '../processes.store.ts';
import { recordEvent } from './record-event.ts';
import { isNewSender } from './sender-standing.ts';
import { signerLink } from './signer-link.ts';

/** Invites everyone whose turn has come; inside the transaction that made it come. Nobody is invited twice. */
export async function inviteNextSigners(tx: Ctx, signatureProcessId: string): Promise<void> {
  const { row, state, signers, documents } = await loadProcess(tx, signatureProcessId);
  if (row.status !== 'IN_PROGRESS') return;
  const due = signersToInvite(state.signers);
  await markInvited(
    tx,
    due.map(({ id }) => id),
    tx.clock.now(),
  );
  const creator = await findUser(tx, row.owner_id);
  const newSender = creator && (await isNewSender(tx, creator)) ? creator.email : null;
  for (const { id } of due) {
    const signer = signers.find((candidate) => candidate.id === id);
    if (!signer) continue;
    const content = invitationMail(tx, signer.lang_key, {
      name: signer.name,
      creator: creator?.first_name ?? '',
      title: row.title,
      documents: documents.map(({ name }) => name),
      due: signer.due_date ?? row.due_date,
      link: signerLink(tx, row.id, signer.id),
      newSender,
    });
    await queueMail(tx, signer.email, signer.lang_key, content);
    await recordEvent(tx, { signatureProcessId, type: 'signer.invited', signerId: id, data: { name: signer.name, channel: 'e-mail' } });
  }
}
