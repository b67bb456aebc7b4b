import type { listInstallationCertificates as call, Reply } from '@lavra/api';
import { expiryState } from '@lavra/domain';
import type { Person } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { watchedEnds } from './watched-ends.ts';

/** Certificates and lists that the installation stands on, and how long each still holds. */
export async function listInstallationCertificates(ctx: Ctx, _actor: Person): Promise<Reply<typeof call>> {
  const now = ctx.clock.now();
  const items = (await watchedEnds(ctx)).map(({ subject, isHistory, beginsAt, endsAt, ...rest }) => {
    const { daysLeft, state } = expiryState(endsAt, now);
    return {
      id: subject,
      ...rest,
      beginsAt: beginsAt?.toISOString() ?? null,
      endsAt: endsAt.toISOString(),
      daysLeft,
      state: isHistory ? ('history' as const) : state,
    };
  });
  return { items, total: items.length };
}
