import type { Proof } from '@lavra/api';
import { DomainError } from '@lavra/domain';
import type { Person } from '../../../access/actor.ts';
import type { Ctx } from '../../../context.ts';
import { holdOwnAccount } from '../hold-own-account.ts';
import { countFactors } from './factors.store.ts';
import { giveCodes, tell } from './keep-factor.ts';
import { proveAgain } from './prove-again.ts';

/**
 * Ten new codes; those of before are good for nothing.
 * @throws DomainError request.conflict: there is no factor that they could stand in for; and what `proveAgain` refuses
 */
export async function renewBackupCodes(ctx: Ctx, actor: Person, { proof }: { proof: Proof }): Promise<{ backupCodes: string[] }> {
  await proveAgain(ctx, actor, proof);
  return ctx.transaction(async (tx) => {
    const user = await holdOwnAccount(tx, actor);
    const { totp, passkeys } = await countFactors(tx, actor.userId);
    if (!totp && passkeys === 0) throw new DomainError('request.conflict');
    const backupCodes = await giveCodes(tx, user);
    await tell(tx, user, 'codesRenewed', { kind: 'factor.added', reason: 'backupCodes' }, actor.from);
    return { backupCodes };
  });
}
