import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { signaturePng } from '../apps/server/src/testing/processes.ts';
import type { BenchedProduct } from './product.ts';
import { sentToSigner } from './sent-to-signer.ts';
import { type Spent, spentBy } from './spent.ts';

const IMAGE = signaturePng();

/**
 * One document through the product's own calls: uploaded, sent, signed electronically, sealed, reported, ended. Answers the
 * milliseconds until it was sent, then until its signer may act, then until it has ended.
 */
export async function wholeJob(product: BenchedProduct, pdf: Uint8Array<ArrayBuffer>): Promise<number[]> {
  const { call } = product;
  const begun = performance.now();
  // A trailing comment makes each file one of its own, as real ones are.
  const { processId: id, key } = await sentToSigner(product, Buffer.concat([pdf, Buffer.from(`% ${randomUUID()}\n`)]));
  const sent = performance.now();
  const seen = await until(
    () => call<{ me: { can: { sign: boolean } }; consent: { hash: string } }>('GET', `api/requisitionInformation/${id}?user=${key}`),
    ({ me }) => me.can.sign,
  );
  const mayAct = performance.now();
  await call('POST', 'api/signature-evidences/initEletronicSignature', {
    processId: id,
    signerId: key,
    cpf: '52998224725',
    name: 'Bia Lima',
    consentHash: seen.consent.hash,
    signatureEvidence: { latitude: null, longitude: null, accuracy: null, signatureImage: IMAGE, signatureImageContentType: 'image/png' },
  });
  await until(
    () => call<{ status: string }>('GET', `api/signature-processes/${id}`),
    ({ status }) => status === 'FINALIZED_WITH_SUCCESS',
  );
  return [sent - begun, mayAct - sent, performance.now() - mayAct];
}

async function until<T>(read: () => Promise<T>, done: (value: T) => boolean): Promise<T> {
  const end = performance.now() + 60_000;
  while (performance.now() < end) {
    const value = await read();
    if (done(value)) return value;
    await sleep(50);
  }
  throw new Error('waited a minute for nothing');
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
export async function count(product: BenchedProduct, client: pg.Client): Promise<Counted> {
  // Sessions report what they did with a delay of at most a second.
  await sleep(1500);
  const { rows } = await client.query<Omit<Counted, keyof Spent> & { postmaster: number }>(
    `select (select sum(n_tup_ins + n_tup_upd)::int from pg_stat_user_tables) as rows,
            (select sum(fsyncs)::int from pg_stat_io where object = 'wal' and backend_type = 'client backend') as syncs,
            (select sum(calls)::int from pg_stat_statements) as statements,
            (select wal_bytes::float8 from pg_stat_wal) as wal,
            (regexp_match(pg_read_file('postmaster.pid'), '^\\d+'))[1]::int as postmaster`,
  );
  const [found] = rows;
  if (!found) throw new Error('the server counts nothing');
  const { postmaster, ...counted } = found;
  return { ...counted, ...((await spentBy(product.pid, postmaster)) ?? { program: 0, workers: 0, database: 0 }) };
}
