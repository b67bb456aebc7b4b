import { sql } from 'kysely';
import type { Ctx } from '../../context.ts';

/** Rows as JSON has them: instants are texts. */
export interface TrueProcess {
  id: string;
  owner_id: string;
  title: string;
  status: string;
  modality: string;
  due_date: string | null;
  reminder_in: number | null;
  created_at: string;
  started_at: string | null;
  prepared_at: string | null;
  finalized_at: string | null;
  files_removed_at: string | null;
}

export interface TrueSigner {
  id: string;
  signature_process_id: string;
  user_id: string | null;
  name: string;
  email: string;
  order: number;
  status: string;
  due_date: string | null;
  created_at: string;
  invited_at: string | null;
  opened_at: string | null;
  finalized_at: string | null;
  reject_cause: string | null;
  reminders_sent: number;
  told_again_at: string | null;
}

export interface TrueEvent {
  signature_process_id: string;
  seq: number;
  at: string;
  type: string;
  signer_id: string | null;
  data: Record<string, unknown>;
}

export interface TrueSignature {
  id: string;
  signature_process_id: string;
  signer_id: string;
  status: string;
  finalized_at: string | null;
  reject_cause: string | null;
}

export interface ListedRow {
  user_id: string;
  signature_process_id: string;
  sets: number;
  status: string;
  title: string;
  created_at: string;
  due_date: string | null;
  finalized_at: string | null;
  search: string;
}

/** What the tables hold at one moment: also amid acts, since whatever they write is written with them. */
export interface Truth {
  processes: TrueProcess[];
  signers: TrueSigner[];
  events: TrueEvent[];
  signatures: TrueSignature[];
  documents: { signature_process_id: string; name: string; position: number }[];
  users: { id: string; email: string; first_name: string; last_name: string | null; activated: boolean }[];
  listed: ListedRow[];
  counts: { user_id: string; counted: number; amount: number }[];
}

/** In one statement, which sees one moment. */
export async function readTruth(ctx: Ctx): Promise<Truth> {
  const all = (query: string) => sql.raw(`(select coalesce(jsonb_agg(to_jsonb(t)), '[]') from (${query}) as t)`);
  const { rows } = await sql<Truth>`select
    ${all('select * from signature_process order by created_at, id')} as processes,
    ${all('select * from signer order by created_at, id')} as signers,
    ${all('select * from event order by signature_process_id, seq')} as events,
    ${all('select * from signature')} as signatures,
    ${all('select signature_process_id, name, position from document where signature_process_id is not null')} as documents,
    ${all('select * from app_user')} as users,
    ${all('select * from listed_process')} as listed,
    ${all('select user_id, counted, sum(amount) as amount from process_count group by user_id, counted')} as counts`.execute(ctx.db);
  const [truth] = rows;
  if (!truth) throw new Error('the tables were not read');
  return truth;
}
