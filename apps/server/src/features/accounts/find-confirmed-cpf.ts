import type { Cpf } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import { type ConfirmedCpf, findConfirmedCpfOf } from './social/identities.store.ts';

/** Whose word it is that this CPF is the account's own; null: nobody's, or it is another's. */
export async function findConfirmedCpf(ctx: Ctx, userId: string | null, cpf: Cpf): Promise<Omit<ConfirmedCpf, 'cpf'> | null> {
  const confirmed = userId === null ? null : await findConfirmedCpfOf(ctx, userId);
  if (confirmed?.cpf !== cpf) return null;
  const { by, assurance, at } = confirmed;
  return { by, assurance, at };
}
