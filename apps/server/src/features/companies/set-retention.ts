import { DomainError } from '@lavra/domain';
import type { Person } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { patchCompany } from './patch-company.ts';

/** Megabytes of one file and days that files are kept, of the actor's own company. @throws DomainError company.none, retentionInvalid */
export async function setRetention(
  ctx: Ctx,
  actor: Person,
  kept: { maxDocSize: number; maxTime: number },
): Promise<{ maxDocSize: number; maxTime: number }> {
  if (actor.company === null) throw new DomainError('company.none');
  await patchCompany(ctx, actor, { id: actor.company.id, ...kept });
  return kept;
}
