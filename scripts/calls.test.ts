import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type LimitName, type RateLimit, rateLimits } from '../packages/api/src/index.ts';
import { everyCall } from '../apps/server/src/http/openapi/every-call.ts';
import { callTable, roleTable } from './call-table.ts';
import { callWords } from './call-words.ts';

const root = join(import.meta.dirname, '..');
const server = join(root, 'apps/server/src');
const sources = globSync('**/*.ts', { cwd: server })
  .filter((path) => !path.endsWith('.test.ts') && !path.startsWith('testing'))
  .map((path) => readFileSync(join(server, path), 'utf8'));

test('docs/calls.md says what packages/api declares (npm run calls prints it)', () => {
  assert.equal(readFileSync(join(root, 'docs/calls.md'), 'utf8'), callTable());
});

test('docs/roles.md says whom packages/api lets in (npm run calls prints it)', () => {
  assert.equal(readFileSync(join(root, 'docs/roles.md'), 'utf8'), roleTable());
});

test('what administers the installation is for its administrators alone', () => {
  // Asked by programs, which have no session: whether the server is well.
  const open = ['management/info'];
  for (const [name, call] of everyCall) {
    if (!/^(api\/(_search\/)?admin\/|management\/)/.test(call.path) || open.includes(call.path)) continue;
    assert.deepEqual(call.access, ['ROLE_ADMIN'], name);
  }
});

test('what is told of the calls in the description of the wire is what stands above them (npm run calls prints it)', () => {
  assert.equal(readFileSync(join(root, 'apps/server/src/http/openapi/call-words.ts'), 'utf8'), callWords());
});

test('every call says who may make it, and no two calls have one address, unless one takes JSON alone', () => {
  assert.ok(everyCall.size > 60);
  const addresses = new Set<string>();
  for (const [name, { access, method, path, onlyJson }] of everyCall) {
    assert.ok(
      access === 'public' ||
        access === 'session' ||
        access === 'authenticated' ||
        (typeof access === 'object' && ('link' in access || access.length > 0)),
      name,
    );
    const address = `${method} ${path}${onlyJson ? ' of JSON' : ''}`;
    assert.ok(!addresses.has(address), name);
    addresses.add(address);
  }
});

test('every limit is a call’s, and is counted where it says: at the door by address or account, else by a use case', () => {
  const named = new Set([...everyCall.values()].flatMap(({ limits }) => limits ?? []));
  const calls = [...everyCall].filter(([, { limits }]) => limits);
  for (const [name, { at, by }] of Object.entries(rateLimits) as [LimitName, RateLimit][]) {
    assert.ok(named.has(name), `${name} is no call’s`);
    const isCounted = sources.some((source) =>
      new RegExp(`((?:limitRate(?:ByAddress)?|attemptWrite)\\(\\w+, |name: )'${name}'( as const)?,`).test(source),
    );
    assert.equal(isCounted, at === 'later', `${name}: counted by a use case`);
    if (at === 'door') assert.ok(by === 'address' || by === 'account', name);
    if (at === 'door' && by === 'account')
      for (const [call, { access, limits }] of calls)
        assert.ok(
          !limits?.includes(name) || access === 'session' || access === 'authenticated' || Array.isArray(access),
          `${call} has no account to count`,
        );
  }
});

test('a limit has its numbers in packages/api alone', () => {
  for (const source of sources) assert.doesNotMatch(source, /(?:limitRate(?:ByAddress)?|attemptWrite)\([^)]*,\s*[\d_]+\)/);
});
