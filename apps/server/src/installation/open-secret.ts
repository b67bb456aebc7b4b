import type { Kysely } from 'kysely';
import type { Config } from '../config.ts';
import type { Database } from '../db/tables.ts';
import { deriveSecrets } from '../secrets.ts';
import { StartFault } from '../start-fault.ts';
import { alone, type Tx, writeSecretCheck } from './installation.store.ts';
import { checkOf, judgeSecret } from './secret-check.ts';
import { createSecretFile, dropNextSecret, promoteNextSecret, readSecretFile } from './secret-file.ts';

export type SecretSettings = Pick<Config, 'secret' | 'dataDir'>;

export interface OpenedSecret {
  secret: string;
  /** True when a rotation that was cut off has been brought to its end. */
  finishedRotation: boolean;
}

/**
 * The installation secret, which opens what this database keeps. The first start of all writes down how to know it again.
 * @throws StartFault when it is another one: nothing could be signed, and everybody would be signed out
 */
export function openSecret(db: Kysely<Database>, settings: SecretSettings): Promise<OpenedSecret> {
  return alone(db, async (tx) => {
    const opened = await (settings.secret === null ? fromFile(tx, settings.dataDir) : fromEnvironment(tx, settings.secret));
    await writeSecretCheck(tx, checkOf(deriveSecrets(opened.secret)));
    return opened;
  });
}

async function fromEnvironment(tx: Tx, secret: string): Promise<OpenedSecret> {
  if ((await judgeSecret(tx, secret)) !== 'other') return { secret, finishedRotation: false };
  throw new StartFault('LAVRA_SECRET', 'does not open what this database keeps: it is not the secret that was used with it before');
}

async function fromFile(tx: Tx, dataDir: string): Promise<OpenedSecret> {
  const { path, current, next } = await readSecretFile(dataDir);
  const verdict = current === null ? null : await judgeSecret(tx, current);
  if (current !== null && (verdict === 'opens' || verdict === 'unknown')) {
    if (next !== null) await dropNextSecret(dataDir);
    return { secret: current, finishedRotation: false };
  }
  if (next !== null && (await judgeSecret(tx, next)) === 'opens') {
    await promoteNextSecret(dataDir);
    return { secret: next, finishedRotation: true };
  }
  if (current !== null)
    throw new StartFault(
      'LAVRA_DATA_DIR',
      `the secret at ${path} does not open what this database keeps; it had another one, or LAVRA_SECRET`,
    );
  // Nothing would fit that is made now.
  if ((await judgeSecret(tx, 'none')) === 'other')
    throw new StartFault(
      'LAVRA_DATA_DIR',
      `the secret that opens what this database keeps is missing at ${path}: restore it, or set LAVRA_SECRET`,
    );
  return { secret: await createSecretFile(dataDir), finishedRotation: false };
}
