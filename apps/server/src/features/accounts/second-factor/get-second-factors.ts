import type { SecondFactors } from '@lavra/api';
import { DomainError, needsSecondFactor } from '@lavra/domain';
import type { Person } from '../../../access/actor.ts';
import type { Ctx } from '../../../context.ts';
import { findUserById } from '../accounts.store.ts';
import { countFactors, findPolicy, findTotp, listPasskeys } from './factors.store.ts';
import { arePasskeysOffered } from './passkeys.ts';

/** What the actor's account has beside its password. @throws DomainError request.unauthorized: it is gone */
export async function getSecondFactors(ctx: Ctx, actor: Person): Promise<SecondFactors> {
  const user = await findUserById(ctx, actor.userId);
  if (!user) throw new DomainError('request.unauthorized');
  const totp = await findTotp(ctx, actor.userId);
  const passkeys = await listPasskeys(ctx, actor.userId);
  const { backupCodes } = await countFactors(ctx, actor.userId);
  return {
    required: needsSecondFactor(await findPolicy(ctx), user.authorities),
    totp: totp?.confirmedAt ? { createdDate: totp.confirmedAt.toISOString(), lastUsedDate: iso(totp.lastUsedAt) } : null,
    passkeys: passkeys.map(({ id, name, synced, createdAt, lastUsedAt }) => ({
      id,
      name,
      synced,
      createdDate: createdAt.toISOString(),
      lastUsedDate: iso(lastUsedAt),
    })),
    backupCodesLeft: backupCodes,
    passkeysOffered: arePasskeysOffered(ctx),
    hasPassword: user.passwordHash !== null,
  };
}

const iso = (at: Date | null) => at?.toISOString() ?? null;
