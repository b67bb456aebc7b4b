import type { Kysely } from 'kysely';
import type { Database } from '../db/tables.ts';
import { deriveSecrets, type Secrets } from '../secrets.ts';
import { findSecretCheck, listSealed, type Tx } from './installation.store.ts';
import { sealedColumns } from './sealed-columns.ts';

const PURPOSE = 'secret-check';
const TEXT = 'lavra';

export const checkOf = (secrets: Secrets): Buffer => secrets.sign(PURPOSE, TEXT);

/** What this database says of a secret. `unknown`: nothing in it was encrypted yet, so that any will do. */
export type Verdict = 'opens' | 'other' | 'unknown';

export async function judgeSecret(db: Kysely<Database> | Tx, secret: string): Promise<Verdict> {
  const secrets = deriveSecrets(secret);
  const check = await findSecretCheck(db);
  if (check) return secrets.verify(PURPOSE, TEXT, check) ? 'opens' : 'other';
  // Written by a version that kept no check: what must never be lost tells.
  for (const column of sealedColumns.filter(({ ifUnreadable }) => ifUnreadable === 'refuse'))
    for await (const { sealed } of listSealed(db, column)) return opens(secrets, column.purpose, sealed) ? 'opens' : 'other';
  return 'unknown';
}

function opens(secrets: Secrets, purpose: string, sealed: Buffer): boolean {
  try {
    secrets.decrypt(purpose, sealed);
    return true;
  } catch {
    return false;
  }
}
