import type { getInstallationHealth as call, Reply } from '@lavra/api';
import type { Person } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { describeProgram } from '../../program.ts';
import { DatabaseAwayError } from '../../db/database-away.ts';
import { findAttention } from './find-attention.ts';
import type { HealthReport } from './health.ts';

/** What only the program that answers knows. */
export interface HealthFacts {
  health: () => Promise<HealthReport>;
  needed: readonly string[];
}

/** How the installation is, for an administrator's page. */
export async function getInstallationHealth(ctx: Ctx, _actor: Person, { health, needed }: HealthFacts): Promise<Reply<typeof call>> {
  const { status, components } = await health();
  return {
    status,
    components: Object.entries(components).map(([name, { status: one, reason }]) => ({
      name,
      needed: needed.includes(name),
      status: one,
      reason: reason ?? null,
    })),
    attention: await findAttention(ctx).catch(nothingKnown),
    node: describeProgram(ctx.config),
  };
}

/** While the database is away that is what is wrong, and the components say so. */
function nothingKnown(error: unknown): [] {
  if (error instanceof DatabaseAwayError) return [];
  throw error;
}
