import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A chunk of the built web application, as its manifest tells of it; keys are sources or names. */
interface Chunk {
  readonly file: string;
  readonly name?: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
  readonly assets?: readonly string[];
}

export type Manifest = Readonly<Record<string, Chunk>>;

/**
 * The pages that people open from outside (a mail, a bookmark, the address typed), and what each is made of beside the entry: the browser
 * fetches it with the entry and not after it. A page that is missing here comes a moment later and is the same.
 */
export const openedPages: readonly (readonly [path: RegExp, ...sources: string[]])[] = [
  [/^\/(login)?$/, 'src/features/accounts/login.page.tsx'],
  [/^\/validateLogin$/, 'src/features/verification/validate-login.page.tsx'],
  [/^\/validate$/, 'src/features/verification/validate.page.tsx'],
  [/^\/signer\/[^/]+$/, 'src/features/signing/signer.page.tsx'],
  [/^\/download\/[^/]+$/, 'src/features/downloads/download.page.tsx'],
  [/^\/account\/activate(\/[^/]*)?$/, 'src/features/accounts/activate.page.tsx'],
  [
    /^\/signature$/,
    'src/signed-in.routes.tsx',
    'src/features/processes/reading/home.page.tsx',
    'src/shell/menu.tsx',
    'src/shell/account-menu.tsx',
  ],
  [
    /^\/signature\/process\/[^/]+$/,
    'src/signed-in.routes.tsx',
    'src/features/processes/reading/process.page.tsx',
    'src/shell/menu.tsx',
    'src/shell/account-menu.tsx',
  ],
];

/** What every page begins with, once what stands in it is shown. */
const START = 'src/main.tsx';

/** Where a document is shown as soon as the page stands: what draws it comes meanwhile, behind all that the page itself is made of. */
const DRAWN = '/signer/1';

export function readManifest(webDir: string): Manifest {
  return JSON.parse(readFileSync(join(webDir, '.vite/manifest.json'), 'utf8')) as Manifest;
}

/** The files of these chunks and of all that they cannot do without. */
export function closureOf(manifest: Manifest, keys: readonly string[]): Set<string> {
  const seen = new Set<string>();
  const look = (key: string): void => {
    const chunk = manifest[key];
    if (!chunk || seen.has(key)) return;
    seen.add(key);
    chunk.imports?.forEach(look);
  };
  keys.forEach(look);
  return new Set([...seen].flatMap((key) => manifest[key]?.file ?? []));
}

/** By an address's path, what stands in the page's head for its scripts; what the page names itself is not named again. */
export function pageScripts(manifest: Manifest, page: string): (path: string) => string {
  const isNew = (file: string): boolean => !page.includes(`/${file}"`);
  const headOf = (sources: readonly string[], isDrawn: boolean): string => {
    const own = [...closureOf(manifest, [START, ...sources])].filter(isNew);
    const later = isDrawn ? drawnLater(manifest).filter((file) => !own.includes(file)) : [];
    const links = later.map((file) => `<link rel="prefetch" href="/${file}">`);
    return [
      // Behind the style and `boot.ts`, which what is seen first waits for.
      ...own.map((file) => `<link rel="modulepreload" crossorigin fetchpriority="low" href="/${file}">`),
      // `boot.ts` puts them into the page once something of it has been seen.
      ...(links.length > 0 ? ['<template class="once-seen">', ...links, '</template>'] : []),
    ].join('');
  };
  const heads = openedPages.map(([path, ...sources]) => [path, headOf(sources, path.test(DRAWN))] as const);
  const other = headOf([], false);
  return (path) => heads.find(([pattern]) => pattern.test(path))?.[1] ?? other;
}

/** What pages of a PDF are drawn with: the viewer, the engine, and the worker that reads the file. */
function drawnLater(manifest: Manifest): string[] {
  const viewer = Object.keys(manifest).filter((key) => manifest[key]?.name === 'pdf-viewer');
  const scripts = closureOf(manifest, viewer);
  const workers = Object.values(manifest).flatMap(({ file, assets = [] }) => (scripts.has(file) ? assets : []));
  return [...scripts, ...workers.filter((file) => file.endsWith('.mjs'))];
}
