import { canView, DomainError } from '@lavra/domain';
import type { Person } from '../../../access/actor.ts';
import type { Ctx } from '../../../context.ts';
import { actOnProcess } from './act-on-process.ts';

/**
 * Has the invitation, or a reminder, sent again to a signer who is waited for.
 * @throws DomainError process.notFound (also for somebody else's), signer.notFound, signer.toldRecently, and why the signer may not act
 */
export async function tellSignerAgain(
  ctx: Ctx,
  actor: Person,
  { id, signerId, as }: { id: string; signerId: string; as: 'invitation' | 'reminder' },
): Promise<void> {
  await ctx.transaction((tx) =>
    actOnProcess(tx, id, ({ status, ownerId }) => {
      const currentIsOwner = ownerId === actor.userId;
      if (!canView({ status, currentIsOwner, currentIsInvited: false })) throw new DomainError('process.notFound');
      return { kind: 'tellAgain', signerId, as };
    }),
  );
}
