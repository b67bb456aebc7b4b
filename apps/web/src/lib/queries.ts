import { QueryClient } from '@tanstack/react-query';

/** What the server has answered, for all pages. */
export const queries = new QueryClient({ defaultOptions: { queries: { retry: 1, refetchOnWindowFocus: false } } });
