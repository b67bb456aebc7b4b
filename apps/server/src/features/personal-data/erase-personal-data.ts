import type { Person } from '../../access/actor.ts';
import { recordAudit } from '../../audit/audit.store.ts';
import type { Ctx } from '../../context.ts';
import { eraseAccount } from '../accounts/personal-account.ts';
import { eraseMembership } from '../companies/personal-membership.ts';
import { assertOwnsNoContract } from '../plans/assert-owns-no-contract.ts';
import { eraseFromProcesses, listSignersOf } from '../processes/life/personal-processes.ts';
import { eraseModels } from '../signature-models/personal-models.ts';
import { eraseFailedActs } from '../signing/personal-evidence.ts';
import { eraseFilesJob } from './erase-files.job.ts';

/**
 * Erases an account's person, for good: who they are, every way in, their models, drafts and company, what they gave for signatures that
 * were never made. What is evidence for others stays (docs/personal-data.md): signed documents, the acts of signing, the logs. The
 * files of what ended without success go with a job of the same transaction. The log of it names nobody: two ids.
 * @throws DomainError request.notFound, user.erased, user.erasureUnconfirmed, user.lastAdministrator, user.processesRunning,
 * user.ownsContract, company.lastAdministrator
 */
export async function erasePersonalData(ctx: Ctx, actor: Person, input: { accountId: string; confirmed: string }): Promise<void> {
  await ctx.transaction(async (tx) => {
    const { id, email } = await eraseAccount(tx, actor, input);
    await assertOwnsNoContract(tx, id);
    await eraseFailedActs(tx, await listSignersOf(tx, { id, email }));
    await eraseFromProcesses(tx, { id, email });
    await eraseMembership(tx, { id, email });
    await eraseModels(tx, id);
    await tx.jobs.send(eraseFilesJob, { accountId: id }, { key: id });
    await recordAudit(tx, { kind: 'account.erased', outcome: 'success', accountId: actor.userId, subjectId: id, ip: actor.from.ip });
  });
}
