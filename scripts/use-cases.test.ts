import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { findUseCases } from './use-cases.ts';

const root = join(import.meta.dirname, '..');

describe('a use case', () => {
  it('is handed the context, who acts, and its input, and stands alone in the file that is called like it', () => {
    const found = findUseCases(join(root, 'tsconfig.json'), join(root, 'apps/server/src'));
    assert.deepEqual(
      found.flatMap(({ name, file, faults }) => faults.map((fault) => `${file}: ${name}: ${fault}`)),
      [],
    );
    // What is bound is found: by routes, by the machine of entities, by a command.
    const names = new Set(found.map(({ name }) => name));
    for (const name of ['cancelProcess', 'rejectSignature', 'authenticate', 'createRecord', 'writeAuditReport'])
      assert.ok(names.has(name), name);
    assert.ok(found.length > 50);
  });

  it('of another shape is found out wherever it is bound', () => {
    const folder = mkdtempSync(join(tmpdir(), 'lavra-use-cases-'));
    try {
      for (const [path, text] of Object.entries(planted)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
      }
      const found = findUseCases(join(folder, 'tsconfig.json'), folder);
      assert.deepEqual(Object.fromEntries(found.map(({ name, faults }) => [name, faults])), {
        actWell: [],
        actForOwner: ['its second parameter is string, not who acts'],
        actAsAnybody: ['its second parameter is Person | null, not who acts'],
        actAsAny: ['its second parameter is any, not who acts'],
        actFirst: ['its first parameter is Person, not Ctx', 'its second parameter is Ctx, not who acts'],
        actAlone: ['its second parameter is missing, not who acts'],
        actOnFour: ['it has 4 parameters: context, who acts, input'],
        actElsewhere: ['its file is not called act-elsewhere.ts'],
        sweepAll: ['its second parameter is string, not who acts'],
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

const head = `import type { Ctx } from '../../context.ts';\nimport type { Person, System } from '../../access/actor.ts';\n`;
const useCase = (name: string, parameters: string) =>
  `${head}export async function ${name}(${parameters}): Promise<void> {}\nexport type { Person, System };\n`;

const planted: Record<string, string> = {
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      strict: true,
      noEmit: true,
      allowImportingTsExtensions: true,
      module: 'esnext',
      moduleResolution: 'bundler',
      types: [],
    },
    include: ['.'],
  }),
  'package.json': '{ "type": "module" }',
  'context.ts': `export interface Ctx { db: string; log: string }`,
  'access/actor.ts': `export interface Person { kind: 'person' }\nexport interface System { kind: 'system' }\nexport type Actor = Person | System;`,
  'features/a/act-well.ts': useCase('actWell', 'ctx: Ctx, actor: Person | System, input: string'),
  'features/a/act-for-owner.ts': useCase('actForOwner', 'ctx: Ctx, ownerId: string, input: string'),
  'features/a/act-as-anybody.ts': useCase('actAsAnybody', 'ctx: Ctx, actor: Person | null'),
  'features/a/act-as-any.ts': useCase('actAsAny', 'ctx: Ctx, actor: any'),
  'features/a/act-first.ts': useCase('actFirst', 'actor: Person, ctx: Ctx'),
  'features/a/act-alone.ts': useCase('actAlone', 'ctx: Ctx'),
  'features/a/act-on-four.ts': useCase('actOnFour', 'ctx: Ctx, actor: Person, input: string, facts: string'),
  'features/a/acts.ts': useCase('actElsewhere', 'ctx: Ctx, actor: Person'),
  'features/a/sweep-all.ts': `${head}export async function sweepAll(ctx: Pick<Ctx, 'db'>, write: string): Promise<void> {}\nexport const addressOf = (name: string) => name;\nexport type { Person, System };\n`,
  'features/a/a.routes.ts': `import { actWell } from './act-well.ts';
import { actForOwner } from './act-for-owner.ts';
import * as others from './act-as-anybody.ts';
import { actAsAny } from './act-as-any.ts';
import { actFirst } from './act-first.ts';
import { actAlone as alone } from './act-alone.ts';
import { actOnFour } from './act-on-four.ts';
import { actElsewhere } from './acts.ts';
export const bound = [actWell, actForOwner, others, actAsAny, actFirst, alone, actOnFour, actElsewhere];`,
  'commands/sweep.ts': `import { addressOf, sweepAll } from '../features/a/sweep-all.ts';\nexport const run = [addressOf, sweepAll];`,
};
