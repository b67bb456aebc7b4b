import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';

/** For every rule an import that it must refuse and a neighbour of it that no rule may refuse: the file, what it says. */
const examples: Record<string, { bad: [string, string]; good: [string, string] }> = {
  'domain-is-pure': {
    bad: ['packages/domain/src/a.ts', `import { randomUUID } from 'node:crypto';`],
    good: ['packages/domain/src/b.ts', `import { max } from './limits.ts';`],
  },
  'api-knows-domain-and-zod': {
    bad: ['packages/api/src/a.ts', `import type { App } from 'fastify';`],
    good: ['packages/api/src/b.ts', `import { z } from 'zod';\nimport { max } from '@lavra/domain';`],
  },
  'engine-stands-alone': {
    bad: ['packages/pades/src/a.ts', `import { max } from '@lavra/domain';`],
    good: ['packages/pades/src/b.ts', `import { thing } from './thing.ts';`],
  },
  'engine-is-handed-its-network': {
    bad: ['packages/psc/src/a.ts', `await using _ = await import('node:https');`],
    good: ['packages/pades/src/node.ts', `import { open } from 'node:fs/promises';`],
  },
  'web-reaches-no-server': {
    bad: ['apps/web/src/a.tsx', `export const a = <p>{(await import('@lavra/server')).max}</p>;`],
    good: ['apps/web/src/b.tsx', `import { call } from '@lavra/api';\nimport { verify } from '@lavra/pades';`],
  },
  'local-signer-is-small': {
    bad: ['apps/local-signer/src/a.ts', `import { max } from '@lavra/domain';`],
    good: ['apps/local-signer/src/b.ts', `import { verify } from '@lavra/pades';`],
  },
  'only-server-composes': {
    bad: ['packages/make-believe/src/a.ts', `import { main } from '../../../apps/server/src/main.ts';`],
    good: ['apps/server/src/b.ts', `import { verify } from '@lavra/pades';`],
  },
  'make-believe-stays-outside': {
    bad: ['apps/server/src/compose.ts', `import { world } from '@lavra/make-believe';`],
    good: ['apps/server/src/main.ts', `import { world } from '@lavra/make-believe';`],
  },
  'sql-lives-in-stores': {
    bad: ['apps/server/src/features/signing/consent.ts', `import { type Kysely, sql } from 'kysely';`],
    good: ['apps/server/src/features/signing/signing.store.ts', `import { sql } from 'kysely';`],
  },
  'web-framework-lives-in-routes': {
    bad: ['apps/server/src/features/signing/a.ts', `import type { App } from 'fastify';`],
    good: ['apps/server/src/features/signing/signing.routes.ts', `import type { App } from 'fastify';`],
  },
  'stores-belong-to-their-feature': {
    bad: ['apps/server/src/features/sealing/a.ts', `import { rows } from '../signing/signing.store.ts';`],
    good: ['apps/server/src/features/sealing/b.ts', `import { act } from '../signing/act.ts';`],
  },
  'core-knows-no-feature': {
    bad: ['apps/server/src/http/a.ts', `import { act } from '../features/signing/act.ts';`],
    good: ['apps/server/src/features.ts', `import { act } from './features/signing/act.ts';`],
  },
  'http-is-only-bound': {
    bad: ['apps/server/src/features/verification/a.ts', `import type { Routes } from '../../http/app.ts';`],
    good: ['apps/server/src/http/b.ts', `import type { Actor } from '../access/actor.ts';`],
  },
  'routes-only-bind': {
    bad: ['apps/server/src/features/signing/b.routes.ts', `import { rows } from './signing.store.ts';`],
    good: [
      'apps/server/src/features/signing/c.routes.ts',
      `import type { Row } from './signing.store.ts';\nimport { act } from './act.ts';`,
    ],
  },
  'features-stand-on-floors': {
    bad: ['apps/server/src/features/documents/c.ts', `import type { Act } from '../signing/act.ts';`],
    good: ['apps/server/src/features/signing/c.ts', `import { file } from '../documents/file.ts';`],
  },
  'a-feature-has-its-floor': {
    bad: ['apps/server/src/features/attic/a.ts', `import type { Actor } from '../../access/actor.ts';`],
    good: ['apps/server/src/features/clock/a.ts', `import type { Actor } from '../../access/actor.ts';`],
  },
  'rooms-stand-on-floors': {
    bad: ['apps/server/src/features/processes/life/a.ts', `import { start } from '../creation/start.ts';`],
    good: ['apps/server/src/features/processes/processes.routes.ts', `import { start } from './creation/start.ts';`],
  },
  'engine-rooms-stand-on-floors': {
    bad: ['packages/pades/src/x509/a.ts', `import type { SignedData } from '../cms/signed-data.ts';`],
    good: ['packages/pades/src/cms/a.ts', `import { node } from '../asn1/der.ts';`],
  },
  'an-engine-room-has-its-floor': {
    bad: ['packages/pades/src/attic/a.ts', `import { node } from '../asn1/der.ts';`],
    good: ['packages/pades/src/verify/a.ts', `import { node } from '../asn1/der.ts';`],
  },
  'web-features-are-strangers': {
    bad: ['apps/web/src/features/signing/a.tsx', `import { part } from '../documents/part.tsx';`],
    good: ['apps/web/src/routes.tsx', `import { part } from './features/documents/part.tsx';`],
  },
  'web-ui-knows-no-product': {
    bad: ['apps/web/src/ui/a.tsx', `import type { call } from '@lavra/api';`],
    good: ['apps/web/src/features/documents/b.tsx', `import { call } from '@lavra/api';\nimport { box } from '../../ui/box.tsx';`],
  },
  'no-cycles': {
    bad: ['apps/server/src/left.ts', `import { right } from './right.ts';`],
    good: ['apps/server/src/west.ts', `import type { East } from './east.ts';`],
  },
  'no-barrels': {
    bad: ['apps/server/src/c.ts', `import { all } from './mail/index.ts';`],
    good: ['apps/server/src/d.ts', `import { max } from '@lavra/domain';`],
  },
  'named-in-own-package-json': {
    bad: ['packages/make-believe/src/b.ts', `import { verify } from '@lavra/pades';`],
    good: ['apps/server/src/a.test.ts', `import { world } from '@lavra/make-believe';`],
  },
  'npm-named-in-own-package-json': {
    bad: ['apps/server/src/e.ts', `import { z } from 'zod';`],
    good: ['apps/server/src/db/client.ts', `import { sql } from 'kysely';`],
  },
  resolvable: {
    bad: ['apps/server/src/f.ts', `import { gone } from './nowhere.ts';`],
    good: ['apps/server/src/g.ts', `import { right } from './right.ts';`],
  },
};

/** What the examples lead to. */
const targets: Record<string, string> = {
  'packages/domain/src/limits.ts': '',
  'packages/pades/src/thing.ts': '',
  'packages/pades/src/asn1/der.ts': '',
  'packages/pades/src/cms/signed-data.ts': '',
  'apps/server/src/right.ts': `import { left } from './left.ts';`,
  'apps/server/src/east.ts': `import { west } from './west.ts';`,
  'apps/server/src/mail/index.ts': '',
  'apps/server/src/features/signing/act.ts': '',
  'apps/server/src/features/documents/file.ts': '',
  'apps/server/src/features/processes/creation/start.ts': '',
  'apps/server/src/access/actor.ts': '',
  'apps/server/src/http/app.ts': '',
  'apps/web/src/features/documents/part.tsx': '',
  'apps/web/src/ui/box.tsx': '',
};

/** Each workspace with what its package.json names. */
const workspaces: Record<string, string[]> = {
  'packages/domain': [],
  'packages/api': ['@lavra/domain', 'zod', 'fastify'],
  'packages/pades': [],
  'packages/psc': [],
  'packages/make-believe': [],
  'apps/server': ['@lavra/domain', '@lavra/api', '@lavra/pades', '@lavra/make-believe', 'kysely', 'fastify'],
  'apps/web': ['@lavra/api', '@lavra/pades'],
  'apps/local-signer': ['@lavra/pades'],
};

interface Cruise {
  summary: { violations: { from: string; rule: { name: string } }[]; ruleSetUsed: { forbidden: { name: string; comment: string }[] } };
}

/** A repository of the same shape in a folder of its own, judged by the house's own rules. */
describe('the "never" arrows', () => {
  const root = mkdtempSync(join(tmpdir(), 'lavra-arrows-'));
  let cruise: Cruise;
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const brokenBy = (file: string) => cruise.summary.violations.filter(({ from }) => from === file).map(({ rule }) => rule.name);

  before(() => {
    write('package.json', '{ "name": "root" }');
    for (const name of ['zod', 'fastify', 'kysely']) {
      write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'dist/index.js' }));
      write(`node_modules/${name}/dist/index.js`, '');
    }
    mkdirSync(join(root, 'node_modules/@lavra'));
    for (const [folder, named] of Object.entries(workspaces)) {
      const name = `@lavra/${folder.split('/')[1]}`;
      const dependencies = Object.fromEntries(named.map((one) => [one, '1.0.0']));
      write(`${folder}/package.json`, JSON.stringify({ name, version: '1.0.0', exports: { '.': './src/index.ts' }, dependencies }));
      write(`${folder}/src/index.ts`, '');
      symlinkSync(join(root, folder), join(root, 'node_modules', name));
    }
    for (const [path, text] of Object.entries(targets)) write(path, text);
    for (const { bad, good } of Object.values(examples)) for (const [path, text] of [bad, good]) write(path, text);
    const program = resolve('node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
    const options = ['--config', resolve('.dependency-cruiser.mjs'), '--output-type', 'json'];
    const { stdout, stderr } = spawnSync(process.execPath, [program, ...options, 'apps', 'packages'], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 1 << 26,
    });
    assert.ok(stdout.startsWith('{'), stderr);
    cruise = JSON.parse(stdout) as Cruise;
  });
  after(() => rmSync(root, { recursive: true }));

  for (const [name, { bad, good }] of Object.entries(examples)) {
    test(`${name} refuses «${bad[1]}» in ${bad[0]}`, () => assert.ok(brokenBy(bad[0]).includes(name), brokenBy(bad[0]).join()));
    test(`${name} lets ${good[0]} be`, () => assert.deepEqual(brokenBy(good[0]), []));
  }

  test('every rule has an example and a sentence', () => {
    const rules = cruise.summary.ruleSetUsed.forbidden;
    assert.deepEqual(new Set(rules.map((rule) => rule.name)), new Set(Object.keys(examples)));
    assert.ok(rules.every((rule) => rule.comment.endsWith('.')));
  });
});
