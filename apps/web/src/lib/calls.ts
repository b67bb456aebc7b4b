import type { Call, Reply } from '@lavra/api';
import {
  keepPreviousData,
  type Query,
  type QueryClient,
  type QueryKey,
  useMutation,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { callApi, type Kept, type Options } from './api-client.ts';
import { queries } from './queries.ts';

interface Asked {
  params?: unknown;
  query?: unknown;
}

/**
 * A call's answers in the cache: all of them by its path alone, or one by what was asked. `per`: what else makes another answer
 * of it (a session, a step of the page).
 */
export function callKey(call: Call, asked?: Asked, per?: string): readonly unknown[] {
  if (!asked) return [call.path];
  return [call.path, asked.params ?? null, asked.query ?? null, ...(per === undefined ? [] : [per])];
}

/** How a call is read, where it is not once and at once. */
export interface Reading<C extends Call> {
  enabled?: boolean;
  per?: string;
  /** The last answer stays while the next is on its way; lists do it unasked. */
  keepLast?: boolean;
  /** False where a refusal is an answer. */
  retry?: boolean;
  /** False where what failed ahead is told, and asked again by who reads it. */
  retryOnMount?: boolean;
  /** For so long an answer is good enough. */
  freshMs?: number;
  /** When it is asked again: milliseconds after this answer, the `count`th; false: never. */
  pollAfter?(reply: Reply<C> | undefined, count: number): number | false;
  /** The address whose events tell that there is another answer than this one, while it is polled for. */
  toldBy?(reply: Reply<C> | undefined): string | undefined;
}

/** Whoever is told looks by itself only in case that nobody told, and for what time alone changes. */
const TOLD_POLL_MS = 30_000;

/** Gone with the query: what is forgotten there is not kept here. */
const keptAnswers = new WeakMap<Query, Kept>();

/** What the server has last said to a query; not what the page has put in its place since. */
function keptOf(client: QueryClient, queryKey: QueryKey): Kept {
  const query = client.getQueryCache().find({ queryKey });
  const kept = (query && keptAnswers.get(query)) ?? { tag: null, reply: undefined };
  if (query) keptAnswers.set(query, kept);
  return kept;
}

/** The answer of a call that only reads. */
export function useCall<C extends Call>(call: C, options: Options<C>, reading: Reading<C> = {}): UseQueryResult<Reply<C>> {
  const { enabled = true, per, keepLast = call.kind === 'list', retry, retryOnMount, freshMs, pollAfter, toldBy } = reading;
  const [isTold, setTold] = useState(false);
  const whenToPoll = (reply: Reply<C> | undefined, count: number): number | false => {
    const after = pollAfter?.(reply, count) ?? false;
    return after !== false && isTold ? Math.max(after, TOLD_POLL_MS) : after;
  };
  const query = useQuery({
    queryKey: callKey(call, options, per),
    queryFn: ({ signal, client, queryKey }): Promise<unknown> =>
      callApi(call, { ...options, signal, ...(call.mayBeUnchanged ? { kept: keptOf(client, queryKey) } : {}) }),
    // A page stays until the next one is there; one record is never shown for another.
    ...(keepLast ? { placeholderData: keepPreviousData } : {}),
    ...(retry === undefined ? {} : { retry }),
    ...(retryOnMount === undefined ? {} : { retryOnMount }),
    ...(freshMs === undefined ? {} : { staleTime: freshMs }),
    ...(pollAfter
      ? {
          refetchInterval: ({ state }: { state: { data?: unknown; dataUpdateCount: number } }) =>
            whenToPoll(state.data as Reply<C> | undefined, state.dataUpdateCount),
        }
      : {}),
    enabled,
  }) as UseQueryResult<Reply<C>>;
  const waits = enabled && (pollAfter?.(query.data, 0) ?? false) !== false;
  useTold(waits ? toldBy?.(query.data) : undefined, query.refetch, setTold);
  return query;
}

/**
 * Has the server tell that something changed, by the events of this address: `changed` asks then, and `told` hears whether the server tells at all, which may
 * cease at any moment. Undefined: nothing is waited for. What listens comes with the first who does: most pages wait for nothing.
 */
function useTold(address: string | undefined, changed: () => unknown, told: (isTold: boolean) => void): void {
  useEffect(() => {
    if (address === undefined) return undefined;
    let leave = () => {};
    let hasLeft = false;
    import('./told.ts')
      .then(({ waitAt }) => {
        if (!hasLeft) leave = waitAt(address, { changed, told });
      })
      // It goes on asking by itself.
      .catch(() => {});
    return () => {
      hasLeft = true;
      leave();
    };
  }, [address, changed, told]);
}

/** What was asked for ahead is not asked for again by a page that is drawn this much later. */
export const AHEAD_MS = 5_000;

/** Asks for what a page will want, while its scripts are on their way. That it did not come is told where it is shown. */
export function askAhead<C extends Call>(
  call: C,
  options: Options<C>,
  { per, retry = true }: Pick<Reading<C>, 'per' | 'retry'> = {},
): Promise<Reply<C>> {
  return queries.fetchQuery({
    queryKey: callKey(call, options, per),
    queryFn: ({ signal }) => callApi(call, { ...options, signal, isAhead: true }),
    retry: retry && 1,
  });
}

/** Has what these calls answered read anew, where it is shown or when it is shown next. */
export function useReadAnew(): (...changed: readonly Call[]) => Promise<void> {
  const queries = useQueryClient();
  return useCallback(
    async (...changed) => void (await Promise.all(changed.map((one) => queries.invalidateQueries({ queryKey: callKey(one) })))),
    [queries],
  );
}

/** Takes what the server has said in another way for a call's answer; one that is on its way no longer counts. */
export function usePutAnswer<C extends Call>(call: C, asked: Asked, per?: string): (reply: Reply<C>) => Promise<void> {
  const queries = useQueryClient();
  const queryKey = callKey(call, asked, per);
  return async (reply) => {
    await queries.cancelQueries({ queryKey });
    queries.setQueryData(queryKey, reply);
  };
}

/** Forgets the answers that no page shows any more: a session is over, and whoever comes next may be another person. */
export function useForgetUnseen(): () => void {
  const queries = useQueryClient();
  return useCallback(() => queries.removeQueries({ type: 'inactive' }), [queries]);
}

/** Forgets what these calls answered where no page shows it: it is known to be true no more, and is not shown again while the new one is on its way. */
export function useForgetKept(): (...changed: readonly Call[]) => void {
  const queries = useQueryClient();
  return useCallback(
    (...changed) => changed.forEach((one) => queries.removeQueries({ queryKey: callKey(one), type: 'inactive' })),
    [queries],
  );
}

/** Forgets every answer: whoever comes next is another person. */
export function useForgetAnswers(): () => void {
  const queries = useQueryClient();
  return useCallback(() => queries.clear(), [queries]);
}

/**
 * A call that changes something: whether it is under way, what went wrong, and the act itself, which answers undefined when
 * it failed. What `changes` names is read anew afterwards, and awaited; `answered` is told the answer before that, where it is shown once.
 */
export function useAct<C extends Call>(call: C, changes: readonly Call[] = [], answered?: (reply: Reply<C>) => void) {
  const readAnew = useReadAnew();
  const { mutateAsync, isPending, error, reset } = useMutation({
    mutationFn: (options: Options<C>) => callApi(call, options),
    onSuccess: (reply) => {
      answered?.(reply);
      return readAnew(...changes);
    },
    // What was sent may hold a password.
    gcTime: 0,
    // Where the browser thinks that there is no network it is said at once, and not sent some time later.
    networkMode: 'always',
  });
  const act = (options: Options<C>): Promise<{ reply: Reply<C> } | undefined> =>
    mutateAsync(options).then(
      (reply) => ({ reply }),
      () => undefined,
    );
  return { act, busy: isPending, failure: error, forget: reset };
}
