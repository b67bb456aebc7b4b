import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { signIn } from './accounts.ts';
import type { Client } from './client.ts';
import type { Ledger, ProcessNote } from './ledger.ts';
import type { StoredFiles } from './stored.ts';

/** One line of the closing table: what was acknowledged against what is there. */
export interface Finding {
  what: string;
  acknowledged: number;
  there: number;
  /** Each a sentence; empty: all is there. */
  losses: string[];
}

export interface AuditInput {
  ledger: Ledger;
  database: pg.ClientConfig;
  stored: StoredFiles;
  mailDirectory: string;
  /** Asks over HTTP, as the accounts that own the documents. */
  client: Client;
  /** Finished files that are opened by other makers' tools; every one costs half a second. */
  filesJudged: number;
}

type Rows = (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;

/** Compares the clients' notes with the product, its database, its files and its mails; reads them by other means than the product's own. */
export async function audit(input: AuditInput): Promise<Finding[]> {
  const client = new pg.Client(input.database);
  await client.connect();
  const rows: Rows = async (text, values) => (await client.query(text, values)).rows as Record<string, unknown>[];
  try {
    return [
      await uploads(input),
      ...(await processes(input, rows)),
      await signatures(input, rows),
      await events(rows),
      await blobs(input, rows),
      await files(input, rows),
      ...(await mails(input, rows)),
      await leftovers(rows),
    ];
  } finally {
    await client.end();
  }
}

async function uploads({ ledger, client }: AuditInput): Promise<Finding> {
  const losses: string[] = [];
  const owners = Map.groupBy(ledger.documents, ([, { owner }]) => owner);
  for (const [owner, documents] of owners) {
    await signIn(client, owner);
    for (const [id, { hash }] of documents) {
      const bytes = await client.bytes(`api/download/${id}`);
      if (!bytes) losses.push(`document ${id} was not handed over`);
      else if (createHash('sha256').update(bytes).digest('hex') !== hash) losses.push(`document ${id} has other bytes`);
    }
  }
  return line('uploaded documents, byte for byte', ledger.documents.size, losses);
}

/** A line of the table. */
export const line = (what: string, acknowledged: number, losses: string[]): Finding => ({
  what,
  acknowledged,
  there: acknowledged - Math.min(acknowledged, losses.length),
  losses,
});

function expectedStatus(note: ProcessNote): string[] {
  if (note.canceled) return ['CREATOR_CANCELED'];
  if (note.signers.some(({ rejected }) => rejected)) return ['FINALIZED_BY_REJECTION'];
  if (note.signers.every(({ signed }) => signed) && note.ended) return ['FINALIZED_WITH_SUCCESS'];
  return ['DRAFT', 'IN_PROGRESS', 'FINALIZED_WITH_SUCCESS', 'FINALIZED_BY_REJECTION', 'CREATOR_CANCELED'];
}

async function processes({ ledger }: AuditInput, rows: Rows): Promise<Finding[]> {
  const known = new Map(
    (await rows('select id, status, sealed_at, problem from signature_process')).map((row) => [row['id'] as string, row]),
  );
  const notes = [...ledger.processes.values()];
  const wrong = notes
    .filter((note) => !expectedStatus(note).includes(String(known.get(note.id)?.['status'])))
    .map((note) => `process ${note.id}: ${known.get(note.id)?.['status'] ?? 'gone'} instead of ${expectedStatus(note).join(' or ')}`);
  const finished = notes.filter((note) => known.get(note.id)?.['status'] === 'FINALIZED_WITH_SUCCESS');
  const unsealed = finished
    .filter((note) => !known.get(note.id)?.['sealed_at'] || known.get(note.id)?.['problem'])
    .map((note) => `process ${note.id} is finished but not sealed: ${known.get(note.id)?.['problem'] ?? 'no reason'}`);
  const untold = notes.filter(({ ended }) => !ended).map(({ id }) => `process ${id}: its story came to no end`);
  return [
    line('processes, each in the state that was acknowledged', notes.length, wrong),
    line('finished processes, sealed and without a problem', finished.length, unsealed),
    line('stories told to their end', notes.length, untold),
  ];
}

async function signatures({ ledger }: AuditInput, rows: Rows): Promise<Finding> {
  const state = new Map((await rows('select id, status from signer')).map((row) => [row['id'] as string, row['status'] as string]));
  const revisions = await rows(
    `select r.signer_id, r.document_id, count(*)::int as n from document_revision r where r.kind = 'signature' group by 1, 2`,
  );
  const events = await rows(
    `select signer_id, count(*)::int as n from event where type in ('signer.signed', 'signer.rejected') group by 1`,
  );
  const perSigner = new Map<string, number[]>();
  for (const { signer_id: id, n } of revisions) perSigner.set(String(id), [...(perSigner.get(String(id)) ?? []), Number(n)]);
  const acts = new Map(events.map((row) => [String(row['signer_id']), Number(row['n'])]));
  const losses: string[] = [];
  let acknowledged = 0;
  for (const note of ledger.processes.values()) {
    for (const signer of note.signers.filter(({ signed, rejected }) => signed || rejected)) {
      acknowledged += 1;
      const wanted = signer.rejected ? 'REJECTED' : 'SIGNED';
      if (state.get(signer.id) !== wanted) losses.push(`signer ${signer.id}: ${state.get(signer.id) ?? 'gone'} instead of ${wanted}`);
      if (acts.get(signer.id) !== 1) losses.push(`signer ${signer.id}: ${acts.get(signer.id) ?? 0} closing events instead of one`);
      const made = perSigner.get(signer.id) ?? [];
      const complete = signer.rejected ? made.length === 0 : made.length === note.documentIds.length && made.every((n) => n === 1);
      if (!complete) losses.push(`signer ${signer.id}: revisions ${JSON.stringify(made)} for ${note.documentIds.length} documents`);
    }
  }
  return line('signatures and refusals, each exactly once', acknowledged, losses);
}

interface Link {
  p: unknown;
  seq: number;
  hash: string;
  at: Date;
}

/** Recomputed from the columns alone: SHA-256 over sorted JSON, each naming the one before it. */
async function events(rows: Rows): Promise<Finding> {
  const all = await rows(
    'select signature_process_id as p, seq, at, type, signer_id as s, data, previous_hash as prev, hash from event order by 1, 2',
  );
  const losses: string[] = [];
  let previous: Link | null = null;
  for (const row of all) {
    const before: Link | null = previous?.p === row['p'] ? previous : null;
    const seq: number = (before?.seq ?? 0) + 1;
    const prev: string = before?.hash ?? '0'.repeat(64);
    const fields = {
      at: (row['at'] as Date).toISOString(),
      data: row['data'],
      previousHash: row['prev'],
      seq: row['seq'],
      signatureProcessId: row['p'],
      signerId: row['s'],
      type: row['type'],
    };
    const hash = createHash('sha256').update(sorted(fields)).digest('hex');
    if (row['seq'] !== seq || row['prev'] !== prev || row['hash'] !== hash) losses.push(`event ${String(row['p'])} ${String(row['seq'])}`);
    if (before && (row['at'] as Date) < before.at) losses.push(`event ${String(row['p'])} ${String(row['seq'])} goes back in time`);
    previous = { p: row['p'], seq: Number(row['seq']), hash: String(row['hash']), at: row['at'] as Date };
  }
  return line('events in unbroken chains', all.length, losses);
}

function sorted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const keys = Object.keys(value).toSorted();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${sorted((value as Record<string, unknown>)[key])}`).join(',')}}`;
}

async function blobs({ stored }: AuditInput, rows: Rows): Promise<Finding> {
  const wanted = await rows(`
    select blob_hash as hash from document_revision union select hash from document
    union select image_hash from signature_evidence where image_hash is not null
    union select evidence_report_hash from signature_process where evidence_report_hash is not null`);
  const losses: string[] = [];
  for (const { hash } of wanted) {
    const name = String(hash);
    const found = await hashOf(stored, name).catch((error: Error) => error.message);
    if (found !== name) losses.push(`blob ${name.slice(0, 12)}: ${found.slice(0, 80)}`);
  }
  const temporary = (await stored.oldLeftovers()).map((name) => `old leftover ${name}`);
  return line('blobs that rows name, by their hash', wanted.length, [...losses, ...temporary]);
}

async function hashOf(stored: StoredFiles, sha256: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of await stored.read(sha256)) hash.update(chunk);
  return hash.digest('hex');
}

/** The finished files in other makers' hands: an exact prefix, the right number of valid signatures, the last over the whole file. */
async function files({ ledger, stored, filesJudged }: AuditInput, rows: Rows): Promise<Finding> {
  const finished = await rows(`
    select d.id, d.hash, p.id as process, (select count(*)::int from signer s where s.signature_process_id = p.id) as signers
    from document d join signature_process p on p.id = d.signature_process_id where p.status = 'FINALIZED_WITH_SUCCESS' order by random()`);
  const directory = mkdtempSync(join(tmpdir(), 'lavra-chaos-files-'));
  const losses: string[] = [];
  const judged = finished.filter((row) => ledger.documents.has(String(row['id']))).slice(0, filesJudged);
  for (const row of judged) {
    const parts = await rows('select blob_hash as h from document_revision where document_id = $1 order by seq', [row['id']]);
    const bytes: Buffer[] = [];
    for (const { h } of parts) for await (const chunk of await stored.read(String(h))) bytes.push(chunk);
    const path = join(directory, 'file.pdf');
    writeFileSync(path, Buffer.concat(bytes));
    losses.push(...judge(path, Number(row['signers'])).map((fault) => `document ${String(row['id'])}: ${fault}`));
  }
  rmSync(directory, { recursive: true });
  return line(`finished files (of ${finished.length}) that pdfsig and qpdf accept`, judged.length, losses);
}

/** A signature of each signer, the platform's seal, and a document timestamp (which poppler names without judging it). */
function judge(path: string, signers: number): string[] {
  const said = spawnSync('pdfsig', ['-nocert', path], { encoding: 'utf8' }).stdout;
  const valid = said.match(/Signature is Valid/g)?.length ?? 0;
  const fields = said.match(/^Signature #\d+/gm)?.length ?? 0;
  const covered = said.match(/Total document signed/g)?.length ?? 0;
  const faults: string[] = [];
  if (valid !== signers + 1) faults.push(`${valid} valid signatures instead of ${signers + 1}`);
  if (fields !== signers + 2) faults.push(`${fields} signature fields instead of ${signers + 2}`);
  if (covered !== 1) faults.push(`${covered} signatures cover the whole file instead of one`);
  const checked = spawnSync('qpdf', ['--check', path], { encoding: 'utf8' });
  if (checked.status !== 0) faults.push(`qpdf: ${checked.stderr.split('\n')[0] ?? ''}`);
  return faults;
}

async function mails({ ledger, mailDirectory }: AuditInput, rows: Rows): Promise<Finding[]> {
  const unsent = await rows('select id, error from mail where sent_at is null');
  const outbox = await rows('select count(*)::int as n from mail');
  const caught = caughtMails(mailDirectory);
  const invited = [...ledger.processes.values()].flatMap((note) =>
    note.signers.filter(({ signed, rejected }) => signed || rejected).map(({ email, key }) => ({ email, key: key ?? 'no key' })),
  );
  const missing = invited.filter(({ email, key }) => !caught.some((mail) => mail.to === email && mail.text.includes(key)));
  const seen = new Map<string, Set<string>>();
  for (const mail of caught) {
    const what = `${mail.to} ${mail.subject}`;
    seen.set(what, (seen.get(what) ?? new Set()).add(mail.messageId));
  }
  // One mail may arrive twice under one Message-ID: killed between the server's 250 and our note of it.
  const twice = [...seen].filter(([, ids]) => ids.size > 1).map(([what]) => `two different mails: ${what}`);
  return [
    line(
      'mails of the outbox, all delivered',
      Number(outbox[0]?.['n'] ?? 0),
      unsent.map(({ id, error }) => `mail ${String(id)}: ${String(error)}`),
    ),
    line(
      'invitations in the mailboxes of those who acted',
      invited.length,
      missing.map(({ email }) => `no invitation for ${email}`),
    ),
    line('mails, none of them twice', caught.length, twice),
  ];
}

export interface CaughtMail {
  to: string;
  subject: string;
  text: string;
  messageId: string;
}

/** Every mail that the make-believe server took. */
export function caughtMails(directory: string): CaughtMail[] {
  const names = readdirSync(directory).filter((name) => name.endsWith('.json'));
  return names.map((name) => JSON.parse(readFileSync(join(directory, name), 'utf8')) as CaughtMail);
}

/** Nothing half done: no open attempt, no lease, no job that waits, failed or was cut. */
async function leftovers(rows: Rows): Promise<Finding> {
  const left = [
    ...(await rows(`select 'open attempt' as what, id::text from signing_attempt where state in ('authorizing', 'signing')`)),
    ...(await rows(`select 'lease' as what, signature_process_id::text as id from signing_lease where expires_at > now()`)),
    ...(await rows(
      `select 'job ' || name || ' ' || state as what, id::text from pgboss.job where state in ('created', 'retry', 'active', 'failed') and name not like '\\_\\_pgboss%' and name not in (select name from pgboss.schedule)`,
    )),
  ];
  const done = await rows(`select count(*)::int as n from pgboss.job where state = 'completed'`);
  const count = Number(done[0]?.['n'] ?? 0);
  return line(
    'jobs, attempts and leases brought to an end',
    count,
    left.map(({ what, id }) => `${String(what)} ${String(id)}`),
  );
}
