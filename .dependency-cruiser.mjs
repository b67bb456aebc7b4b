// The house's ten "never" arrows, in the order of the architecture; each rule's comment is its human sentence.
// `scripts/arrows.test.ts` breaks every one of them on purpose; docs/decisions/004 says why swc reads the files.
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';

// swc parses `await using`, but the visitor that dependency-cruiser walks with does not know it and gives up.
const { Visitor } = createRequire(import.meta.url)('@swc/core/Visitor.js');
const visitStatement = Visitor.prototype.visitStatement;
Visitor.prototype.visitStatement = function visit(statement) {
  if (statement.type !== 'UsingDeclaration') return visitStatement.call(this, statement);
  return { ...statement, decls: this.visitVariableDeclarators(statement.decls) };
};

const TESTS = String.raw`\.test\.tsx?$|/testing/`;
const NETWORK = '^(node:)?(http|https|http2|net|tls|dns|dgram)(/|$)';
/** npm packages as they are found, in the root's node_modules or a workspace's own. */
const npm = (...names) => `node_modules/(${names.join('|')})(/|$)`;

/**
 * Every workspace stands in the root's node_modules, so that without these rules any of them could reach any other.
 * The folder the check runs in is the repository's root.
 */
function undeclaredWorkspaces() {
  const manifests = globSync(['apps/*/package.json', 'packages/*/package.json'], { exclude: (path) => path.includes('node_modules') }).map(
    (path) => ({ folder: dirname(path).replaceAll('\\', '/'), ...JSON.parse(readFileSync(path, 'utf8')) }),
  );
  return manifests.map(({ folder, dependencies, devDependencies, optionalDependencies }) => {
    const declared = { ...dependencies, ...devDependencies, ...optionalDependencies };
    const strangers = manifests.filter((one) => one.folder !== folder && !(one.name in declared)).map((one) => one.folder);
    return {
      name: 'named-in-own-package-json',
      comment: "No import that is missing from that workspace's own package.json.",
      severity: 'error',
      from: { path: `^${folder}/` },
      to: { path: strangers.length > 0 ? `^(${strangers.join('|')})/` : '^$' },
    };
  });
}

/** The server's features from the ground up: each may know those of the floors below its own, and no other. */
const FEATURE_FLOORS = [
  ['plans'],
  ['accounts', 'authority', 'clock', 'documents', 'signature-models', 'stored-files', 'trust-lists'],
  ['companies', 'contracts'],
  ['processes'],
  ['signing'],
  ['verification'],
  ['sealing'],
  ['retention'],
  ['downloads', 'management', 'personal-data'],
];

/** Rooms inside of a feature, from the ground up; what stands beside them in the feature's own folder belongs to all of them. */
const ROOM_FLOORS = {
  'apps/server/src/features/processes': [['life'], ['reading'], ['creation'], ['entities']],
  'apps/web/src/features/processes': [['creation'], ['reading']],
};

/** The engine's rooms from the ground up; what stands beside them (errors, sources, crypto) belongs to all of them. */
const ENGINE_FLOORS = [
  ['asn1', 'pdf'],
  ['x509', 'appearance'],
  ['cms', 'inspect'],
  ['policies', 'prepare', 'revocation'],
  ['trust'],
  ['verify'],
  ['timestamp'],
  ['sign'],
  ['extend', 'p12', 'print'],
  ['rehearse'],
  ['cli'],
];

/** A rule for each room: it reaches none of its own floor but itself, and none above. */
function floorRules(name, comment, folder, floors) {
  return floors.flatMap((floor, level) =>
    floor.flatMap((room) => {
      const others = floors
        .slice(level)
        .flat()
        .filter((other) => other !== room);
      if (others.length === 0) return [];
      return {
        name,
        comment,
        severity: 'error',
        from: { path: `^${folder}/${room}/`, pathNot: TESTS },
        to: { path: `^${folder}/(${others.join('|')})/` },
      };
    }),
  );
}

export default {
  forbidden: [
    // 1.
    {
      name: 'domain-is-pure',
      comment: 'domain imports nothing: no HTTP, SQL, React, clock, randomness or locale text.',
      severity: 'error',
      from: { path: '^packages/domain/', pathNot: TESTS },
      to: { pathNot: '^packages/domain/' },
    },
    // 2.
    {
      name: 'api-knows-domain-and-zod',
      comment: 'api imports domain and zod only.',
      severity: 'error',
      from: { path: '^packages/api/', pathNot: TESTS },
      to: { pathNot: ['^packages/(api|domain)/', npm('zod')] },
    },
    // 3.
    {
      name: 'engine-stands-alone',
      comment: 'pades and psc import nothing of ours.',
      severity: 'error',
      from: { path: '^packages/(pades|psc)/', pathNot: TESTS },
      to: { path: '^(apps|packages|locales)/', pathNot: '^packages/$1/' },
    },
    {
      name: 'engine-is-handed-its-network',
      comment:
        'pades and psc are handed their network; of pades, only the binding node.ts, the command and the scripts touch what only Node has.',
      severity: 'error',
      from: { path: '^packages/(pades|psc)/', pathNot: [TESTS, String.raw`^packages/pades/(src/node\.ts$|src/cli/|scripts/)`] },
      to: { dependencyTypes: ['core'], path: `${NETWORK}|^(node:)?(fs|child_process|worker_threads)(/|$)` },
    },
    // 4.
    {
      name: 'web-reaches-no-server',
      comment: 'web imports api, domain and, of the engine, only what verifies and opens certificate files; never server, psc or Node.',
      severity: 'error',
      from: { path: '^apps/web/src/', pathNot: TESTS },
      to: {
        path: '^(apps|packages)/|^(node:)?(fs|path|os|crypto|http|https|net|stream|buffer|process|url|util|events)(/|$)',
        pathNot: ['^apps/web/', '^packages/(api|domain)/', String.raw`^packages/pades/src/(index|p12|p12/index)\.ts$`, 'node_modules/'],
      },
    },
    // 5.
    {
      name: 'local-signer-is-small',
      comment: 'local-signer imports api and pades.',
      severity: 'error',
      from: { path: '^apps/local-signer/', pathNot: TESTS },
      to: { path: '^(apps|packages)/', pathNot: '^(apps/local-signer|packages/(api|pades))/' },
    },
    // 6.
    {
      name: 'only-server-composes',
      comment: 'Only server composes everything: nothing in packages imports an app, and no app another.',
      severity: 'error',
      from: { path: '^(packages|apps/web|apps/local-signer|apps/server)/' },
      to: { path: '^apps/', pathNot: '^$1/' },
    },
    // 7.
    {
      name: 'make-believe-stays-outside',
      comment: "make-believe is imported by tests, e2e, bench and development start (server's main.ts) only.",
      severity: 'error',
      from: {
        path: '^(apps|packages|scripts)/',
        pathNot: [TESTS, '^packages/make-believe/', String.raw`^apps/server/src/main\.ts$`],
      },
      to: { path: '^packages/make-believe/' },
    },
    // 8.
    {
      name: 'sql-lives-in-stores',
      comment: 'In server only *.store.ts and db/ import the SQL builder; a type of it leaves no trace and may be named elsewhere.',
      severity: 'error',
      from: { path: '^apps/server/src/', pathNot: [TESTS, String.raw`\.store\.ts$`, '^apps/server/src/db/'] },
      to: { path: npm('kysely'), dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'web-framework-lives-in-routes',
      comment: 'In server only *.routes.ts and http/ import the web framework.',
      severity: 'error',
      from: { path: '^apps/server/src/', pathNot: [TESTS, String.raw`\.routes\.ts$`, '^apps/server/src/http/'] },
      to: { path: npm('fastify', '@fastify/[^/]+', 'fastify-type-provider-zod') },
    },
    {
      name: 'stores-belong-to-their-feature',
      comment: "In server a feature may call another feature's use case, never its store.",
      severity: 'error',
      from: { path: '^apps/server/src/features/([^/]+)/', pathNot: TESTS },
      to: { path: String.raw`^apps/server/src/features/.+\.store\.ts$`, pathNot: '^apps/server/src/features/$1/' },
    },
    {
      name: 'core-knows-no-feature',
      comment: 'In server the rooms beside features/ import no feature (main.ts, what it composes, and commands/ do).',
      severity: 'error',
      from: { path: '^apps/server/src/[^/]+/', pathNot: [TESTS, '^apps/server/src/(features|commands)/'] },
      to: { path: '^apps/server/src/features/' },
    },
    {
      name: 'http-is-only-bound',
      comment: 'In server only *.routes.ts know HTTP: neither use cases and jobs nor what stands below them (who acts, paper, storage …).',
      severity: 'error',
      from: { path: '^apps/server/src/[^/]+/', pathNot: [TESTS, '^apps/server/src/http/', String.raw`\.routes\.ts$`] },
      to: { path: '^apps/server/src/http/' },
    },
    {
      name: 'routes-only-bind',
      comment: 'In server routes bind use cases to calls: what is looked up, limited, stored or noted is the use case’s affair.',
      severity: 'error',
      from: { path: String.raw`^apps/server/src/.+\.routes\.ts$`, pathNot: TESTS },
      to: {
        path: String.raw`\.store\.ts$|^apps/server/src/(audit|commands|db|installation|jobs|mail|outside|paper|storage|workers)/`,
        dependencyTypesNot: ['type-only'],
      },
    },
    ...floorRules(
      'features-stand-on-floors',
      'In server a feature knows those on the floors below its own, by value or by type: so no circle of features can be.',
      'apps/server/src/features',
      FEATURE_FLOORS,
    ),
    {
      name: 'a-feature-has-its-floor',
      comment: 'In server every feature stands on a floor: FEATURE_FLOORS says which.',
      severity: 'error',
      from: { path: `^apps/server/src/features/(?!(${FEATURE_FLOORS.flat().join('|')})/)[^/]+/`, pathNot: TESTS },
      to: { path: '.' },
    },
    ...Object.entries(ROOM_FLOORS).flatMap(([folder, floors]) =>
      floorRules(
        'rooms-stand-on-floors',
        'A room inside of a feature knows those below it: reading and creating know how a process lives.',
        folder,
        floors,
      ),
    ),
    ...floorRules(
      'engine-rooms-stand-on-floors',
      'In pades a room knows those on the floors below its own: bytes know no certificate, a certificate no signature, a verdict no signing.',
      'packages/pades/src',
      ENGINE_FLOORS,
    ),
    {
      name: 'an-engine-room-has-its-floor',
      comment: 'In pades every room stands on a floor: ENGINE_FLOORS says which.',
      severity: 'error',
      from: { path: `^packages/pades/src/(?!(${ENGINE_FLOORS.flat().join('|')}|testing)/)[^/]+/` },
      to: { path: '.' },
    },
    // 9.
    {
      name: 'web-features-are-strangers',
      comment: 'In web features never import each other (routes.tsx composes).',
      severity: 'error',
      from: { path: '^apps/web/src/features/([^/]+)/' },
      to: { path: '^apps/web/src/features/', pathNot: '^apps/web/src/features/$1/' },
    },
    {
      name: 'web-ui-knows-no-product',
      comment: 'In web ui/ and pdf/ import no feature and no api.',
      severity: 'error',
      from: { path: '^apps/web/src/(ui|pdf)/' },
      to: { path: '^(apps/web/src/features|packages/api)/' },
    },
    // 10.
    {
      name: 'no-cycles',
      comment: 'No cycles; a type-only import closes none, because it is gone at run time.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-barrels',
      comment: "No barrels except a package's index.ts and its p12 subpath.",
      severity: 'error',
      from: {},
      to: {
        path: String.raw`^(apps|packages)/.*/index\.tsx?$`,
        pathNot: [String.raw`^packages/[^/]+/src/(p12/)?index\.ts$`, 'node_modules/'],
      },
    },
    {
      name: 'npm-named-in-own-package-json',
      comment: "No npm import that is missing from that workspace's own package.json.",
      severity: 'error',
      from: { path: '^(apps|packages|bench|e2e|interop|scripts)/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'resolvable',
      comment: 'Every import leads somewhere: to a file, to an export of a package, to Node.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    ...undeclaredWorkspaces(),
  ],
  options: {
    parser: 'swc',
    combinedDependencies: false,
    moduleSystems: ['es6'],
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^apps/[^/]+/dist/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.d.ts'],
    },
  },
};
