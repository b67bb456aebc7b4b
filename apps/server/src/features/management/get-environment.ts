import type { getEnvironment as call, Reply } from '@lavra/api';
import type { Person } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';

/** As the specification's clients know it: a value that is not shown. */
const HIDDEN = '******';

/** What the environment sets; values only where they were declared harmless. */
export async function getEnvironment(ctx: Ctx, _actor: Person): Promise<Reply<typeof call>> {
  const { profile, environment } = ctx.config;
  const properties = Object.fromEntries(environment.map(({ name, value }) => [name, { value: value ?? HIDDEN }]));
  return { activeProfiles: [profile], propertySources: [{ name: 'environment', properties }] };
}
