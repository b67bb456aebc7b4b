import { DomainError } from '@lavra/domain';
import type { Person } from '../../../access/actor.ts';
import type { Ctx } from '../../../context.ts';
import { updatePasskeyName } from './factors.store.ts';
import { checkedPasskeyName } from './keep-factor.ts';

/** @throws DomainError request.notFound; text.invisible, record.nameRequired, nameTooLong */
export async function renamePasskey(ctx: Ctx, actor: Person, input: { id: string; name: string }): Promise<void> {
  const name = checkedPasskeyName(input.name);
  if (!(await updatePasskeyName(ctx, actor.userId, input.id, name))) throw new DomainError('request.notFound');
}
