import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { TestApp } from '../app.ts';
import type { Kept } from './play-companies.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface Told {
  process: string;
  seq: number;
  at: Date;
  type: string;
  signer: string | null;
  data: Record<string, unknown>;
  previous: string;
  hash: string;
}

interface Signer {
  id: string;
  order: number;
  email: string;
  due: Date | null;
  key: string;
}

interface Facts {
  id: string;
  title: string;
  status: string;
  due: Date | null;
  every: number | null;
  owner: string;
  ownerId: string;
  sealed: boolean;
  signers: Signer[];
  interested: string[];
  events: Told[];
}

const ends: Readonly<Record<string, string>> = {
  'process.finalized': 'FINALIZED_WITH_SUCCESS',
  'signer.rejected': 'FINALIZED_BY_REJECTION',
  'process.expired': 'FINALIZED_BY_EXPIRATION',
  'process.canceled': 'CREATOR_CANCELED',
};

/**
 * What is wrong with a year that was played, each a sentence: recomputed from rows and from what the mail server took, by none of the
 * product's own rules. `awake`: when what runs by itself ran; `kept`: how long whose files were kept, from when on.
 */
export async function judgeYear(app: TestApp, { awake, kept }: { awake: readonly Date[]; kept: readonly Kept[] }): Promise<string[]> {
  const all = await factsOf(app);
  const mails = await app.mailbox.list();
  return [
    ...all.flatMap((one) => [
      ...terminal(one),
      ...chain(one),
      ...turns(one),
      ...deadlines(one, awake),
      ...reminders(one, awake),
      ...resends(one),
      ...removal(
        one,
        mails,
        awake,
        kept.filter(({ ownerId }) => ownerId === one.ownerId),
      ),
    ]),
    ...letters(all, mails),
    ...(await counters(app, all)),
  ];
}

async function factsOf(app: TestApp): Promise<Facts[]> {
  const { rows } = await sql<Facts>`
    select p.id, p.title, p.status, p.due_date as due, p.reminder_in as every, u.email as owner, u.id as "ownerId",
      p.evidence_report_hash is not null as sealed,
      (select jsonb_agg(jsonb_build_object('id', s.id, 'order', s."order", 'email', s.email, 'due', s.due_date,
        'key', (select key from signer_link l where l.signer_id = s.id and l.channel = 'mailed' and l.ended_at is null))) from signer s
        where s.signature_process_id = p.id) as signers,
      coalesce((select jsonb_agg(k.email) from stakeholder k where k.signature_process_id = p.id and p.tell_stakeholders), '[]') as interested
    from signature_process p join app_user u on u.id = p.owner_id order by p.created_at`.execute(app.ctx.db);
  const events = await sql<Told>`
    select signature_process_id as process, seq, at, type, signer_id as signer, data, previous_hash as previous, hash
    from event order by 1, 2`.execute(app.ctx.db);
  const byProcess = Map.groupBy(events.rows, ({ process }) => process);
  return rows.map((row) => ({
    ...row,
    signers: row.signers.map((signer) => ({ ...signer, due: signer.due && new Date(signer.due) })),
    events: byProcess.get(row.id) ?? [],
  }));
}

const endOf = ({ events }: Facts) => events.find(({ type }) => type in ends);

/** One end, the one that its row tells, and nothing after it but the removal of files. */
function terminal(one: Facts): string[] {
  const last = one.events.filter(({ type }) => type in ends);
  const expected = last[0] ? ends[last[0].type] : 'IN_PROGRESS';
  const after = last[0] ? one.events.filter(({ seq }) => seq > (last[0]?.seq ?? 0)).map(({ type }) => type) : [];
  const isSealed = one.status === 'FINALIZED_WITH_SUCCESS';
  return [
    ...(last.length > 1 ? [`${one.title} ended ${last.length} times`] : []),
    ...(one.status === expected ? [] : [`${one.title} is ${one.status}, its events tell ${expected}`]),
    ...after.filter((type) => type !== 'files.removed').map((type) => `${one.title}: ${type} after the end`),
    ...(after.length > 1 ? [`${one.title}: files removed ${after.length} times`] : []),
    ...(one.sealed === isSealed ? [] : [`${one.title}: ${one.status} and ${one.sealed ? '' : 'not '}sealed`]),
  ];
}

/** SHA-256 over sorted JSON, each naming the one before it; never back in time. */
function chain(one: Facts): string[] {
  return one.events.flatMap((event, index) => {
    const before = one.events[index - 1];
    const { at, data, previous: previousHash, seq, process: signatureProcessId, signer: signerId, type } = event;
    const hash = createHash('sha256')
      .update(sorted({ at: at.toISOString(), data, previousHash, seq, signatureProcessId, signerId, type }))
      .digest('hex');
    const isWhole =
      seq === index + 1 && hash === event.hash && previousHash === (before?.hash ?? '0'.repeat(64)) && (!before || before.at <= at);
    return isWhole ? [] : [`${one.title}: event ${seq} breaks the chain`];
  });
}

function sorted(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const of = value as Record<string, unknown>;
  return `{${Object.keys(of)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${sorted(of[key])}`)
    .join(',')}}`;
}

/** Whoever comes before has signed; nobody is left out, called twice or signs unasked; equal orders are called together. */
function turns(one: Facts): string[] {
  const seqOf = (type: string, signer: string) =>
    one.events.filter((event) => event.type === type && event.signer === signer).map(({ seq }) => seq);
  const wrong: string[] = [];
  const prepared = one.events.find(({ type }) => type === 'document.prepared');
  for (const { id, order } of one.signers) {
    const [invited, more] = seqOf('signer.invited', id);
    const [signed, again] = seqOf('signer.signed', id);
    if (more !== undefined) wrong.push(`${one.title}: ${order} invited twice`);
    if (again !== undefined) wrong.push(`${one.title}: ${order} signed twice`);
    if (signed !== undefined && (invited === undefined || signed < invited)) wrong.push(`${one.title}: ${order} signed unasked`);
    const earlier = one.signers.filter((other) => other.order < order).map((other) => seqOf('signer.signed', other.id)[0]);
    const isTurn = prepared !== undefined && earlier.every((seq) => seq !== undefined);
    if (isTurn !== (invited !== undefined))
      wrong.push(`${one.title}: ${order} ${isTurn ? 'was left out' : 'was called before their turn'}`);
    if (invited !== undefined && earlier.some((seq) => seq === undefined || seq > invited))
      wrong.push(`${one.title}: ${order} came too early`);
  }
  if (one.status === 'FINALIZED_WITH_SUCCESS' && one.signers.some(({ id }) => seqOf('signer.signed', id).length !== 1))
    wrong.push(`${one.title} finished without everybody`);
  return wrong;
}

const earliest = (dates: readonly (Date | null)[]) => Math.min(...dates.map((date) => date?.getTime() ?? Infinity));

/** Ended at the first moment that the service was awake after a deadline; nobody signs after theirs. */
function deadlines(one: Facts, awake: readonly Date[]): string[] {
  const wrong = one.events
    .filter(({ type, signer, at }) => {
      const own = one.signers.find(({ id }) => id === signer);
      return (type === 'signer.signed' || type === 'signer.rejected') && at.getTime() >= earliest([one.due, own?.due ?? null]);
    })
    .map(() => `${one.title}: an act after the deadline`);
  const signedAt = (id: string) =>
    one.events.find(({ type, signer }) => type === 'signer.signed' && signer === id)?.at.getTime() ?? Infinity;
  const last = Math.max(...one.signers.map(({ id }) => signedAt(id)));
  const end = endOf(one);
  const isPast = (now: number) =>
    now < last &&
    ((one.due !== null && one.due.getTime() <= now) ||
      one.signers.some(({ id, due }) => due !== null && due.getTime() <= now && signedAt(id) > now));
  const begin = one.events[0]?.at.getTime() ?? Infinity;
  const should = awake.find(
    (now) => now.getTime() > begin && isPast(now.getTime()) && (!end || end.type === 'process.expired' || now < end.at),
  );
  const did = end?.type === 'process.expired' ? end.at : undefined;
  if (should?.getTime() !== did?.getTime())
    wrong.push(`${one.title} expired ${did?.toISOString() ?? 'never'} instead of ${should?.toISOString() ?? 'never'}`);
  return wrong;
}

/** One in each interval that the service was awake in, and no other. */
function reminders(one: Facts, awake: readonly Date[]): string[] {
  const end = endOf(one)?.at ?? new Date(8.64e15);
  return one.signers.flatMap(({ id, due }) => {
    const of = (type: string) => one.events.filter((event) => event.type === type && event.signer === id).map(({ at }) => at.getTime());
    const [invited] = of('signer.invited');
    const until = Math.min(of('signer.signed')[0] ?? Infinity, end.getTime(), earliest([one.due, due]));
    const expected: number[] = [];
    let sent = 0;
    for (const now of awake.map((moment) => moment.getTime())) {
      if (invited === undefined || one.every === null || now >= until) continue;
      const interval = Math.floor((now - invited) / (one.every * DAY_MS));
      if (interval > sent) expected.push(now);
      sent = Math.max(sent, interval);
    }
    const did = of('signer.reminded');
    const same = did.length === expected.length && did.every((at, index) => at === expected[index]);
    return same ? [] : [`${one.title}: reminded at ${did.map(iso).join()} instead of ${expected.map(iso).join()}`];
  });
}

const iso = (at: number) => new Date(at).toISOString();

/** A sender has somebody written to once an hour at most. */
function resends(one: Facts): string[] {
  return one.signers.flatMap(({ id }) => {
    const at = one.events
      .filter(({ type, signer }) => signer === id && (type === 'signer.invitedAgain' || type === 'signer.nudged'))
      .map((event) => event.at.getTime());
    return at.some((now, index) => index > 0 && now - (at[index - 1] ?? 0) < HOUR_MS)
      ? [`${one.title}: written to again within the hour`]
      : [];
  });
}

const asking = new Set(['signer.invited', 'signer.reminded', 'signer.invitedAgain', 'signer.nudged']);

type Mail = Awaited<ReturnType<TestApp['mailbox']['list']>>[number];

/** What the mail server took: every letter once, no letter too many, none missing. */
function letters(all: readonly Facts[], mails: readonly Mail[]): string[] {
  const wrong = [...Map.groupBy(mails, ({ messageId }) => messageId)]
    .filter(([, same]) => same.length > 1)
    .map(([id]) => `${id} came twice`);
  for (const one of all) {
    const end = endOf(one);
    const own = mails.filter(({ text }) => text.includes(one.title));
    for (const { id, key, email } of one.signers) {
      const told = one.events.filter(({ type, signer }) => asking.has(type) && signer === id);
      // Whoever signed, or whose process ended, in the same moment is no longer waited for when the letter is written.
      const closed = new Set([
        end?.at.getTime(),
        one.events.find(({ type, signer }) => type === 'signer.signed' && signer === id)?.at.getTime(),
      ]);
      const least = told.filter(({ at }) => !closed.has(at.getTime())).length;
      const came = own.filter(({ to, text }) => to === email && text.includes(`/signer/${one.id}?user=${key}`)).length;
      if (came < least || came > told.length) wrong.push(`${one.title}: ${came} letters to ${email} of ${told.length}`);
    }
    const heard = own.filter(({ text }) => !text.includes(`/signer/${one.id}`) && !text.includes(GOING));
    const expected = end ? heardOf(one, end) : new Set<string>();
    for (const [to, same] of Map.groupBy(heard, (mail) => mail.to))
      if (same.length > 1 || !expected.has(to)) wrong.push(`${one.title}: ${same.length} ends to ${to}`);
    for (const to of expected) if (!heard.some((mail) => mail.to === to)) wrong.push(`${one.title}: ${to} heard of no end`);
  }
  return wrong;
}

/** Of the letter that says that files go. */
const GOING = 'guarda dos arquivos dest';

/** Who hears of an end: whoever had been called, its owner unless it was their own doing, and of success the interested parties. */
function heardOf(one: Facts, end: Told): Set<string> {
  const called = one.signers.filter(({ id }) => one.events.some(({ type, signer }) => type === 'signer.invited' && signer === id));
  const owner = end.type === 'process.canceled' ? [] : [one.owner];
  const interested = end.type === 'process.finalized' ? one.interested : [];
  return new Set([...owner, ...called.map(({ email }) => email), ...interested]);
}

/**
 * Files go when the company that whoever made the process belonged to says so, or said when they left it: not sooner, after a week's notice,
 * and then indeed. What was made before somebody joined is not under its rule.
 */
function removal(one: Facts, mails: readonly Mail[], awake: readonly Date[], kept: readonly Kept[]): string[] {
  const removed = one.events.find(({ type }) => type === 'files.removed')?.at;
  const end = endOf(one)?.at;
  const born = one.events[0]?.at;
  if (!end || !born) return removed ? [`${one.title}: files removed before the end`] : [];
  const wrong: string[] = [];
  // Who was told and found the files still there two months later is told again, and not sooner.
  const notices = mails.filter(({ text }) => text.includes(one.title) && text.includes(GOING));
  const until = removed ?? awake.at(-1) ?? end;
  const most = 1 + Math.floor((until.getTime() - end.getTime()) / (60 * DAY_MS));
  for (const [to, same] of Map.groupBy(notices, (mail) => mail.to))
    if (same.length > most) wrong.push(`${one.title}: ${to} warned of the removal ${same.length} times`);
  // Whoever leaves takes the days along that held then for what they had sent.
  const home = kept.findLast(({ since }) => since <= born)?.since;
  const rules = kept.filter(({ since }) => since.getTime() === home?.getTime());
  if (removed) {
    const days = rules.findLast(({ at }) => at <= removed)?.days ?? null;
    if (days === null) wrong.push(`${one.title}: files removed of somebody who keeps them`);
    else if (removed.getTime() < end.getTime() + days * DAY_MS) wrong.push(`${one.title}: files removed too early`);
    if (!notices.some(({ to }) => to === one.owner)) wrong.push(`${one.title}: files removed unannounced`);
    return wrong;
  }
  const last = rules.at(-1);
  if (!last || last.days === null) return wrong;
  const over = end.getTime() + last.days * DAY_MS;
  // It runs once a day at most; a day more than the rule asks is enough, whichever of a day's rounds it was.
  const warned = awake.find((now) => now >= last.at && now.getTime() >= over - 6 * DAY_MS);
  const gone = warned && awake.find((now) => now.getTime() >= Math.max(over, warned.getTime() + 8 * DAY_MS) + DAY_MS);
  if (gone) wrong.push(`${one.title}: files kept beyond ${last.days} days`);
  return wrong;
}

/** The numbers of the lists, counted from events. */
async function counters(app: TestApp, all: readonly Facts[]): Promise<string[]> {
  const { rows: accounts } = await sql<{ id: string; email: string }>`select id, email from app_user`.execute(app.ctx.db);
  const expected = new Map<string, number>();
  const add = (user: string, set: number, amount = 1) => expected.set(`${user} ${set}`, (expected.get(`${user} ${set}`) ?? 0) + amount);
  for (const one of all) {
    const has = (type: string, id: string) => one.events.some((event) => event.type === type && event.signer === id);
    for (const { id, email } of accounts) {
      const called = one.signers.filter((signer) => signer.email === email && has('signer.invited', signer.id));
      const waits = !endOf(one) && called.some((signer) => !has('signer.signed', signer.id));
      const set = (one.ownerId === id ? 1 : 0) | (called.length > 0 ? 2 : 0) | (waits ? 4 : 0);
      if (set > 0) add(id, set);
    }
    for (const { type, data } of one.events) if (type === 'signer.signed') add(one.ownerId, 0, (data['documents'] as unknown[]).length);
  }
  const { rows } = await sql<{ what: string; amount: number }>`
    select user_id || ' ' || counted as what, sum(amount)::int as amount from process_count group by 1 having sum(amount) <> 0`.execute(
    app.ctx.db,
  );
  const counted = new Map(rows.map(({ what, amount }) => [what, amount]));
  return [...new Set([...expected.keys(), ...counted.keys()])]
    .filter((what) => expected.get(what) !== counted.get(what))
    .map((what) => `counter ${what} is ${counted.get(what)} instead of ${expected.get(what)}`);
}
