import type { Logger } from 'pino';
import type { Clock } from '../context.ts';
import type { DatabaseClient } from '../db/client.ts';
import { noteFault, noteHealed, noteStored } from './blobs.store.ts';
import type { StorageLedger } from './verified-store.ts';

/** The storage's books in the database, on connections of their own: a fault is told although what met it is rolled back. */
export function keepLedger(db: DatabaseClient['db'], clock: Clock, log: Logger): StorageLedger {
  let last: Promise<unknown> = Promise.resolve();
  // One after the other: what was healed was at fault before.
  const later = (act: () => Promise<unknown>) => {
    last = last.then(act).catch((error: unknown) => log.error({ err: error }, 'a storage fault could not be recorded'));
  };
  return {
    stored: (blob) => noteStored(db, clock, blob),
    fault(fault) {
      log.error({ blob: fault.sha256.slice(0, 12), fault: fault.kind }, 'a stored file is missing or damaged');
      later(() => noteFault(db, clock, { hash: fault.sha256, fault: fault.kind }));
    },
    healed(sha256) {
      log.warn({ blob: sha256.slice(0, 12) }, 'a stored file that was missing or damaged is intact again');
      later(() => noteHealed(db, clock, sha256));
    },
  };
}
