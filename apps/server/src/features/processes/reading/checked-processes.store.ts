import type { Modality, ProcessEventType, ProcessStatus, SignerStatus } from '@lavra/domain';
import { sql } from 'kysely';
import type { Ctx } from '../../../context.ts';

/** A started process, its events and what lists show of it, all of one moment. */
export interface CheckedProcess {
  id: string;
  ownerId: string;
  status: ProcessStatus;
  modality: Modality;
  signers: readonly { id: string; userId: string | null; order: number; status: SignerStatus }[];
  events: readonly { type: ProcessEventType; signerId: string | null; at: string }[];
  listed: readonly { userId: string; sets: number; status: ProcessStatus }[];
  /** Title, days and words of the list are the process's. */
  isWorded: boolean;
}

const AT_ONCE = 500;

/** All started processes, some at a time. */
export async function* startedProcesses(ctx: Ctx): AsyncGenerator<readonly CheckedProcess[]> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const { rows } = await sql<CheckedProcess>`
      select p.id, p.owner_id as "ownerId", p.status, p.modality,
        (select coalesce(json_agg(json_build_object('id', s.id, 'userId', s.user_id, 'order', s."order", 'status', s.status)), '[]')
          from signer s where s.signature_process_id = p.id) as signers,
        (select coalesce(json_agg(json_build_object('type', e.type, 'signerId', e.signer_id, 'at', e.at) order by e.seq), '[]')
          from event e where e.signature_process_id = p.id) as events,
        (select coalesce(json_agg(json_build_object('userId', l.user_id, 'sets', l.sets, 'status', l.status)), '[]')
          from listed_process l where l.signature_process_id = p.id) as listed,
        not exists (
          select from listed_process l where l.signature_process_id = p.id and
          (l.title, l.created_at, l.due_date, l.finalized_at, l.search) is distinct from
          (p.title, p.created_at, p.due_date, p.finalized_at, words.search)
        ) as "isWorded"
      from signature_process p cross join lateral (select words_of_process(p.id) as search) words
      where p.id > ${after} and p.status <> 'DRAFT' order by p.id limit ${AT_ONCE}`.execute(ctx.db);
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < AT_ONCE) return;
    after = last.id;
  }
}

/** Writes anew what lists show of these processes, from the rows as they stand by now. */
export async function listAnew(ctx: Ctx, ids: readonly string[]): Promise<void> {
  await sql`select list_processes(${ids}::uuid[], true)`.execute(ctx.db);
}
