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

/** By an address's path, what stands in the page's head for its scripts; the entry's own the page names itself. */
export function pageScripts(manifest: Manifest): (path: string) => string {
  const entries = Object.keys(manifest).filter((key) => manifest[key]?.isEntry);
  const known = closureOf(manifest, entries);
  const heads = openedPages.map(([path, ...sources]) => {
    const own = [...closureOf(manifest, sources)].filter((file) => !known.has(file));
    const later = path.test(DRAWN) ? drawnLater(manifest).filter((file) => !known.has(file) && !own.includes(file)) : [];
    return [
      path,
      [
        ...own.map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`),
        ...later.map((file) => `<link rel="prefetch" href="/${file}">`),
      ].join(''),
    ] as const;
  });
  return (path) => heads.find(([pattern]) => pattern.test(path))?.[1] ?? '';
}

/** What pages of a PDF are drawn with: the viewer, the engine, and the worker that reads the file. */
function drawnLater(manifest: Manifest): string[] {
  const viewer = Object.keys(manifest).filter((key) => manifest[key]?.name === 'pdf-viewer');
  const scripts = closureOf(manifest, viewer);
  const workers = Object.values(manifest).flatMap(({ file, assets = [] }) => (scripts.has(file) ? assets : []));
  return [...scripts, ...workers.filter((file) => file.endsWith('.mjs'))];
}
