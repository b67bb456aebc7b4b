import type { Kysely } from 'kysely';
import type { ConnectionOptions } from '../db/client.ts';
import type { Database } from '../db/tables.ts';
import { deriveSecrets, type Secrets } from '../secrets.ts';
import { StartFault } from '../start-fault.ts';
import { alone, listSealed, lockTable, replaceSealed, type Tx, writeSecretCheck } from './installation.store.ts';
import { openSecret, type SecretSettings } from './open-secret.ts';
import { claimAlone } from './presence.ts';
import { checkOf, judgeSecret } from './secret-check.ts';
import { LEAST_LENGTH, newSecret, promoteNextSecret, writeNextSecret } from './secret-file.ts';
import { type SealedColumn, sealedColumns } from './sealed-columns.ts';

export interface Rotation {
  /** `already`: the database knew the new secret before, from a rotation that was cut off after its commit. */
  outcome: 'rotated' | 'already';
  /** Values that open with the new secret now. */
  rewrapped: number;
  /** Short-lived ones that no secret opened, so that they are gone. */
  dropped: number;
}

/**
 * Key rotation: encrypts everything anew that hangs on the installation secret, in one transaction, while nobody else runs. `next`: the new
 * secret; null: one is made, where the data directory keeps it. Cut off at any point it can be begun again, and a start finds
 * its way too: the new secret lies beside the old one until the database knows it.
 * @throws StartFault
 */
export async function rotateSecret(
  db: Kysely<Database>,
  connection: ConnectionOptions,
  settings: SecretSettings,
  next: string | null,
): Promise<Rotation> {
  const presence = await claimAlone(connection);
  if (!presence) throw new StartFault('LAVRA_SECRET', 'cannot be rotated while Lavra runs over this database: stop every node first');
  try {
    if ((await judgeSecret(db, '')) === 'unknown')
      throw new StartFault('DATABASE_URL', 'nothing over this database has a secret yet: there is none to rotate');
    return settings.secret === null ? await rotateFile(db, settings, next) : await rotateGiven(db, settings.secret, next);
  } finally {
    await presence.leave();
  }
}

/** The old one and the new one come from outside, and whoever gave them keeps them. */
async function rotateGiven(db: Kysely<Database>, old: string, next: string | null): Promise<Rotation> {
  if (next === null) throw new StartFault('LAVRA_NEW_SECRET', 'missing beside LAVRA_SECRET (or on standard input, with --stdin)');
  assertNew(old, next);
  if ((await judgeSecret(db, next)) === 'opens') return { outcome: 'already', rewrapped: 0, dropped: 0 };
  await openSecret(db, { secret: old, dataDir: '' });
  return alone(db, (tx) => rewrap(tx, deriveSecrets(old), deriveSecrets(next)));
}

async function rotateFile(db: Kysely<Database>, settings: SecretSettings, given: string | null): Promise<Rotation> {
  const { secret: old, finishedRotation } = await openSecret(db, settings);
  if (finishedRotation) return { outcome: 'already', rewrapped: 0, dropped: 0 };
  const next = given ?? newSecret();
  assertNew(old, next);
  await writeNextSecret(settings.dataDir, next);
  const rotation = await alone(db, (tx) => rewrap(tx, deriveSecrets(old), deriveSecrets(next)));
  await promoteNextSecret(settings.dataDir);
  return rotation;
}

function assertNew(old: string, next: string): void {
  if (next.length < LEAST_LENGTH) throw new StartFault('LAVRA_NEW_SECRET', `at least ${LEAST_LENGTH} characters`);
  if (next === old) throw new StartFault('LAVRA_NEW_SECRET', 'is the secret that is in use');
}

async function rewrap(tx: Tx, from: Secrets, to: Secrets): Promise<Rotation> {
  const rotation: Rotation = { outcome: 'rotated', rewrapped: 0, dropped: 0 };
  for (const column of sealedColumns) {
    await lockTable(tx, column);
    for await (const { id, sealed } of listSealed(tx, column)) {
      const plain = open(from, column, id, sealed);
      await replaceSealed(tx, column, id, plain && to.encrypt(column.purpose, plain));
      if (plain) rotation.rewrapped += 1;
      else rotation.dropped += 1;
    }
  }
  await writeSecretCheck(tx, checkOf(to));
  return rotation;
}

/** Null: what was sealed with yet another secret, and would be over soon. */
function open(secrets: Secrets, { purpose, table, ifUnreadable }: SealedColumn, id: string, sealed: Buffer): Buffer | null {
  try {
    return secrets.decrypt(purpose, sealed);
  } catch (error) {
    if (ifUnreadable === 'drop') return null;
    throw new StartFault('LAVRA_SECRET', `does not open "${id}" in the table ${table}; nothing was changed`, { cause: error });
  }
}
