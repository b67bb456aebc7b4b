import type { Readable } from 'node:stream';
import type { Person } from '../../access/actor.ts';
import { recordAudit } from '../../audit/audit.store.ts';
import type { Ctx } from '../../context.ts';
import { findDataSubject, readPersonalAccount } from '../accounts/personal-account.ts';
import { readMembership } from '../companies/personal-membership.ts';
import { readModels } from '../signature-models/personal-models.ts';
import { personalArchive } from './personal-archive.ts';

/**
 * What is kept of an account's person, for them to have. Of others it says what they themselves entered, and no more than they may see
 * in their lists.
 * @throws DomainError request.notFound, user.erased
 */
export async function exportPersonalData(ctx: Ctx, actor: Person, { accountId }: { accountId: string }): Promise<Readable> {
  const subject = await findDataSubject(ctx, accountId);
  const [account, membership, signatureModels] = await Promise.all([
    readPersonalAccount(ctx, subject),
    readMembership(ctx, subject),
    readModels(ctx, subject.id),
  ]);
  const archive = await personalArchive(ctx, {
    subject,
    langKey: subject.langKey,
    kept: { ...account, ...membership, signatureModels },
  });
  await recordAudit(ctx, {
    kind: 'account.exported',
    outcome: 'success',
    accountId: actor.userId,
    subjectId: subject.id,
    ip: actor.from.ip,
  });
  return archive;
}
