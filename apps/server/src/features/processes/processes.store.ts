import type { Placement, ProcessEventType } from '@lavra/domain';
import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Ctx } from '../../context.ts';
import { MovedOn, type Write } from '../../db/at-once.ts';
import type { RecordedEvent } from './life/event-chain.ts';
import { everySets, REQUESTED } from './process-counts.store.ts';

/**
 * Locks the process row for the rest of the transaction: acts on one process queue up. FOR NO KEY UPDATE, because
 * every row that names the process holds FOR KEY SHARE on it: with FOR UPDATE two acts that had both inserted such
 * a row would wait for each other.
 */
export async function lockProcess(tx: Ctx, id: string): Promise<void> {
  await tx.db.selectFrom('signature_process').select('id').where('id', '=', id).forNoKeyUpdate().execute();
}

/** A signer's box in a document, in points of the page's user space. */
export interface SignerBox extends Placement {
  id: string;
  signerId: string;
  /** Name of the form field made for it in the preparation; null before. */
  fieldName: string | null;
}

export async function listPlacements(ctx: Ctx, signatureProcessId: string): Promise<SignerBox[]> {
  return ctx.db
    .selectFrom('placement')
    .innerJoin('signer', 'signer.id', 'placement.signer_id')
    .select(['placement.id', 'signer_id as signerId', 'document_id as documentId', 'page', 'x', 'y', 'width', 'height'])
    .select(['real_signature as realSignature', 'field_name as fieldName'])
    .where('signer.signature_process_id', '=', signatureProcessId)
    .execute();
}

/** The form fields that a document's preparation made, for signatures and for boxes. */
export interface PreparedFields {
  documentId: string;
  signatures: readonly { signerId: string; name: string }[];
  boxes: readonly { placementId: string; name: string }[];
}

/** Notes them, however many documents there are. */
export function fieldWrites(prepared: readonly PreparedFields[]): Write[] {
  const signatures = prepared.flatMap(({ documentId, signatures: each }) => each.map((one) => ({ ...one, documentId })));
  const boxes = prepared.flatMap((one) => one.boxes);
  const named = sql`
    update signature set field_name = f.name
    from jsonb_to_recordset(${JSON.stringify(signatures)}::jsonb) as f ("signerId" uuid, "documentId" uuid, name text)
    where signature.signer_id = f."signerId" and signature.document_id = f."documentId"`;
  const boxed = sql`
    update placement set field_name = f.name
    from jsonb_to_recordset(${JSON.stringify(boxes)}::jsonb) as f ("placementId" uuid, name text)
    where placement.id = f."placementId"`;
  return [...(signatures.length > 0 ? [{ as: 'named', query: named }] : []), ...(boxes.length > 0 ? [{ as: 'boxed', query: boxed }] : [])];
}

export async function findProcessIdOfSigner(ctx: Ctx, signerId: string): Promise<string | null> {
  const row = await ctx.db.selectFrom('signer').select('signature_process_id as id').where('id', '=', signerId).executeTakeFirst();
  return row?.id ?? null;
}

/** Whether it is a signer's turn, in a process under way. */
export async function isWaitedFor(ctx: Ctx, signerId: string): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('signer')
    .innerJoin('signature_process', 'signature_process.id', 'signer.signature_process_id')
    .select('signer.id')
    .where('signer.id', '=', signerId)
    .where('signer.status', '=', 'SENT')
    .where('signature_process.status', '=', 'IN_PROGRESS')
    .executeTakeFirst();
  return row !== undefined;
}

/** Notes a write of the creation sequence, and keeps the draft for the rest of the transaction. */
export async function touchDraft(tx: Ctx, id: string): Promise<void> {
  await tx.db
    .updateTable('signature_process')
    .set({ touched_at: tx.clock.now() })
    .where('id', '=', id)
    .where('status', '=', 'DRAFT')
    .execute();
}

/** The same as a part of the statement that adds to a draft which was read: not written (`MovedOn`) where its row is another by now. */
export function touchWrites(ctx: Ctx, { id, version }: { id: string; version: string }): Write[] {
  const query = sql`
    update signature_process set touched_at = ${ctx.clock.now()} where id = ${id} and status = 'DRAFT' and xmin::text = ${version} returning id`;
  return [{ as: 'touched', query, rows: 1, otherwise: () => new MovedOn() }];
}

/** All events of a process in order, in the shape that the chain's hash is computed over. */
export async function listEvents(ctx: Ctx, signatureProcessId: string): Promise<RecordedEvent[]> {
  const rows = await ctx.db
    .selectFrom('event')
    .select(['signature_process_id', 'seq', 'at', 'type', 'signer_id', 'data', 'previous_hash', 'hash'])
    .where('signature_process_id', '=', signatureProcessId)
    .orderBy('seq')
    .execute();
  return rows.map((row) => ({
    signatureProcessId: row.signature_process_id,
    seq: row.seq,
    at: row.at,
    type: row.type,
    signerId: row.signer_id,
    data: row.data,
    previousHash: row.previous_hash,
    hash: row.hash,
  }));
}

/** The same as JSON has it: an instant is a text. */
type EventJson = Omit<RecordedEvent, 'at'> & { at: string };

/** The events of a process (its id as SQL) in their order, for a statement that reads more on its way; `of` makes of each what `listEvents` answers. */
export const eventsJson = {
  ofProcess: (id: Expression<string>): RawBuilder<EventJson[]> => sql<EventJson[]>`(
    select coalesce(json_agg(json_build_object('signatureProcessId', signature_process_id, 'seq', seq, 'at', at, 'type', type,
      'signerId', signer_id, 'data', data, 'previousHash', previous_hash, 'hash', hash) order by seq), '[]')
    from event where event.signature_process_id = ${id})`,
  of: ({ at, ...own }: EventJson): RecordedEvent => ({ ...own, at: new Date(at) }),
};

function eventOf(ctx: Ctx, signatureProcessId: string, signerId: string, type: ProcessEventType) {
  return ctx.db
    .selectFrom('event')
    .select('seq')
    .where('signature_process_id', '=', signatureProcessId)
    .where('type', '=', type)
    .where('signer_id', '=', signerId)
    .limit(1);
}

/** Whether the log tells already that this signer was shown their link by their session. */
export async function isOwnLinkTold(ctx: Ctx, signatureProcessId: string, signerId: string): Promise<boolean> {
  const handedOut = eventOf(ctx, signatureProcessId, signerId, 'link.handedOut');
  return (await handedOut.where(sql<boolean>`data ->> 'to' = 'signer-session'`).executeTakeFirst()) !== undefined;
}

/** Whether the log has the evidence that this signer's program gave. */
export async function isEvidenceRegistered(ctx: Ctx, signatureProcessId: string, signerId: string): Promise<boolean> {
  return (await eventOf(ctx, signatureProcessId, signerId, 'signer.evidenceRegistered').executeTakeFirst()) !== undefined;
}

export async function listSignedEvents(ctx: Ctx, signatureProcessId: string) {
  return ctx.db
    .selectFrom('event')
    .select(['signer_id as signerId', 'data'])
    .where('signature_process_id', '=', signatureProcessId)
    .where('type', '=', 'signer.signed')
    .execute();
}

/**
 * Processes in progress one of whose deadlines has passed. The domain decides; this only narrows, to what the decision will end:
 * those that everybody has signed wait for their seal, and however many wait they leave the places of a sweep to others.
 */
export async function listOverdueProcessIds(ctx: Ctx, now: Date): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('signature_process')
    .select('signature_process.id')
    .where('signature_process.status', '=', 'IN_PROGRESS')
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('signer')
          .select('signer.id')
          .whereRef('signer.signature_process_id', '=', 'signature_process.id')
          .where('signer.status', '!=', 'SIGNED')
          .where((late) => late.or([late('signature_process.due_date', '<=', now), late('signer.due_date', '<=', now)])),
      ),
    )
    .limit(200)
    .execute();
  return rows.map((row) => row.id);
}

/** Processes with reminders on and someone waiting. */
export async function listRemindableProcessIds(ctx: Ctx): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('signature_process')
    .innerJoin('signer', 'signer.signature_process_id', 'signature_process.id')
    .select('signature_process.id')
    .distinct()
    .where('signature_process.status', '=', 'IN_PROGRESS')
    .where('signature_process.reminder_in', 'is not', null)
    .where('signer.status', '=', 'SENT')
    .execute();
  return rows.map((row) => row.id);
}

const DRAFTS_AT_ONCE = 200;

/**
 * Drafts whose creation sequence was left open: to be started (complete ones) or removed (older than a day). All of them, some at a
 * time: many stay until their day is over, and one account's must not stand before everybody else's.
 */
export async function* staleDrafts(ctx: Ctx, touchedBefore: Date) {
  for (let after: string | null = null; ;) {
    let query = ctx.db
      .selectFrom('signature_process')
      .select(['id', 'status', 'created_at as createdAt', 'awaits_start as awaitsStart', 'touched_at as touchedAt'])
      .where('status', '=', 'DRAFT')
      .where('touched_at', '<', touchedBefore);
    if (after !== null) query = query.where('id', '>', after);
    const drafts = await query.orderBy('id').limit(DRAFTS_AT_ONCE).execute();
    yield* drafts;
    after = drafts.at(-1)?.id ?? null;
    if (drafts.length < DRAFTS_AT_ONCE) return;
  }
}

/** Holds a draft to the end of the transaction, which is to remove it; false: it was started, or is gone. */
export async function holdDraft(tx: Ctx, id: string): Promise<boolean> {
  const draft = await tx.db
    .selectFrom('signature_process')
    .select('id')
    .where('id', '=', id)
    .where('status', '=', 'DRAFT')
    .forUpdate()
    .executeTakeFirst();
  return draft !== undefined;
}

/** Removes a draft that is held, and whose documents were released, with all that hangs on it. */
export async function deleteDraft(tx: Ctx, id: string): Promise<void> {
  const signers = tx.db.selectFrom('signer').select('id').where('signature_process_id', '=', id);
  await tx.db.deleteFrom('placement').where('signer_id', 'in', signers).execute();
  await tx.db.deleteFrom('signature').where('signature_process_id', '=', id).execute();
  await tx.db.deleteFrom('signer').where('signature_process_id', '=', id).execute();
  await tx.db.deleteFrom('stakeholder').where('signature_process_id', '=', id).execute();
  await tx.db.deleteFrom('signature_process').where('id', '=', id).execute();
}

/** Signers and interested parties of what an account has started since then, besides the process `id`. It holds the account until the end. */
export async function countPeopleCalled(tx: Ctx, ownerId: string, { id, since }: { id: string; since: Date }): Promise<number> {
  const { rows } = await sql<{ people: number }>`select people_called(${ownerId}, ${since}, ${id}) as people`.execute(tx.db);
  return rows[0]?.people ?? 0;
}

/** The same as a part of the statement that starts a process: not written (`MovedOn`) where more than `most` were called. It holds the account until the end. */
export function callsWrites(ownerId: string, { id, since, most }: { id: string; since: Date; most: number }): Write[] {
  const query = sql`select 1 where people_called(${ownerId}, ${since}, ${id}) <= ${most}::integer`;
  return [{ as: 'called', query, rows: 1, otherwise: () => new MovedOn() }];
}

/** Whether so many processes of an account were signed by everybody; no more of them are looked at. */
export async function hasFinished(ctx: Ctx, ownerId: string, count: number): Promise<boolean> {
  const rows = await ctx.db
    .selectFrom('listed_process')
    .select('signature_process_id')
    .where('user_id', '=', ownerId)
    .where(
      'sets',
      'in',
      everySets.filter((sets) => (sets & REQUESTED) !== 0),
    )
    .where('status', '=', 'FINALIZED_WITH_SUCCESS')
    .limit(count)
    .execute();
  return rows.length === count;
}

/** Whether a process in progress was agreed with this signature model. */
export async function usesModel(ctx: Ctx, modelId: string): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('signer')
    .innerJoin('signature_process', 'signature_process.id', 'signer.signature_process_id')
    .select('signer.id')
    .where('signer.model_id', '=', modelId)
    .where('signature_process.status', '=', 'IN_PROGRESS')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Why a process in progress is stuck; one that has ended keeps nothing of it, whatever job comes late. */
export async function setProblem(
  ctx: Ctx,
  signatureProcessId: string,
  problem: string,
  params: Record<string, string | number> = {},
): Promise<void> {
  await ctx.db
    .updateTable('signature_process')
    .set({ problem, problem_params: JSON.stringify(params) })
    .where('id', '=', signatureProcessId)
    .where('status', '=', 'IN_PROGRESS')
    .execute();
}

/** Why a draft, as it was last touched, does not start; null where that is known already, or it is another by now. */
export async function noteUnsent(
  tx: Ctx,
  { id, touchedAt }: { id: string; touchedAt: Date },
  problem: string,
  params: Readonly<Record<string, string | number>>,
): Promise<{ ownerId: string; title: string; createdAt: Date } | null> {
  const noted = await tx.db
    .updateTable('signature_process')
    .set({ problem, problem_params: JSON.stringify(params) })
    .where('id', '=', id)
    .where('status', '=', 'DRAFT')
    .where('touched_at', '=', touchedAt)
    .where('problem', 'is distinct from', problem)
    .returning(['owner_id as ownerId', 'title', 'created_at as createdAt'])
    .executeTakeFirst();
  return noted ?? null;
}

/** How many processes in progress are stuck for this reason. */
export async function countStuck(ctx: Ctx, problem: string): Promise<number> {
  const row = await ctx.db
    .selectFrom('signature_process')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('problem', '=', problem)
    .where('status', '=', 'IN_PROGRESS')
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Started processes whose documents are not prepared yet, and that no document of theirs holds up. */
export async function listUnpreparedProcessIds(ctx: Ctx, before: Date): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('signature_process')
    .select('id')
    .where('status', '=', 'IN_PROGRESS')
    .where('prepared_at', 'is', null)
    .where('started_at', '<', before)
    .where((eb) => eb.or([eb('problem', 'is', null), eb('problem', 'not like', 'document.%')]))
    .execute();
  return rows.map((row) => row.id);
}

/**
 * Processes in progress in which everyone has signed and the seal is missing: the last signature came before `before`, or they
 * wait for the clock. Those whose files did not verify only when asked for.
 */
export async function listUnsealedProcesses(ctx: Ctx, before: Date, withKeptBack: boolean): Promise<{ id: string; ownerId: string }[]> {
  return ctx.db
    .selectFrom('signature_process')
    .innerJoin('signer', 'signer.signature_process_id', 'signature_process.id')
    .select(['signature_process.id', 'signature_process.owner_id as ownerId'])
    .where('signature_process.status', '=', 'IN_PROGRESS')
    .where('signature_process.prepared_at', 'is not', null)
    .where(
      sql<boolean>`(${withKeptBack} or coalesce(signature_process.problem, '') not in ('process.verificationFailed', 'document.tooComplex'))`,
    )
    .groupBy(['signature_process.id', 'signature_process.owner_id'])
    .having((eb) => eb.fn<boolean>('bool_and', [eb('signer.status', '=', 'SIGNED')]), '=', true)
    .having((eb) => eb.or([eb(eb.fn.max('signer.finalized_at'), '<', before), eb('signature_process.problem', '=', 'server.clockBehind')]))
    .execute();
}

/** True where the process was started and has a signer of this e-mail. */
export async function hasSigner(ctx: Ctx, signatureProcessId: string, email: string): Promise<boolean> {
  const row = await ctx.db
    .selectFrom('signature_process')
    .innerJoin('signer', 'signer.signature_process_id', 'signature_process.id')
    .select('signer.id')
    .where('signature_process.id', '=', signatureProcessId)
    .where('signature_process.status', '!=', 'DRAFT')
    .where('signer.email', '=', email)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
