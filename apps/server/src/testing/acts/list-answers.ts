import assert from 'node:assert/strict';
import * as api from '@lavra/api';
import type { TestAccount } from '../accounts.ts';
import type { TestApp } from '../app.ts';
import type { Random } from '../year/random.ts';
import { PENDING, plainOf, RECEIVED, REQUESTED, type Shown, shownTo } from './listed-rows.ts';
import type { Truth } from './truth.ts';

type Asked = NonNullable<api.Query<typeof api.getProcessesInfos>>;

const statuses = [
  undefined,
  'IN_PROGRESS',
  'FINALIZED_WITH_SUCCESS',
  'FINALIZED_BY_EXPIRATION',
  'FINALIZED_BY_REJECTION',
  'CREATOR_CANCELED',
] as const;
const sorts = [undefined, 'createdDate', 'title', 'dueDate', 'status', 'finalizedDate'] as const;
/** In titles, names of documents, names and addresses of signers; short ones begin a word; some are nowhere. */
export const words = [
  'contr',
  'AÇÃO',
  'acao',
  'íris',
  'lima bia',
  'zé',
  'z',
  'exemplo.net',
  'anexo',
  '2026',
  'a',
  'edito  venda',
  '1',
  '10',
];
const texts = [...words, ...words.map((word) => `${word} pdf`), '%', '_', 'ne_t', 'nada', 'ana@', 'corrigid', ' '];

/** Any question about a list. */
function anyQuestion(random: Random): Asked {
  const flag = () => (random.chance(0.4) ? 'true' : undefined);
  return {
    page: random.chance(0.3) ? random.between(0, 3) : undefined,
    size: random.chance(0.5) ? random.between(1, 7) : 100,
    sortBy: random.pick(sorts),
    direction: random.pick(['asc', 'desc', 'DESC', undefined]),
    searchText: random.chance(0.45) ? random.pick(texts) : undefined,
    sortRequested: flag(),
    sortReceived: flag(),
    sortPending: flag(),
    status: random.chance(0.5) ? random.pick(statuses) : undefined,
  };
}

/** Every folder with every status, in any order. */
function everyQuestion(random: Random): Asked[] {
  const flags = [undefined, 'true'] as const;
  return flags.flatMap((sortRequested) =>
    flags.flatMap((sortReceived) =>
      flags.flatMap((sortPending) =>
        statuses.map((status) => ({ ...anyQuestion(random), page: 0, sortRequested, sortReceived, sortPending, status })),
      ),
    ),
  );
}

/** In what the product's lists and counters differ from what an account's should be: some questions, or `all` folders with each status. */
export async function answerFaults(
  app: TestApp,
  truth: Truth,
  account: TestAccount,
  random: Random,
  questions: number | 'all',
): Promise<string[]> {
  const { token } = account;
  const shown = shownTo(truth, account.id);
  const within = (set: number) => shown.filter(({ sets }) => (sets & set) !== 0).length;
  const counters = { pending: within(PENDING), received: within(RECEIVED), requested: within(REQUESTED) };
  const faults = differing(`counters of ${account.email}`, (await app.call(api.getCounterInfos, { token })).body, counters);
  faults.push(...(await recordFaults(app, truth, account, shown, random)));
  const asked = questions === 'all' ? everyQuestion(random) : Array.from({ length: questions }, () => anyQuestion(random));
  for (const query of asked) {
    const { status, body } = await app.call(api.getProcessesInfos, { token, query });
    assert.equal(status, 200);
    const found = foundIn(shown, query);
    const first = (query.page ?? 0) * (query.size ?? 10);
    const items = found.slice(first, first + (query.size ?? 10)).map((one) => itemOf(truth, one, account.id, app.clock.now()));
    const what = `${account.email} asked ${JSON.stringify(query)}`;
    const ids = differing(
      what,
      { total: body.total, isTotalExact: body.isTotalExact, ids: body.signatureProcesses.map(({ id }) => id) },
      { total: found.length, isTotalExact: true, ids: items.map(({ id }) => id) },
    );
    faults.push(...ids);
    if (ids.length > 0) continue;
    for (const [index, item] of body.signatureProcesses.entries()) faults.push(...differing(what, item, items[index]));
  }
  return faults;
}

/** The same of the records: drafts are among one's own; and of one that is looked into, how its signers stand. */
async function recordFaults(app: TestApp, truth: Truth, { id, email, token }: TestAccount, shown: readonly Shown[], random: Random) {
  const { items, total } = (await app.call(api.signatureProcesses.list, { token, query: { size: 200 } })).body;
  const drafts = truth.processes.filter((process) => process.owner_id === id && process.status === 'DRAFT');
  const should = [...shown.map(({ process }) => process), ...drafts];
  const faults = differing(
    `records of ${email}`,
    { total, ids: items.map((one) => `${one.id} ${one.status} ${one.title}`).toSorted() },
    { total: should.length, ids: should.map((one) => `${one.id} ${one.status} ${one.title}`).toSorted() },
  );
  if (shown.length === 0) return faults;
  const { process, signers } = random.pick(shown);
  const { body } = await app.call(api.getSubDataProcess, { token, params: { processId: process.id } });
  const stands = ({ name, status, order }: { name: string; status: string; order: number }) => `${order} ${name} ${status}`;
  const is = { status: body.status, signers: body.signers.map(stands).toSorted() };
  return [...faults, ...differing(`${process.id} for ${email}`, is, { status: process.status, signers: signers.map(stands).toSorted() })];
}

function differing(what: string, is: unknown, should: unknown): string[] {
  try {
    assert.deepEqual(is, should);
    return [];
  } catch {
    return [`${what}: ${JSON.stringify(is)}, and should be ${JSON.stringify(should)}`];
  }
}

const collator = new Intl.Collator('pt-BR', { numeric: true });
const instant = (text: string | null) => (text === null ? null : new Date(text).toISOString());

function foundIn(shown: readonly Shown[], { sortBy = 'createdDate', direction = 'desc', searchText, status, ...flags }: Asked): Shown[] {
  const chosen =
    (flags.sortRequested === 'true' ? REQUESTED : 0) |
    (flags.sortReceived === 'true' ? RECEIVED : 0) |
    (flags.sortPending === 'true' ? PENDING : 0);
  const way = direction.toLowerCase() === 'asc' ? 1 : -1;
  const keyOf = ({ process }: Shown) =>
    ({
      createdDate: instant(process.created_at),
      title: process.title,
      dueDate: instant(process.due_date),
      status: process.status,
      finalizedDate: instant(process.finalized_at),
    })[sortBy];
  const order = (a: string, b: string) => (sortBy === 'title' ? collator.compare(a, b) : a < b ? -1 : a > b ? 1 : 0);
  return shown
    .filter(({ process, sets, search }) => {
      const isChosen = chosen === 0 || (sets & chosen) !== 0;
      return isChosen && (status === undefined || process.status === status) && hasWords(search, searchText ?? '');
    })
    .toSorted((a, b) => {
      const [one, other] = [keyOf(a), keyOf(b)];
      const ids = way * (a.process.id < b.process.id ? -1 : 1);
      if (one === null || other === null) return one === other ? ids : one === null ? 1 : -1;
      return way * order(one, other) || ids;
    });
}

/** All words; one of fewer than three letters in a row begins a word. */
function hasWords(search: string, text: string): boolean {
  if (text.trim() === '') return true;
  const asked = text.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word));
  return (
    asked.length > 0 && asked.every((word) => search.includes(/[\p{L}\p{M}\p{N}]{3}/u.test(word) ? plainOf(word) : ` ${plainOf(word)}`))
  );
}

function itemOf({ users }: Truth, { process, signers }: Shown, userId: string, now: Date) {
  const isUnderWay = process.status === 'IN_PROGRESS';
  const isOwner = process.owner_id === userId;
  const isPast = (due: string | null) => due !== null && Date.parse(due) <= now.getTime();
  const awaited = signers.filter(({ status }) => isUnderWay && status === 'SENT');
  const creator = users.find(({ id }) => id === process.owner_id);
  const isFailed = !isUnderWay && process.status !== 'FINALIZED_WITH_SUCCESS';
  return {
    id: process.id,
    title: process.title,
    createdDate: instant(process.created_at),
    finalizedDate: instant(process.finalized_at),
    filesRemovedDate: instant(process.files_removed_at),
    dueDate: instant(process.due_date),
    hasOwnDeadlines: signers.some(({ due_date }) => due_date !== null),
    status: process.status,
    type: process.modality === 'digital' ? 'DIGITAL_SIGNATURE' : 'ELETRONIC_SIGNATURE',
    currentIsOwner: isOwner,
    can: {
      cancel: isOwner && isUnderWay,
      download: process.status === 'FINALIZED_WITH_SUCCESS' && process.files_removed_at === null,
      sign: awaited.some((signer) => signer.user_id === userId && !isPast(signer.due_date) && !isPast(process.due_date)),
      repeat: isOwner && isFailed && process.files_removed_at === null,
    },
    signedCount: signers.filter(({ status }) => status === 'SIGNED').length,
    signerCount: signers.length,
    creatorName: `${creator?.first_name ?? ''} ${creator?.last_name ?? ''}`.trim(),
    waitingFor: awaited.slice(0, 3).map(({ name }) => name),
  };
}
