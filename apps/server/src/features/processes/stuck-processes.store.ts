import { sql } from 'kysely';
import type { Ctx } from '../../context.ts';

export interface StuckRow {
  id: string;
  ownerId: string;
  problem: string | null;
  problemParams: Record<string, string | number> | null;
  startedAt: Date | null;
  preparedAt: Date | null;
  /** When everybody had signed; null: somebody has not. */
  signedAt: Date | null;
}

const MOST = 200;

/** Processes in progress that say why they do not go on, or that nobody has prepared or sealed since `before`; the oldest first. */
export async function listStuck(ctx: Ctx, before: Date): Promise<StuckRow[]> {
  return selectStuck(ctx)
    .where((eb) =>
      eb.or([
        eb('p.problem', 'is not', null),
        eb.and([eb('p.prepared_at', 'is', null), eb('p.started_at', '<', before)]),
        eb.and([eb('p.prepared_at', 'is not', null), eb('s.signed_at', '<', before)]),
      ]),
    )
    .orderBy('p.started_at')
    .orderBy('p.id')
    .limit(MOST)
    .execute();
}

export async function findStuck(ctx: Ctx, id: string): Promise<StuckRow | undefined> {
  return selectStuck(ctx).where('p.id', '=', id).executeTakeFirst();
}

function selectStuck(ctx: Ctx) {
  return ctx.db
    .selectFrom('signature_process as p')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('signer')
          .select(sql<Date | null>`case when bool_and(signer.status = 'SIGNED') then max(signer.finalized_at) end`.as('signed_at'))
          .whereRef('signer.signature_process_id', '=', 'p.id')
          .as('s'),
      (join) => join.onTrue(),
    )
    .select(['p.id', 'p.owner_id as ownerId', 'p.problem', 'p.problem_params as problemParams', 'p.started_at as startedAt'])
    .select(['p.prepared_at as preparedAt', 's.signed_at as signedAt'])
    .where('p.status', '=', 'IN_PROGRESS');
}
