import { randomUUID } from 'node:crypto';
import { DomainError } from '@lavra/domain';
import { type Expression, type RawBuilder, sql } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import type { Ctx } from '../../context.ts';
import { keptStatement } from '../../db/kept-statement.ts';
import { withWrites, type Write, writeAtOnce } from '../../db/at-once.ts';
import { type BlobEntry, blobWrites } from '../../storage/blobs.store.ts';
import type { AttemptState } from '../../db/process-tables.ts';
import { type HeldLoaded, processParts } from '../processes/load-process.ts';

/** What is read of an attempt, in the words of the rest. */
export const attemptColumns = [
  'signing_attempt.id',
  'signing_attempt.kind',
  'signing_attempt.state',
  'signing_attempt.reason',
  'signing_attempt.psc',
  'signing_attempt.secret',
  'signing_attempt.signer_id as signerId',
  'signing_attempt.signature_process_id as signatureProcessId',
  'signing_attempt.reason_params as reasonParams',
  'signing_attempt.expires_at as expiresAt',
  'signing_attempt.browser_hash as browserHash',
] as const;

/** One try of one signer to sign all documents. An attempt is not the signer's status. */
export interface Attempt {
  id: string;
  signerId: string;
  signatureProcessId: string;
  kind: 'electronic' | 'cloud' | 'local';
  state: AttemptState;
  /** Error code or step, and the values of that code's sentence. */
  reason: string | null;
  reasonParams: Record<string, string | number> | null;
  /** `authorizing`: until when the person, or the key on their computer, is waited for; `signing` in a cloud: until when its token lives. */
  expiresAt: Date | null;
  /** Cloud provider. */
  psc: string | null;
  /** SHA-256 (hex) of the secret of the browser that asked. */
  browserHash: string | null;
  /** Pending authorisation, then token; encrypted; null once the attempt is closed. */
  secret: Buffer | null;
}

/** What a signer gives with their act. */
export interface NewEvidence {
  signerId: string;
  attemptId: string;
  name: string;
  /** Eleven digits. */
  cpf: string;
  /** The provider whose word it is that this CPF is the signer's own, since when; null or left out: it is what the signer says. */
  cpfConfirmed?: { by: string; assurance: string | null; at: Date } | null;
  ip: string;
  /** Client's own look-up, extra evidence only. */
  clientIp: string | null;
  userAgent: string;
  /** Which way the link had come: by our mail, or through the sender with a code by our mail. */
  channel: 'mailed' | 'confirmed';
  latitude: number | null;
  longitude: number | null;
  /** Metres. */
  accuracy: number | null;
  /** Null: the stamp is a model without a picture. */
  image: { sha256: string; contentType: string } | null;
  style: string;
  /** Null: the act said nothing of it. */
  consent: { text: string; hash: string } | null;
}

/** The same as it is told later, with what the signature added. */
export interface Evidence extends Pick<
  NewEvidence,
  'signerId' | 'name' | 'cpf' | 'ip' | 'userAgent' | 'channel' | 'latitude' | 'longitude' | 'accuracy'
> {
  imageHash: string | null;
  consentText: string | null;
  consentHash: string | null;
  /** SHA-256 of the signer's certificate, once signed. */
  certificateFingerprint: string | null;
  /** Digital: the signer's own certificate, DER. */
  certificate: Buffer | null;
  /** Digital: the signature policy, dotted; null for what was signed before it was written down (AD-RB). */
  policy: string | null;
  /** The provider whose word it is that the CPF is the signer's own; null: it is what the signer says. */
  cpfConfirmedBy: string | null;
  cpfAssurance: string | null;
  cpfConfirmedAt: Date | null;
}

const plainColumns = [
  'signature_evidence.signer_id as signerId',
  'signature_evidence.name',
  'signature_evidence.cpf',
  'signature_evidence.ip',
  'signature_evidence.user_agent as userAgent',
  'signature_evidence.channel',
  'signature_evidence.latitude',
  'signature_evidence.longitude',
  'signature_evidence.accuracy',
  'signature_evidence.image_hash as imageHash',
  'signature_evidence.consent_text as consentText',
  'signature_evidence.consent_hash as consentHash',
  'signature_evidence.certificate_fingerprint as certificateFingerprint',
  'signature_evidence.policy',
  'signature_evidence.cpf_confirmed_by as cpfConfirmedBy',
  'signature_evidence.cpf_assurance as cpfAssurance',
  'signature_evidence.cpf_confirmed_at as cpfConfirmedAt',
] as const;
const evidenceColumns = [...plainColumns, 'signature_evidence.certificate'] as const;

/** What signing for somebody needs to know, in words of JSON. */
const actColumns = [
  'signing_attempt.id',
  'signing_attempt.state',
  'signing_attempt.signer_id as signerId',
  'signature_evidence.name',
  'signature_evidence.cpf',
  'signature_evidence.cpf_confirmed_by as cpfConfirmedBy',
  'signature_evidence.ip',
  'signature_evidence.channel',
  'signature_evidence.latitude',
  'signature_evidence.longitude',
  'signature_evidence.accuracy',
  'signature_evidence.image_hash as imageHash',
] as const;

export type SigningAct = Pick<Attempt, 'id' | 'state' | 'signerId'> &
  Pick<Evidence, 'name' | 'cpf' | 'cpfConfirmedBy' | 'ip' | 'channel' | 'latitude' | 'longitude' | 'accuracy' | 'imageHash'>;

const attemptOnProcess = keptStatement((db, { id, signatureProcessId }: { id: string; signatureProcessId: string }) =>
  processParts.select(db, signatureProcessId, 'files').select((eb) =>
    jsonObjectFrom(
      eb
        .selectFrom('signing_attempt')
        .innerJoin('signature_evidence', 'signature_evidence.attempt_id', 'signing_attempt.id')
        .select([...actColumns])
        .where('signing_attempt.id', '=', id)
        .whereRef('signing_attempt.signature_process_id', '=', 'signature_process.id'),
    ).as('attempt'),
  ),
);
const selectSigned = (db: Ctx['db']) =>
  db
    .selectFrom('signature_evidence')
    .innerJoin('signing_attempt', 'signing_attempt.id', 'signature_evidence.attempt_id')
    .where('signing_attempt.state', '=', 'signed');
const signedEvidence = keptStatement((db, given: { signatureProcessId: string }) =>
  selectSigned(db).select(evidenceColumns).where('signing_attempt.signature_process_id', '=', given.signatureProcessId),
);

/** As JSON has it: an instant is a text, bytes are written in hexadecimal, whatever `bytea_output` says. */
type EvidenceJson = Omit<Evidence, 'certificate' | 'cpfConfirmedAt'> & Record<'certificate' | 'cpfConfirmedAt', string | null>;

/** The evidence of everyone who signed, by signer, for a statement that reads more on its way (the process's id as SQL); `of` makes of each what `listSignedEvidence` answers. */
export const evidenceJson = {
  ofProcess: (db: Ctx['db'], id: Expression<string>): RawBuilder<EvidenceJson[]> =>
    jsonArrayFrom(
      selectSigned(db)
        .select(plainColumns)
        .select(sql<string | null>`encode(signature_evidence.certificate, 'hex')`.as('certificate'))
        .where('signing_attempt.signature_process_id', '=', id),
    ) as unknown as RawBuilder<EvidenceJson[]>,
  of: ({ certificate, cpfConfirmedAt, ...own }: EvidenceJson): Evidence => ({
    ...own,
    certificate: certificate === null ? null : Buffer.from(certificate, 'hex'),
    cpfConfirmedAt: cpfConfirmedAt === null ? null : new Date(cpfConfirmedAt),
  }),
};

/** Opens an attempt; refused with `otherwise` when the signer has one open already (a double click joins it). */
export function attemptWrites(
  ctx: Ctx,
  attempt: { id: string; signerId: string; signatureProcessId: string },
  otherwise: () => Error,
): Write[] {
  const now = ctx.clock.now();
  const query = ctx.db
    .insertInto('signing_attempt')
    .values({
      id: attempt.id,
      signer_id: attempt.signerId,
      signature_process_id: attempt.signatureProcessId,
      kind: 'electronic',
      state: 'signing',
      reason: null,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id');
  return [{ as: 'opened', query, rows: 1, otherwise }];
}

export async function findAttempt(ctx: Ctx, id: string): Promise<Attempt | undefined> {
  return ctx.db.selectFrom('signing_attempt').select(attemptColumns).where('id', '=', id).executeTakeFirst();
}

/** An attempt with what its signer gave for it, and the process that it is about with its files: of one moment. */
export interface AttemptOnProcess {
  attempt: SigningAct;
  read: HeldLoaded;
}

/** Null: there is no such attempt. */
export async function findAttemptOnProcess(ctx: Ctx, given: { id: string; signatureProcessId: string }): Promise<AttemptOnProcess | null> {
  const [row] = await attemptOnProcess(ctx.db, given);
  if (!row?.attempt) return null;
  const { attempt, ...own } = row;
  return { attempt, read: processParts.of(own) };
}

/** The open attempt, or else the newest: two may begin in the same millisecond, and the one that gave way is over. */
export async function findLastAttempt(ctx: Ctx, signerId: string): Promise<Attempt | undefined> {
  return ctx.db
    .selectFrom('signing_attempt')
    .select(attemptColumns)
    .where('signer_id', '=', signerId)
    .orderBy((attempt) => attempt('state', 'in', ['authorizing', 'signing']), 'desc')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Why a signer's attempts failed is told to nobody any more. */
export async function forgetFailures(tx: Ctx, signerId: string): Promise<void> {
  await tx.db
    .updateTable('signing_attempt')
    .set({ reason: 'signing.canceled', reason_params: null })
    .where('signer_id', '=', signerId)
    .where('state', 'in', ['failed', 'expired'])
    .execute();
}

/** How an attempt ended. `params` fill the reason's sentence; `fingerprint`: of the certificate that signed, SHA-256, hex. */
export interface AttemptEnd {
  state: Extract<AttemptState, 'signed' | 'failed' | 'expired'>;
  reason: string | null;
  params?: Readonly<Record<string, string | number>> | null;
  fingerprint?: string;
}

/** Closes an open attempt, and with it everything it held, in one statement; false when it was closed already. */
export async function closeAttempt(ctx: Ctx, id: string, end: AttemptEnd): Promise<boolean> {
  const { rows } = await sql`${withWrites(closingWrites(ctx, id, end))} select id from ended`.execute(ctx.db);
  return rows.length > 0;
}

/** The same as parts of a statement, which `ended` is refused in when it was closed already. */
export function closingWrites(ctx: Ctx, id: string, { state, reason, params = null, fingerprint }: AttemptEnd): Write[] {
  const ended = sql<string>`(select id from ended)`;
  const ending = ctx.db
    .updateTable('signing_attempt')
    .set({ state, reason, reason_params: params && JSON.stringify(params), secret: null, updated_at: ctx.clock.now() })
    .where('id', '=', id)
    .where('state', 'in', ['authorizing', 'signing'])
    .returning('id');
  const evidenced = ctx.db
    .updateTable('signature_evidence')
    .set({ certificate_fingerprint: fingerprint ?? null })
    .where('attempt_id', 'in', ended);
  return [
    // Given up or ended meanwhile: a signature without its evidence would stand in the file otherwise.
    { as: 'ended', query: ending, rows: 1, otherwise: () => new DomainError('signing.prepareAgain') },
    { as: 'forgotten', query: ctx.db.deleteFrom('prepared_signature').where('attempt_id', 'in', ended) },
    { as: 'released', query: ctx.db.deleteFrom('signing_lease').where('attempt_id', 'in', ended) },
    ...(fingerprint === undefined ? [] : [{ as: 'evidenced', query: evidenced }]),
  ];
}

/** Notes on an open attempt why its last try failed. */
export async function noteAttempt(ctx: Ctx, id: string, reason: string): Promise<void> {
  await ctx.db
    .updateTable('signing_attempt')
    .set({ reason, updated_at: ctx.clock.now() })
    .where('id', '=', id)
    .where('state', '=', 'signing')
    .execute();
}

/** Open attempts that nothing has been heard of since `before`, or that wait for the clock. */
export async function listStaleAttemptIds(ctx: Ctx, kind: 'electronic' | 'local', before: Date): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('signing_attempt')
    .select('id')
    .where('kind', '=', kind)
    .where('state', '=', 'signing')
    .where((eb) => eb.or([eb('updated_at', '<', before), eb('reason', '=', 'server.clockBehind')]))
    .limit(500)
    .execute();
  return rows.map(({ id }) => id);
}

export async function insertEvidence(tx: Ctx, evidence: NewEvidence): Promise<void> {
  const { blobs, writes } = evidenceWrites(tx, evidence);
  await writeAtOnce(tx.db, [...blobWrites(tx, blobs), ...writes]);
}

/** The same as parts of a statement, and the picture that they refer to. */
export function evidenceWrites(ctx: Ctx, evidence: NewEvidence): { blobs: BlobEntry[]; writes: Write[] } {
  const { image, consent } = evidence;
  const query = ctx.db.insertInto('signature_evidence').values({
    id: randomUUID(),
    signer_id: evidence.signerId,
    attempt_id: evidence.attemptId,
    name: evidence.name,
    cpf: evidence.cpf,
    cpf_confirmed_by: evidence.cpfConfirmed?.by ?? null,
    cpf_assurance: evidence.cpfConfirmed?.assurance ?? null,
    cpf_confirmed_at: evidence.cpfConfirmed?.at ?? null,
    ip: evidence.ip,
    client_ip: evidence.clientIp,
    user_agent: evidence.userAgent,
    channel: evidence.channel,
    latitude: evidence.latitude,
    longitude: evidence.longitude,
    accuracy: evidence.accuracy,
    image_hash: image?.sha256 ?? null,
    image_content_type: image?.contentType ?? null,
    signature_style: evidence.style,
    consent_text: consent?.text ?? null,
    consent_hash: consent?.hash ?? null,
    certificate_fingerprint: null,
    created_at: ctx.clock.now(),
  });
  return { blobs: image ? [{ sha256: image.sha256, kind: 'image' }] : [], writes: [{ as: 'evidence', query }] };
}

export async function findEvidence(ctx: Ctx, attemptId: string): Promise<Evidence | undefined> {
  return ctx.db.selectFrom('signature_evidence').select(evidenceColumns).where('attempt_id', '=', attemptId).executeTakeFirst();
}

/** The evidence of everyone who signed, by signer. */
export async function listSignedEvidence(ctx: Ctx, signatureProcessId: string): Promise<Evidence[]> {
  return signedEvidence(ctx.db, { signatureProcessId });
}

/** Nobody refers to the pictures of a process's signers any more; what they hashed to stays. */
export async function forgetPictures(tx: Ctx, signatureProcessId: string): Promise<void> {
  await tx.db
    .updateTable('signature_evidence')
    .set((eb) => ({ removed_image_hash: eb.ref('image_hash'), image_hash: null }))
    .where('image_hash', 'is not', null)
    .where('attempt_id', 'in', tx.db.selectFrom('signing_attempt').select('id').where('signature_process_id', '=', signatureProcessId))
    .execute();
}
