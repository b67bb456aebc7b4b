import type { AccountIdentity } from '@lavra/api';
import type { Person } from '../../../access/actor.ts';
import type { Ctx } from '../../../context.ts';
import type { ProviderFacts } from '../../../identity/identity.ts';
import { listIdentities } from './identities.store.ts';

/** The providers that open the actor's account, and those that did. */
export async function listAccountIdentities(ctx: Ctx, actor: Person): Promise<{ identities: AccountIdentity[] }> {
  const identities = await listIdentities(ctx, actor.userId);
  return {
    identities: identities.map(({ id, provider, linkedAt, lastUsedAt, unboundAt }) => ({
      id,
      provider: providerName(ctx.identity.providers, provider),
      linkedDate: linkedAt.toISOString(),
      lastUsedDate: lastUsedAt.toISOString(),
      unboundDate: unboundAt?.toISOString() ?? null,
    })),
  };
}

/** As its button has it, where it still has one. */
export function providerName(providers: readonly ProviderFacts[], provider: string): string {
  return providers.find(({ id }) => id === provider)?.name ?? provider;
}
