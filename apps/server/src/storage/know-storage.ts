import { randomUUID } from 'node:crypto';
import type { BlobPlace } from './blob-place.ts';
import type { Clock } from '../context.ts';
import type { DatabaseClient } from '../db/client.ts';
import { StartFault } from '../start-fault.ts';
import { StorageUnavailableError } from './blob-store.ts';
import { claimIdentity, listNewestBlobs, markIdentity } from './storage-identity.store.ts';

/** The note that names the database a storage belongs to. */
export const MARK = 'lavra-storage';
/** What it says of a storage that this database has left, or is on the way to. */
export const movedMark = (id: string): string => `moved:${id}`;
/** What it says of one that a backup of the database `of` is being restored into, for the database `id` to come. */
export const restoredMark = (of: string, id: string): string => `restored:${of}:${id}`;

const fault = ({ variable, value }: BlobPlace['setting'], reason: string) => new StartFault(variable, `${value}: ${reason}`);

/** Writes, reads back and deletes a probe. @throws StartFault with what the system or the bucket said */
export async function proveStorage(place: BlobPlace): Promise<void> {
  const name = `tmp/probe-${randomUUID()}`;
  const step = async <T>(what: string, act: () => Promise<T>): Promise<T> => {
    try {
      return await act();
    } catch (error) {
      throw fault(place.setting, `${what} (${causeOf(error)})`);
    }
  };
  await step('cannot be written to', () => place.writeNote(name, name));
  const back = await step('cannot be read', () => place.readNote(name));
  await step('cannot be deleted from', () => place.deleteNote(name));
  if (back !== name) throw fault(place.setting, 'what was written could not be read back');
}

function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause ? error.cause : error;
  const { code, name, message } = cause as { code?: unknown; name?: string; message?: string };
  const kind = typeof code === 'string' ? code : (name ?? 'Error');
  return message && !message.startsWith(kind) ? `${kind}: ${message}` : (message ?? kind);
}

/**
 * One storage belongs to one database: each carries the other's id. The first start writes it down in both; from then on a
 * storage without it, or with another one, is refused. The database's row is held meanwhile, so that of two nodes that
 * start at once over different folders the second sees that its own is not the one.
 * @throws StartFault
 */
export async function knowStorage(db: DatabaseClient['db'], clock: Clock, place: BlobPlace): Promise<void> {
  await claimIdentity(db, randomUUID(), async (tx, { id, isMarked }) => {
    const found = (await place.readNote(MARK))?.trim() ?? null;
    // Killed between the end of a restore and its last note.
    const isRestored = found?.startsWith('restored:') === true && found.endsWith(`:${id}`);
    if (isRestored) await place.writeNote(MARK, id);
    const mark = isRestored ? id : found;
    if (mark === movedMark(id))
      throw fault(
        place.setting,
        'its files have moved to another storage, or a move is not finished; configure the other one, or finish the move',
      );
    if (mark !== null && mark !== id)
      throw fault(place.setting, 'this storage belongs to another database; every installation needs one of its own');
    if (mark === null) await adopt(tx, place, id, isMarked);
    if (!isMarked) await markIdentity(tx, clock.now());
  }).catch((error: unknown) => {
    if (error instanceof StorageUnavailableError) throw fault(place.setting, `cannot be read (${causeOf(error)})`);
    throw error;
  });
}

/** A storage without a mark is this database's when the newest files lie in it, or when neither has anything yet. */
async function adopt(tx: DatabaseClient['db'], place: BlobPlace, id: string, isMarked: boolean): Promise<void> {
  const newest = await listNewestBlobs(tx, 5);
  const found = await Promise.all(newest.map((sha256) => place.facts(sha256)));
  const isOurs = newest.length > 0 ? found.some(Boolean) : !isMarked;
  if (!isOurs) {
    const what =
      newest.length > 0 ? 'none of the newest files that this database knows is there' : 'another storage is marked as this database’s';
    throw fault(
      place.setting,
      `this is not the storage that this database knows: ${what}. Configure or restore the right one; to go on with this one, put a file named ${MARK} with the text ${id} into it`,
    );
  }
  await place.writeNote(MARK, id);
}
