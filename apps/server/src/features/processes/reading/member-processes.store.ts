import { type RawBuilder, sql } from 'kysely';
import type { ProcessStatus, SignerStatus } from '@lavra/domain';
import type { Ctx } from '../../../context.ts';

export interface MemberProcess {
  id: string;
  title: string;
  createdAt: Date;
  dueDate: Date | null;
  hasOwnDeadlines: boolean;
  status: ProcessStatus;
}

/** What somebody sent, from an instant on; null: ever. */
const sentBy = (ownerId: string, since: Date | null): RawBuilder<boolean> =>
  since === null
    ? sql`owner_id = ${ownerId} and status <> 'DRAFT'`
    : sql`owner_id = ${ownerId} and status <> 'DRAFT' and created_at >= ${since}`;

export async function countSentBy(ctx: Ctx, ownerId: string, since: Date | null): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*) as total from signature_process where ${sentBy(ownerId, since)}`.execute(
    ctx.db,
  );
  return Number(rows[0]?.total);
}

/** One page, newest first. */
export async function pageSentBy(
  ctx: Ctx,
  ownerId: string,
  since: Date | null,
  { page, size }: { page: number; size: number },
): Promise<MemberProcess[]> {
  const { rows } = await sql<MemberProcess>`
    select id, title, created_at as "createdAt", due_date as "dueDate", status,
      exists (select from signer s where s.signature_process_id = signature_process.id and s.due_date is not null) as "hasOwnDeadlines"
    from signature_process
    where ${sentBy(ownerId, since)} order by created_at desc, id desc limit ${size} offset ${page * size}`.execute(ctx.db);
  return rows;
}

/** The signers of several processes, in the order of signing. */
export async function signersOf(ctx: Ctx, processIds: readonly string[]) {
  if (processIds.length === 0) return [];
  const rows = await ctx.db
    .selectFrom('signer')
    .select(['signature_process_id as processId', 'order', 'name', 'email', 'status'])
    .where('signature_process_id', 'in', processIds)
    .orderBy('order')
    .orderBy('created_at')
    .execute();
  return rows satisfies { status: SignerStatus }[];
}
