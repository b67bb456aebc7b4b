import { limits } from '@lavra/domain';
import { type ComponentType, createElement, lazy, type LazyExoticComponent, type ReactNode, use } from 'react';
import { matchRoutes, type Params, type RouteObject } from 'react-router';

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

/** A part of a page whose script comes when it is first shown, in time or not at all: React's own `lazy` waits for ever. */
export function lazyInTime<P>(load: () => Promise<ComponentType<P>>): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => ({ default: await inTime(load()) }));
}

interface PageModule {
  readonly Component?: ComponentType | null | undefined;
  /** What the page will ask for at once, asked for before it is drawn. */
  askAhead?(params: Params): void;
}

type Load = () => Promise<PageModule>;

/** Those that did not come: each begins anew once its page was left. */
const failed = new Set<LazyPage>();

/** The script of a page: fetched when it is first wanted, and once. */
class LazyPage {
  readonly #load: Load;
  #loading: Promise<ComponentType> | null = null;
  page: ComponentType | null = null;
  askAhead: PageModule['askAhead'];

  constructor(load: Load) {
    this.#load = load;
  }

  fetch(): Promise<ComponentType> {
    this.#loading ??= inTime(this.#load())
      .then(({ Component, askAhead }) => {
        this.askAhead = askAhead;
        // Of a script that came empty nothing would be shown, and nobody told.
        if (!Component) throw new Error('a part of the page came without it');
        return (this.page = Component);
      })
      .catch((error: unknown) => {
        failed.add(this);
        throw error;
      });
    return this.#loading;
  }

  forget(): void {
    this.#loading = null;
  }
}

/** The page where it stands: until its script has come, whatever stood there before. */
function Here({ of }: { of: LazyPage }): ReactNode {
  return createElement(of.page ?? use(of.fetch()));
}

/** A part of the page whose script comes by itself, and can be fetched before it is shown. */
export function lazyPart(load: Load): { readonly Part: () => ReactNode; fetch(): Promise<unknown> } {
  const part = new LazyPage(load);
  return { Part: () => createElement(Here, { of: part }), fetch: () => part.fetch() };
}

const pageOf = new WeakMap<RouteObject, LazyPage>();

/** The same addresses, whose pages are loaded in time or not at all. */
export function pagesInTime(routes: readonly RouteObject[]): RouteObject[] {
  return routes.map((route) => {
    const { lazy, children } = route;
    const bounded = { ...route };
    if (typeof lazy === 'function') {
      const page = new LazyPage(lazy as Load);
      delete bounded.lazy;
      bounded.element = createElement(Here, { of: page });
      pageOf.set(bounded, page);
    }
    if (children) bounded.children = pagesInTime(children);
    return bounded;
  });
}

/** Fetches what an address shows, and has it ask for what it will want. That it did not come is told where it is shown. */
export async function fetchPages(routes: RouteObject[], pathname: string): Promise<void> {
  await Promise.allSettled(
    (matchRoutes(routes, pathname) ?? []).map(async ({ route, params }) => {
      const page = pageOf.get(route);
      await page?.fetch();
      page?.askAhead?.(params);
    }),
  );
}

/** What did not come is fetched again when it is wanted again. */
export function forgetFailed(): void {
  for (const page of failed) page.forget();
  failed.clear();
}
