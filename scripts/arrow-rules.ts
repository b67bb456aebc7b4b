/** One import as the rules see it: both ends as paths from the repository's root; npm packages as `npm:<name>`. */
export interface Arrow {
  from: string;
  to: string;
}

export interface ArrowRule {
  name: string;
  sentence: string;
  isBroken(arrow: Arrow): boolean;
}

const within = (path: string, ...folders: string[]) => folders.some((folder) => path.startsWith(folder));
const ours = (path: string) => !path.startsWith('npm:') && !path.startsWith('node:');
const isTest = (path: string) => /\.test\.tsx?$|\/testing\//.test(path);
const feature = (path: string, app: string) => new RegExp(`^apps/${app}/src/features/([^/]+)/`).exec(path)?.[1];

/** The house's "never" arrows, in the order of the architecture. */
export const arrowRules: readonly ArrowRule[] = [
  {
    name: 'domain-is-pure',
    sentence: 'domain imports nothing: no HTTP, SQL, React, clock, randomness or locale text.',
    isBroken: ({ from, to }) => within(from, 'packages/domain/') && !isTest(from) && !within(to, 'packages/domain/'),
  },
  {
    name: 'api-knows-domain-and-zod',
    sentence: 'api imports domain and zod only.',
    isBroken: ({ from, to }) =>
      within(from, 'packages/api/') && !isTest(from) && !within(to, 'packages/api/', 'packages/domain/', 'npm:zod'),
  },
  {
    name: 'engine-stands-alone',
    sentence: 'pades and psc import nothing of ours and are handed their network.',
    isBroken: ({ from, to }) =>
      within(from, 'packages/pades/', 'packages/psc/') &&
      !isTest(from) &&
      ((ours(to) && !within(to, from.split('/').slice(0, 2).join('/'))) || /^node:(http|https|net|tls|dns)$/.test(to)),
  },
  {
    name: 'web-reaches-no-server',
    sentence: 'web imports api, domain and, of the engine, only what verifies and opens certificate files; never server or psc.',
    isBroken: ({ from, to }) =>
      within(from, 'apps/web/') && ours(to) && !within(to, 'apps/web/', 'packages/api/', 'packages/domain/', 'packages/pades/'),
  },
  {
    name: 'local-signer-is-small',
    sentence: 'local-signer imports api and pades.',
    isBroken: ({ from, to }) =>
      within(from, 'apps/local-signer/') && ours(to) && !within(to, 'apps/local-signer/', 'packages/api/', 'packages/pades/'),
  },
  {
    name: 'only-server-composes',
    sentence: 'Only server composes everything: no package imports an app.',
    isBroken: ({ from, to }) => within(from, 'packages/') && within(to, 'apps/'),
  },
  {
    name: 'make-believe-stays-outside',
    sentence: 'test-pki is imported by tests, e2e, bench and development start only.',
    isBroken: ({ from, to }) =>
      within(to, 'packages/test-pki/') &&
      !within(from, 'packages/test-pki/', 'e2e/', 'bench/', 'interop/') &&
      !isTest(from) &&
      from !== 'apps/server/src/main.ts',
  },
  {
    name: 'sql-lives-in-stores',
    sentence:
      'In server only *.store.ts and db/ use the SQL builder, only *.routes.ts and http/ the web framework; a feature calls another feature’s use case, never its store; http/, db/ and jobs/ import no feature.',
    isBroken: ({ from, to }) => {
      if (!within(from, 'apps/server/src/') || isTest(from)) return false;
      const isCore = within(from, 'apps/server/src/http/', 'apps/server/src/db/', 'apps/server/src/jobs/');
      if (isCore && within(to, 'apps/server/src/features/')) return true;
      if (to === 'npm:kysely')
        return (
          !from.endsWith('.store.ts') &&
          !within(from, 'apps/server/src/db/', 'apps/server/src/jobs/', 'apps/server/src/context.ts') &&
          !from.endsWith('process-reply.ts')
        );
      if (to === 'npm:fastify') return !from.endsWith('.routes.ts') && !within(from, 'apps/server/src/http/');
      const [a, b] = [feature(from, 'server'), feature(to, 'server')];
      return a !== undefined && b !== undefined && a !== b && to.endsWith('.store.ts');
    },
  },
  {
    name: 'web-features-are-strangers',
    sentence: 'In web features never import each other; ui/ and pdf/ import no feature and no api.',
    isBroken: ({ from, to }) => {
      const [a, b] = [feature(from, 'web'), feature(to, 'web')];
      if (a !== undefined && b !== undefined && a !== b) return true;
      return within(from, 'apps/web/src/ui/', 'apps/web/src/pdf/') && within(to, 'apps/web/src/features/', 'packages/api/');
    },
  },
];

/** The tenth arrow is about the whole graph: no cycles. Answers one cycle as a list of files, or null. */
export function findCycle(arrows: readonly Arrow[]): string[] | null {
  const next = Map.groupBy(
    arrows.filter(({ to }) => ours(to)),
    ({ from }) => from,
  );
  const done = new Set<string>();
  const visit = (file: string, path: string[]): string[] | null => {
    const at = path.indexOf(file);
    if (at >= 0) return [...path.slice(at), file];
    if (done.has(file)) return null;
    for (const { to } of next.get(file) ?? []) {
      const found = visit(to, [...path, file]);
      if (found) return found;
    }
    done.add(file);
    return null;
  };
  for (const file of next.keys()) {
    const found = visit(file, []);
    if (found) return found;
  }
  return null;
}
