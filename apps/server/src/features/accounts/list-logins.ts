import type { Person } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { type ListAsked, listRecords } from '../../entities/records.ts';
import { userRows } from './administered-users.store.ts';

/** Accounts to choose from, by their logins. @throws DomainError request.invalid: no such sort */
export async function listLogins(ctx: Ctx, actor: Person, asked: Omit<ListAsked, 'query'>) {
  const { items, ...counted } = await listRecords(ctx, actor, userRows, asked);
  return { items: items.map(({ id, login }) => ({ id, login })), ...counted };
}
