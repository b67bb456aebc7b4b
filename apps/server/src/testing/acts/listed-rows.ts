import type { ListedRow, TrueProcess, TrueSigner, Truth } from './truth.ts';

/** The sets that somebody finds a process among. */
export const REQUESTED = 1;
export const RECEIVED = 2;
export const PENDING = 4;

/** As texts are searched: without accents and case. */
export const plainOf = (text: string) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** A process that somebody's lists should show. */
export interface Shown {
  process: TrueProcess;
  signers: TrueSigner[];
  sets: number;
  search: string;
}

/** What the lists of an account should show, computed from the rows of processes, signers and documents alone. */
export function shownTo(truth: Truth, userId: string): Shown[] {
  const signersOf = Map.groupBy(truth.signers, (signer) => signer.signature_process_id);
  const documentsOf = Map.groupBy(truth.documents, (document) => document.signature_process_id);
  return truth.processes.flatMap((process) => {
    if (process.status === 'DRAFT') return [];
    const signers = signersOf.get(process.id) ?? [];
    const own = signers.filter((signer) => signer.user_id === userId && signer.status !== 'WAITING');
    const awaits = process.status === 'IN_PROGRESS' && own.some(({ status }) => status === 'SENT');
    const sets = (process.owner_id === userId ? REQUESTED : 0) | (own.length > 0 ? RECEIVED : 0) | (awaits ? PENDING : 0);
    if (sets === 0) return [];
    const names = (documentsOf.get(process.id) ?? []).toSorted((a, b) => a.position - b.position).map(({ name }) => name);
    const people = signers.toSorted((a, b) => a.order - b.order || (a.id < b.id ? -1 : 1)).map(({ name, email }) => `${name} ${email}`);
    return [{ process, signers, sets, search: plainOf(['', process.title, ...names, ...people].join(' ')) }];
  });
}

/** In what lists and counters, which acts keep up with, differ from a computation of all of them. */
export function listFaults(truth: Truth): string[] {
  const should = truth.users.flatMap(({ id }) => shownTo(truth, id).map((shown) => [id, shown] as const));
  const listed = should.map(([user_id, { process, sets, search }]): ListedRow => {
    const { id: signature_process_id, status, title, created_at, due_date, finalized_at } = process;
    return { user_id, signature_process_id, sets, status, title, created_at, due_date, finalized_at, search };
  });
  const owners = new Map(truth.processes.map(({ id, owner_id: owner }) => [id, owner]));
  const signed = truth.signatures
    .filter(({ status }) => status === 'SIGNED')
    .map((signature) => ({ user_id: owners.get(signature.signature_process_id) ?? '', counted: 0 }));
  const counted = [...listed.map(({ user_id, sets }) => ({ user_id, counted: sets })), ...signed];
  const sums = Map.groupBy(counted, (one) => `${one.user_id} ${one.counted}`);
  return [
    ...compared(
      'listed',
      truth.listed.map((row) => JSON.stringify(rowOf(row))),
      listed.map((row) => JSON.stringify(rowOf(row))),
    ),
    ...compared(
      'counted',
      truth.counts.filter(({ amount }) => amount !== 0).map((row) => `${row.user_id} ${row.counted}: ${row.amount}`),
      [...sums].map(([key, { length }]) => `${key}: ${length}`),
    ),
  ];
}

const rowOf = (row: ListedRow) => [
  row.user_id,
  row.signature_process_id,
  row.sets,
  row.status,
  row.title,
  row.created_at,
  row.due_date,
  row.finalized_at,
  row.search,
];

function compared(what: string, is: readonly string[], should: readonly string[]): string[] {
  const [held, wanted] = [new Set(is), new Set(should)];
  return [
    ...is.filter((row) => !wanted.has(row)).map((row) => `${what}, and should not be: ${row}`),
    ...should.filter((row) => !held.has(row)).map((row) => `not ${what}, and should be: ${row}`),
  ];
}

/** Whoever was called is the activated account of their address; `isLate`: or nobody yet, where another act held them at that moment. */
export function bindingFaults({ signers, users, processes }: Truth, isLate: boolean): string[] {
  const accounts = new Map(users.filter(({ activated }) => activated).map(({ id, email }) => [email, id]));
  const drafts = new Set(processes.filter(({ status }) => status === 'DRAFT').map(({ id }) => id));
  return signers.flatMap(({ id, email, status, user_id: is, signature_process_id: process }) => {
    const should = status === 'WAITING' || drafts.has(process) ? null : (accounts.get(email) ?? null);
    return is === should || (isLate && is === null) ? [] : [`signer ${id} (${email}, ${status}) is ${is}, and should be ${should}`];
  });
}
