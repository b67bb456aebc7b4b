import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { fromKysely, type PgBoss } from 'pg-boss';
import type { Database } from '../db/tables.ts';
import { jobWrites, listening, type Taking } from './job-writes.store.ts';
import type { JobHandle, JobSender, SendOptions } from './queue.ts';
import { CHANNEL, type Place, type Runner } from './runner.ts';

/** Sends the jobs of whoever uses this connection; `placeFor`: where one that it writes may begin in this program. */
export function senderFor(boss: PgBoss, db: Kysely<Database>, placeFor: Runner['placeFor']): JobSender {
  const given = fromKysely(db);
  return {
    async send(job, data, options = {}) {
      const id = await boss.send(job.name, data, { db: given, ...optionsOf(options) });
      if (id === null && !isOnce(job, options)) throw notAccepted(job);
      // Of what is for later the queue tells nobody: programs that rest would look too late.
      if (options.afterMs) await given.executeSql(`select pg_notify('${CHANNEL}', $1)`, [job.name]);
    },
    async sendEach(job, each, seconds = 0) {
      if (each.length > 0) await boss.insert(job.name, insertsOf(each, seconds), { db: given });
    },
    async written(job, data, options = {}) {
      const asked = listening();
      const place = options.afterMs || db.isTransaction ? null : placeFor(job.name);
      const id = randomUUID();
      await boss.send(job.name, data, { db: asked.db, id, ...optionsOf(options) });
      const refusal = isOnce(job, options) ? null : () => notAccepted(job);
      return jobWrites(
        job.name,
        asked.heard(),
        refusal,
        place && takingOf(place, { id, data, turn: options.turn ?? null, handed: options.handed }, given),
      );
    },
    async writtenEach(job, each, seconds = 0) {
      if (each.length === 0) return [];
      const asked = listening();
      await boss.insert(job.name, insertsOf(each, seconds), { db: asked.db });
      return jobWrites(job.name, asked.heard(), null);
    },
    hasPlaceFor: ({ name }) => !db.isTransaction && placeFor(name) !== null,
    async retry(name, id) {
      // Its declaration says nothing of what it answers.
      const { affected } = (await boss.retry(name, id, { db: fromKysely(db) })) as { affected?: number };
      return affected === 1;
    },
  };
}

function takingOf(
  place: Place,
  { id, data, turn, handed }: { id: string; data: object; turn: string | null; handed: unknown },
  given: ReturnType<typeof fromKysely>,
): Taking {
  const isOurs = turn !== null && place.holdsAllOf(turn);
  return {
    turn:
      place.perTurn === null || turn === null
        ? null
        : { of: turn, most: place.perTurn, isTold: !isOurs, waits: () => isOurs && place.waits(turn) },
    begin: () => place.begin({ id, data: JSON.parse(JSON.stringify(data)), groupId: turn, handed }, given),
  };
}

const optionsOf = ({ afterMs, key, turn }: Omit<SendOptions, 'handed'>) => ({
  ...(afterMs ? { startAfter: afterMs / 1000 } : {}),
  ...(key ? { singletonKey: key } : {}),
  ...(turn ? { group: { id: turn } } : {}),
});

const insertsOf = (each: readonly { data: object; key: string }[], seconds: number) =>
  each.map(({ data, key }) => ({ data, singletonKey: key, ...(seconds > 0 ? { startAfter: seconds } : {}) }));

const isOnce = ({ exclusive }: JobHandle<never>, { key }: Pick<SendOptions, 'key'>) => exclusive === true && key !== undefined;
const notAccepted = ({ name }: JobHandle<never>) => new Error(`job ${name} was not accepted`);
