import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { signaturePng } from '../apps/server/src/testing/processes.ts';
import { type BenchedProduct, MEASURING } from './product.ts';
import { sentToSigner, sentToSigners } from './sent-to-signer.ts';
import { type Spent, spentBy } from './spent.ts';

/** Milliseconds. */
export interface JobTimes {
  untilSent: number;
  /** From then. */
  untilMayAct: number;
  /** From the signer's act. */
  untilSigned: number;
  untilEnded: number;
}

/** Nobody draws the same twice: a picture that is stored already is noted by a commit that waits for the disk. */
export const ownSignature = (): string => signaturePng(120, 40, randomInt(2 ** 31));

/**
 * One document through the product's own calls: uploaded, sent, looked at and signed electronically, sealed, reported, ended.
 */
export async function wholeJob(product: BenchedProduct, pdf: Uint8Array<ArrayBuffer>): Promise<JobTimes> {
  const { call, until } = product;
  const begun = performance.now();
  // A trailing comment makes each file one of its own, as real ones are.
  const { processId: id, key } = await sentToSigner(product, Buffer.concat([pdf, Buffer.from(`% ${randomUUID()}\n`)]));
  const sent = performance.now();
  await until(id, 'prepared');
  const mayAct = performance.now();
  const clicked = await signAs(product, id, key);
  await until(id, 'signed');
  const signed = performance.now();
  await until(id, 'finished');
  // What a browser asks every three seconds while it waits: once, here.
  await call('GET', `api/signature-processes/${id}`);
  return { untilSent: sent - begun, untilMayAct: mayAct - sent, untilSigned: signed - clicked, untilEnded: performance.now() - clicked };
}

/** Several documents and signers, one after the other; answers when it has ended. */
export async function largeJob(product: BenchedProduct, pdfs: readonly Uint8Array<ArrayBuffer>[], signers: number): Promise<void> {
  const own = pdfs.map((pdf) => Buffer.concat([pdf, Buffer.from(`% ${randomUUID()}\n`)]));
  const { processId, keys } = await sentToSigners(product, own, signers);
  await product.until(processId, 'prepared');
  for (const key of keys) await signAs(product, processId, key);
  await product.until(processId, 'finished');
}

/** Looks at the page and signs; answers when that was clicked. */
async function signAs({ visit }: BenchedProduct, processId: string, key: string): Promise<number> {
  const page = `api/requisitionInformation/${processId}?user=${key}`;
  const { me, consent } = await visit<{ me: { can: { sign: boolean } }; consent: { hash: string } }>('GET', page);
  if (!me.can.sign) throw new Error('prepared, and the signer may not act');
  const clicked = performance.now();
  await visit('POST', 'api/signature-evidences/initEletronicSignature', {
    processId,
    signerId: key,
    cpf: '52998224725',
    name: 'Bia Lima',
    consentHash: consent.hash,
    signatureEvidence: {
      latitude: null,
      longitude: null,
      accuracy: null,
      signatureImage: ownSignature(),
      signatureImageContentType: 'image/png',
    },
  });
  return clicked;
}

/** What a product has cost so far. */
export interface Counted extends Spent {
  rows: number;
  /** By whoever waited for it; what PostgreSQL writes down by itself five times a second is nobody's. */
  syncs: number;
  statements: number;
  wal: number;
}

/** What was spent, written, asked, and forced to disk since the server started. */
export async function count(product: BenchedProduct, client: pg.Client, reported: 'most' | 'all' = 'most'): Promise<Counted> {
  // A session reports within a second what it did, and within ten what it did last: some of that is counted with what comes after.
  await sleep(reported === 'most' ? 1500 : 10_500);
  const { rows } = await client.query<Omit<Counted, keyof Spent> & { postmaster: number; measuring: number[] }>(
    `select (select sum(n_tup_ins + n_tup_upd)::int from pg_stat_user_tables) as rows,
            (select sum(fsyncs)::int from pg_stat_io where object = 'wal' and backend_type = 'client backend') as syncs,
            (select sum(calls)::int from pg_stat_statements where query not like 'select exists (select from sig%' and query not like 'select key from signer_link%') as statements,
            (select wal_bytes::float8 from pg_stat_wal) as wal,
            (regexp_match(pg_read_file('postmaster.pid'), '^\\d+'))[1]::int as postmaster,
            array(select pid from pg_stat_activity where application_name = $1) as measuring`,
    [MEASURING],
  );
  const [found] = rows;
  if (!found) throw new Error('the server counts nothing');
  const { postmaster, measuring, ...counted } = found;
  return { ...counted, ...((await spentBy(product.pid, postmaster, measuring)) ?? { program: 0, workers: 0, database: 0 }) };
}
