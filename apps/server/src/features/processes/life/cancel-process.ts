import { canView, DomainError } from '@lavra/domain';
import type { Ctx } from '../../../context.ts';
import type { Person } from '../../../access/actor.ts';
import { actOnProcess } from './act-on-process.ts';

/** @throws DomainError process.notFound (also for somebody else's), process.notInProgress */
export async function cancelProcess(ctx: Ctx, actor: Person, id: string): Promise<void> {
  await ctx.transaction((tx) =>
    actOnProcess(tx, id, ({ status, ownerId }) => {
      const currentIsOwner = ownerId === actor.userId;
      if (!canView({ status, currentIsOwner, currentIsInvited: false })) throw new DomainError('process.notFound');
      return { kind: 'cancel', by: actor.email };
    }),
  );
}
