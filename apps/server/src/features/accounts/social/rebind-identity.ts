import type { Proof } from '@lavra/api';
import type { Person } from '../../../access/actor.ts';
import { recordAudit } from '../../../audit/audit.store.ts';
import type { Ctx } from '../../../context.ts';
import { holdOwnAccount } from '../hold-own-account.ts';
import { queueMail } from '../../../mail/send-mail.job.ts';
import { proveAgain } from '../second-factor/prove-again.ts';
import { listIdentities, setUnbound } from './identities.store.ts';
import { providerName } from './list-account-identities.ts';
import { identityMail } from './social.mail.ts';
import { assertOwn } from './unbind-identity.ts';

/** A provider that was unbound opens the account again. @throws DomainError request.notFound, and what `proveAgain` refuses */
export async function rebindIdentity(ctx: Ctx, actor: Person, { id, proof }: { id: string; proof: Proof }): Promise<void> {
  await assertOwn(ctx, actor, id);
  await proveAgain(ctx, actor, proof);
  const { providers } = ctx.identity;
  await ctx.transaction(async (tx) => {
    const user = await holdOwnAccount(tx, actor);
    const found = (await listIdentities(tx, actor.userId)).find((identity) => identity.id === id);
    if (!found || found.unboundAt === null) return;
    await setUnbound(tx, id, null);
    await recordAudit(tx, { kind: 'account.linked', outcome: 'success', reason: found.provider, accountId: user.id, ip: actor.from.ip });
    const values = { name: user.firstName, provider: providerName(providers, found.provider) };
    await queueMail(tx, user.email, user.langKey, identityMail(tx, user.langKey, 'linked', values));
  });
}
