import { limits } from '@lavra/domain';
import type { RouteObject } from 'react-router';

/**
 * What is loaded, or a fault when it has not come in the time that a page's script has (120 s): a connection that hangs answers
 * nothing, and whoever waits is shown the page that offers to load it again.
 */
export function inTime<T>(loading: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('a part of the page did not come in time')), limits.chunkLoadTimeoutMs);
    void loading.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** The same addresses, whose pages are loaded in time or not at all. */
export function routesInTime(routes: readonly RouteObject[]): RouteObject[] {
  return routes.map((route) => {
    const { lazy, children } = route;
    const bounded = { ...route };
    if (typeof lazy === 'function') bounded.lazy = () => inTime(lazy());
    if (children) bounded.children = routesInTime(children);
    return bounded;
  });
}
