import type { Call, Reply } from '@lavra/api';
import { keepPreviousData, useMutation, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { callApi, type Options } from './api-client.ts';

/** A call's answers in the cache: all of them by its path alone, or one by what was asked. */
export function callKey(call: Call, asked?: { params?: unknown; query?: unknown }): readonly unknown[] {
  return asked ? [call.path, asked.params ?? null, asked.query ?? null] : [call.path];
}

/** The answer of a call that only reads; the last one stays while the next is on its way. */
export function useCall<C extends Call>(
  call: C,
  options: Options<C>,
  { enabled = true }: { enabled?: boolean } = {},
): UseQueryResult<Reply<C>> {
  return useQuery({
    queryKey: callKey(call, options),
    queryFn: ({ signal }): Promise<unknown> => callApi(call, { ...options, signal }),
    // A page stays until the next one is there; one record is never shown for another.
    ...(call.kind === 'list' ? { placeholderData: keepPreviousData } : {}),
    enabled,
  }) as UseQueryResult<Reply<C>>;
}

/**
 * A call that changes something: whether it is under way, what went wrong, and the act itself, which answers undefined when
 * it failed. What `changes` names is read anew afterwards.
 */
export function useAct<C extends Call>(call: C, changes: readonly Call[]) {
  const queries = useQueryClient();
  const { mutateAsync, isPending, error, reset } = useMutation({
    mutationFn: (options: Options<C>) => callApi(call, options),
    onSuccess: () => Promise.all(changes.map((one) => queries.invalidateQueries({ queryKey: callKey(one) }))),
  });
  const act = (options: Options<C>): Promise<{ reply: Reply<C> } | undefined> =>
    mutateAsync(options).then(
      (reply) => ({ reply }),
      () => undefined,
    );
  return { act, busy: isPending, failure: error, forget: reset };
}
