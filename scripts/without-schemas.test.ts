import assert from 'node:assert/strict';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import * as wire from '@lavra/api';
import { withoutSchemas } from '../apps/web/without-schemas.ts';

type Exported = Readonly<Record<string, unknown>>;

/** The wire's modules as the pages get them. */
async function asBuilt(): Promise<Exported> {
  const folder = mkdtempSync(join(tmpdir(), 'lavra-wire-'));
  try {
    mkdirSync(join(folder, 'src'));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'), 'dir');
    for (const path of globSync('packages/api/src/*.ts'))
      writeFileSync(join(folder, 'src', basename(path)), withoutSchemas(readFileSync(path, 'utf8')));
    return (await import(join(folder, 'src/index.ts'))) as Exported;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Every call, alone or an entity's, by its name. */
function callsOf(exported: Exported): [string, wire.Call][] {
  return Object.entries(exported).flatMap(([name, value]): [string, wire.Call][] => {
    if (typeof value !== 'object' || value === null) return [];
    if ('path' in value && 'method' in value) return [[name, value as wire.Call]];
    return callsOf(value as Exported).map(([below, call]): [string, wire.Call] => [`${name}.${below}`, call]);
  });
}

const addressed = ([name, call]: [string, wire.Call]) => {
  const { params: _params, query: _query, body: _body, reply, ...rest } = call;
  return [name, { ...rest, answers: Boolean(reply) }];
};

describe('the calls as the pages have them', async () => {
  const built = await asBuilt();

  it('go where the server has them, by the same method, and know whether anything comes back', () => {
    const calls = callsOf(built);
    assert.ok(calls.length > 150, `${calls.length} calls`);
    assert.deepEqual(calls.map(addressed), callsOf(wire).map(addressed));
  });

  it('carry no schema', () => {
    for (const [name, { params, query, body, reply }] of callsOf(built))
      for (const field of [params, query, body, reply]) assert.notEqual(typeof field, 'object', name);
  });

  it('leave the schemas by which pages judge themselves as they are: fields of forms, and what LAVRA_SIGNER says', () => {
    const { contracts, localSignerVersion } = built as unknown as Pick<typeof wire, 'contracts' | 'localSignerVersion'>;
    assert.equal(contracts.written.validity.safeParse(null).success, false);
    assert.equal(contracts.written.suspended.safeParse(null).success, true);
    assert.ok(localSignerVersion.safeParse({ name: 'LAVRA_SIGNER', version: '1', protocol: 2 }).success);
    assert.ok(!localSignerVersion.safeParse({ name: 'other', version: '1' }).success);
  });
});
