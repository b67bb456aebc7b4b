import type { ProcessState } from '@lavra/domain';
import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../context.ts';
import { MovedOn, withWrites, type Write, writeAtOnce } from '../../db/at-once.ts';
import type { JobEnd } from '../../jobs/queue.ts';
import { type BlobEntry, blobWrites } from '../../storage/blobs.store.ts';
import { markParts, type RecordingInstant } from '../clock/clock-watch.ts';
import type { HeldProcess, ToldProcess, ToPrepare } from './aggregate.store.ts';
import { accountsInvited } from './inbox.store.ts';
import type { RecordedEvent } from './life/event-chain.ts';
import type { ChainEnd, SignatureProcess } from './signature-process.ts';

/** What is written of a decision: the state before and after it, its events, and the chain's end that they follow. */
export interface Written {
  before: SignatureProcess;
  next: ProcessState;
  end: ChainEnd;
  records: readonly RecordedEvent[];
  instant: RecordingInstant;
}

/**
 * A process that was read, as it stands when the decision on it is written: what was read hangs on its chain, whose next place somebody else would have
 * taken.
 */
export type Standing = <Held extends HeldProcess>(read: Held) => Held;

/** What is known by then, of what the jobs of what must follow would read themselves. */
export interface Handed {
  prepareDocuments?: ToPrepare;
  /** What mails are written from: they are kept with the act. */
  tellSigners?: ToldProcess;
  announceEnd?: ToldProcess;
}

/** What a decision changes, and what is written with it, in its statement: all of it or nothing. */
export interface Beside {
  /** The sealed evidence report, with the end. */
  report?: { hash: string; size: number };
  /** Blobs that any of it refers to. */
  blobs?: readonly BlobEntry[];
  writes?: readonly Write[];
  /** Jobs, by whoever writes it: one that is taken with its statement (jobs/queue.ts) is begun by that alone, and a second try has its own. */
  sends?: (by: Ctx, standing: Standing) => Promise<Write[]>;
  /** What the jobs of what must follow are handed. */
  hands?: (standing: Standing) => Handed;
  /** The job whose act it is, and that has nothing to do afterwards. */
  ends?: JobEnd | undefined;
  /** The row of the process as it was read (`HeldProcess`): of a draft no event tells that something was added. */
  version?: string;
}

/**
 * Writes a decision in one statement: the events, and what they change of the process, its signers and their signatures; each
 * change from the state that was decided on. The row of the process is held by then (`findProcess` with `lock`). False, and nothing
 * written, when the chain has gone on meanwhile: what was decided on was not the newest state.
 */
export async function writeDecision(tx: Ctx, written: Written): Promise<boolean> {
  const { before, end } = written;
  const newest = sql`select 1 where coalesce((select max(seq) from event where signature_process_id = ${before.id}), 0) = ${end.seq}`;
  const writes = decisionWrites(written, newest, {});
  const counted = writes.filter(({ rows }) => rows !== undefined);
  const counts = counted.map(({ as }) => sql`(select count(*)::int from ${sql.id(as)})`);
  const answer = await sql<{ isNewest: boolean; counts: number[] }>`
    ${withWrites(writes)} select exists (select from newest) as "isNewest", array[${sql.join(counts)}] as counts
  `.execute(tx.db);
  const [done] = answer.rows;
  if (!done?.isNewest) return false;
  if (counted.some(({ rows }, index) => rows !== done.counts[index])) throw notWhole();
  return true;
}

/**
 * The same with what belongs to it, by one statement that is its own transaction, about a process that nobody holds: it takes the row first, as all
 * acts do, and whoever was there before has taken the place in the chain, whose key refuses a second. The clock's mark, older by what
 * was made since it was read, is compared again. False, and nothing written, when the chain, or the mark, has gone on meanwhile, or a part
 * of `beside` says so (`MovedOn`).
 * @throws what a part of `beside` has for its refusal
 */
export async function writeDecisionAtOnce(
  ctx: Ctx,
  written: Written,
  { report, blobs = [], writes = [], version }: Beside,
): Promise<boolean> {
  const { before, instant } = written;
  const moved = () => new MovedOn();
  const unchanged = version === undefined ? sql`` : sql` and xmin::text = ${version}`;
  const newest = sql`select 1 from signature_process where id = ${before.id}${unchanged} for no key update`;
  const clock = { as: 'clock', query: markParts.isNotBehind(instant.now), rows: 1, otherwise: moved };
  const [held, ...decision] = decisionWrites(written, newest, report ? { report } : {});
  const all = [held && { ...held, rows: 1, otherwise: moved }, clock, ...decision, ...blobWrites(ctx, blobs), ...writes];
  try {
    await writeAtOnce(
      ctx.db,
      all.filter((one) => one !== undefined),
    );
    return true;
  } catch (error) {
    const { code, constraint } = error as { code?: string; constraint?: string };
    if (error instanceof MovedOn || (code === '23505' && constraint === 'event_pkey')) return false;
    throw error;
  }
}

const notWhole = () => new Error('a decision was not written as it was made');

/** `newest`: a row while what was decided on is the newest state. */
function decisionWrites(
  { before, next, records, instant }: Written,
  newest: RawBuilder<unknown>,
  { report }: Pick<Beside, 'report'>,
): Write[] {
  const changed = next.signers.flatMap((signer, index) => {
    const was = before.signers[index];
    return was && was !== signer ? [{ ...signer, was: was.status }] : [];
  });
  const isMoved = next.status !== before.status || next.preparedAt !== before.preparedAt || next.filesRemovedAt !== before.filesRemovedAt;
  const isFreed = before.status === 'DRAFT' || next.preparedAt !== before.preparedAt || next.status === 'FINALIZED_WITH_SUCCESS';
  const reported = report
    ? sql`, sealed_at = ${instant.now}, evidence_report_hash = ${report.hash}, evidence_report_size = ${report.size}`
    : sql``;
  const moving = sql`
    update signature_process set
      status = ${next.status}, started_at = ${next.startedAt}, prepared_at = ${next.preparedAt}, finalized_at = ${next.finalizedAt},
      files_removed_at = ${next.filesRemovedAt},
      problem = case when ${isFreed} then null else problem end,
      problem_params = case when ${isFreed} then null else problem_params end${reported}
    from newest where id = ${before.id} and status = ${before.status}
    returning id`;
  const marked = instant.mark ? [{ as: 'marked', query: markParts.advance(instant.mark) }] : [];
  return [
    { as: 'newest', query: newest, isRead: true },
    {
      as: 'appended',
      rows: records.length,
      otherwise: notWhole,
      query: sql`
        insert into event (signature_process_id, seq, at, type, signer_id, data, previous_hash, hash)
        select ${before.id}, seq, at, type, "signerId", data, "previousHash", hash
        from newest, jsonb_to_recordset(${JSON.stringify(records)}::jsonb)
          as e (seq int, at timestamptz, type text, "signerId" uuid, data jsonb, "previousHash" text, hash text)
        returning seq`,
    },
    // What changes nothing is left out: its triggers, one for each statement, would run all the same.
    ...(isMoved ? [{ as: 'moved', rows: 1, otherwise: notWhole, query: moving }] : []),
    ...(changed.length > 0 ? signerWrites(before.id, changed) : []),
    ...marked,
  ];
}

/** The account that an invited signer has; its words are the inbox's. Who is corrected while they wait is nobody's until they are called. */
function signerWrites(id: string, changed: readonly { id: string; status: string; was: string }[]): Write[] {
  const invited = changed.filter(({ was, status }) => was === 'WAITING' && status !== was).map((signer) => signer.id);
  return [
    { as: 'account', query: accountsInvited(invited), isRead: true },
    {
      as: 'changed',
      rows: changed.length,
      otherwise: notWhole,
      query: sql`
        update signer set
          status = c.status, invited_at = c."invitedAt", opened_at = c."openedAt", finalized_at = c."finalizedAt",
          reject_cause = c."rejectCause", reminders_sent = c."remindersSent", told_again_at = c."toldAgainAt",
          user_id = case when c.was = 'WAITING' and c.status <> c.was then coalesce(user_id, (select id from account where account.email = signer.email and account.activated)) else user_id end
        from newest, jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as c (
          id uuid, was text, status text, "invitedAt" timestamptz, "openedAt" timestamptz, "finalizedAt" timestamptz,
          "rejectCause" text, "remindersSent" int, "toldAgainAt" timestamptz
        )
        where signer.id = c.id and signer.signature_process_id = ${id} and signer.status = c.was
        returning signer.id, signer.status, signer.finalized_at, signer.reject_cause`,
    },
    {
      as: 'closed',
      query: sql`
        update signature set status = changed.status, finalized_at = changed.finalized_at, reject_cause = changed.reject_cause
        from changed where signature.signer_id = changed.id and changed.status in ('SIGNED', 'REJECTED')`,
    },
  ];
}
