import { DomainError } from '@lavra/domain';
import type { Person } from '../../../access/actor.ts';
import { findSessionDevice } from '../../../access/sessions.store.ts';
import type { Ctx } from '../../../context.ts';
import { holdOwnAccount } from '../hold-own-account.ts';
import { countGuess } from './count-guess.ts';
import { keepTotp } from './keep-factor.ts';

/** The app becomes a factor by its first code. @throws DomainError account.stepEnded: none was begun; codeWrong, codesLocked */
export async function confirmTotp(ctx: Ctx, actor: Person, { code }: { code: string }): Promise<{ backupCodes: string[] | null }> {
  const deviceId = await findSessionDevice(ctx, actor.sessionId);
  const guess = await countGuess(ctx, { userId: actor.userId, deviceId }, actor.from);
  const kept = await ctx.transaction(async (tx) => keepTotp(tx, await holdOwnAccount(tx, actor), code, actor.from));
  if ('refusal' in kept) throw new DomainError(kept.refusal, { field: 'code' });
  await guess.succeeded();
  return { backupCodes: kept.codes };
}
