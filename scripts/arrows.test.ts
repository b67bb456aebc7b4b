import assert from 'node:assert/strict';
import { test } from 'node:test';
import { arrowRules, findCycle } from './arrow-rules.ts';

/** For every rule an import that must be refused and one that must not. */
const examples: Record<string, { bad: [string, string]; good: [string, string] }> = {
  'domain-is-pure': {
    bad: ['packages/domain/src/cpf.ts', 'npm:zod'],
    good: ['packages/domain/src/cpf.ts', 'packages/domain/src/limits.ts'],
  },
  'api-knows-domain-and-zod': { bad: ['packages/api/src/call.ts', 'npm:fastify'], good: ['packages/api/src/call.ts', 'npm:zod'] },
  'engine-stands-alone': {
    bad: ['packages/pades/src/index.ts', 'packages/domain/src/index.ts'],
    good: ['packages/pades/src/index.ts', 'npm:pkijs'],
  },
  'web-reaches-no-server': {
    bad: ['apps/web/src/main.tsx', 'apps/server/src/config.ts'],
    good: ['apps/web/src/main.tsx', 'packages/api/src/index.ts'],
  },
  'local-signer-is-small': {
    bad: ['apps/local-signer/src/main.ts', 'packages/domain/src/index.ts'],
    good: ['apps/local-signer/src/main.ts', 'packages/pades/src/index.ts'],
  },
  'only-server-composes': {
    bad: ['packages/test-pki/src/index.ts', 'apps/server/src/main.ts'],
    good: ['apps/server/src/main.ts', 'packages/pades/src/index.ts'],
  },
  'make-believe-stays-outside': {
    bad: ['apps/server/src/compose.ts', 'packages/test-pki/src/index.ts'],
    good: ['apps/server/src/main.ts', 'packages/test-pki/src/index.ts'],
  },
  'sql-lives-in-stores': {
    bad: ['apps/server/src/features/signing/refusal.ts', 'npm:kysely'],
    good: ['apps/server/src/features/signing/signing.store.ts', 'npm:kysely'],
  },
  'web-features-are-strangers': {
    bad: ['apps/web/src/features/signing/a.tsx', 'apps/web/src/features/documents/b.tsx'],
    good: ['apps/web/src/routes.tsx', 'apps/web/src/features/documents/b.tsx'],
  },
};

for (const rule of arrowRules) {
  test(`${rule.name}: ${rule.sentence}`, () => {
    const example = examples[rule.name];
    assert.ok(example);
    assert.equal(rule.isBroken({ from: example.bad[0], to: example.bad[1] }), true);
    assert.equal(rule.isBroken({ from: example.good[0], to: example.good[1] }), false);
  });
}

test('no cycles', () => {
  assert.deepEqual(
    findCycle([
      { from: 'a', to: 'b' },
      { from: 'b', to: 'c' },
      { from: 'c', to: 'a' },
    ]),
    ['a', 'b', 'c', 'a'],
  );
  assert.equal(
    findCycle([
      { from: 'a', to: 'b' },
      { from: 'a', to: 'c' },
      { from: 'b', to: 'c' },
    ]),
    null,
  );
});
