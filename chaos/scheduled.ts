import { setTimeout as sleep } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { type CaughtMail, type Finding, line } from './audit.ts';
import { draft, nameSigner, type Stage, upload } from './stories.ts';

const EACH = 3;
/** Of them at once: as many nodes would take them. */
const SWEEPS = 4;

/** Processes whose deadline has passed, and others whose signers are to be reminded of them. */
export interface DueWork {
  expiring: Due[];
  remindable: Due[];
}

interface Due {
  id: string;
  signerId: string;
  email: string;
}

/** Makes them through the product, and has their time come by the columns that its sweeps read. */
export async function makeDueWork(stage: Stage, url: string): Promise<DueWork> {
  const creator = stage.client();
  await stage.account(creator);
  const make = async (): Promise<Due> => {
    const documentIds = await upload(stage, creator);
    const dueDate = new Date(Date.now() + 5 * 86_400_000).toISOString();
    const { id } = await draft(creator, documentIds, { dueDate, reminderIn: 1 });
    const { id: signerId, email } = await nameSigner(creator, id, 0);
    await creator.insist({ method: 'POST', path: `api/signature-processes/${id}/start` }, ['process.notDraft']);
    return { id, signerId, email };
  };
  const made: Due[] = [];
  for (let n = 0; n < 2 * EACH; n += 1) made.push(await make());
  const work = { expiring: made.slice(0, EACH), remindable: made.slice(EACH) };
  // A reminder names the link of an invitation that has arrived.
  for (const { email } of made) await stage.linkKey(email);
  await asking(url, async (client) => {
    await client.query(`update signature_process set due_date = now() - interval '1 second' where id = any($1)`, [
      work.expiring.map(({ id }) => id),
    ]);
    await client.query(`update signer set invited_at = now() - interval '25 hours' where id = any($1)`, [
      work.remindable.map(({ signerId }) => signerId),
    ]);
  });
  return work;
}

/** As when several nodes sweep at the same moment. */
export async function sweepAtOnce(url: string): Promise<void> {
  await asking(url, async (client) => {
    for (const name of ['expire-processes', 'send-reminders'])
      for (let n = 0; n < SWEEPS; n += 1)
        // As the queue sends them: without a heartbeat, what a killed node was at would be at work until its quarter of an hour is over.
        await client.query(
          `insert into pgboss.job (id, name, data, heartbeat_seconds, retry_limit)
           select $1, name, '{"chaos": true}', heartbeat_seconds, retry_limit from pgboss.queue where name = $2`,
          [randomUUID(), name],
        );
  });
}

/** Each once, in the log and in the mailbox; and no occurrence of a cron twice. */
export async function judgeScheduled(work: DueWork, url: string, caught: readonly CaughtMail[]): Promise<Finding[]> {
  const all = [...work.expiring, ...work.remindable];
  return asking(url, async (client) => {
    const { rows: events } = await client.query<{ id: string; type: string; n: number }>(
      `select signature_process_id as id, type, count(*)::int as n from event
       where signature_process_id = any($1) and type in ('process.expired', 'signer.reminded') group by 1, 2`,
      [all.map(({ id }) => id)],
    );
    const times = (id: string, type: string) => events.find((one) => one.id === id && one.type === type)?.n ?? 0;
    const losses: string[] = [];
    const expect = (what: string, found: number, wanted: number) => {
      if (found !== wanted) losses.push(`${what}: ${found} instead of ${wanted}`);
    };
    for (const { id } of work.expiring) {
      expect(`process ${id} expired`, times(id, 'process.expired'), 1);
      expect(`process ${id} was reminded of`, times(id, 'signer.reminded'), 0);
    }
    for (const { id, email } of work.remindable) {
      expect(`process ${id} expired`, times(id, 'process.expired'), 0);
      expect(`process ${id} was reminded of`, times(id, 'signer.reminded'), 1);
      expect(`mails to the signer of ${id}`, new Set(caught.filter(({ to }) => to === email).map(({ messageId }) => messageId)).size, 2);
    }
    // A schedule's occurrence is a job of `__pgboss__send-it`, and it may be forwarded late (a killed node, a database that was restarted): two
    // occurrences then begin in one minute, and neither is twice.
    const { rows: crons } = await client.query<{ name: string; jobs: number; occurrences: number }>(
      `select s.name,
         (select count(*)::int from pgboss.job j where j.name = s.name and j.data->>'chaos' is null) as jobs,
         (select count(*)::int from pgboss.job j where j.name = '__pgboss__send-it' and j.data->>'name' = s.name) as occurrences
       from pgboss.schedule s`,
    );
    const total = crons.reduce((sum, { occurrences }) => sum + occurrences, 0);
    const twice = crons
      .filter(({ jobs, occurrences }) => jobs > occurrences)
      .map((cron) => `${cron.name}: ${cron.jobs} for ${cron.occurrences} occurrences`);
    return [
      line('deadlines and reminders, each acted on once', all.length, losses),
      line('crons, each of their occurrences once', total, twice),
    ];
  });
}

async function asking<T>(url: string, act: (client: pg.Client) => Promise<T>): Promise<T> {
  for (let again = 0; ; again += 1) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    try {
      await client.connect();
      return await act(client);
    } catch (error) {
      // It may be restarted just now.
      if (again === 10) throw error;
      await sleep(1000);
    } finally {
      await client.end().catch(() => {});
    }
  }
}
