import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { pscErrorCodes } from '@lavra/psc';
import { megabytes, terminalLanguage, terminalWords } from './terminal.ts';
import { locales, readMessages } from './translator.ts';

const root = join(import.meta.dirname, '../../../..');
const asked = /\b(?:say|words|word)\('([\w.]+)'/g;

describe('the command line speaks Portuguese, English and Spanish', () => {
  it('in the language that LAVRA_LANGUAGE names, Portuguese without one', () => {
    assert.deepEqual([terminalLanguage({}), terminalLanguage({ LAVRA_LANGUAGE: 'es' })], ['pt-br', 'es']);
    assert.equal(terminalWords('en')('audit.whole'), 'Every stored file is what it was.');
    assert.deepEqual([megabytes(1_234_567, 'pt-br'), megabytes(1_234_567, 'en')], ['1,2 MB', '1.2 MB']);
  });

  it('and every sentence that a command asks for is there, and no other', () => {
    const sources = globSync(
      ['apps/server/src/{commands,features/stored-files}/**/*.ts', 'apps/server/src/main.ts', 'scripts/{dev.ts,launch.mjs}'],
      { cwd: root },
    );
    const called = sources
      .filter((path) => !path.endsWith('.test.ts'))
      .flatMap((path) => {
        const group = path.endsWith('launch.mjs') ? 'launch.' : '';
        return [...readFileSync(join(root, path), 'utf8').matchAll(asked)].map(([, key = '']) => group + key);
      });
    const chosen = ['missing', 'damaged', 'wrongSize'].map((fault) => `fault.${fault}`);
    const psc = ['credentials', 'discovery', ...pscErrorCodes].map((name) => `psc.${name}`);
    const either = ['psc.push', 'psc.redirect', 'factors.done', 'factors.none', 'secret.already', 'secret.done'];
    const wanted = new Set([...called, ...chosen, ...psc, ...either].map((key) => `terminal.${key}`));
    const there = Object.keys(readMessages(join(root, 'locales'), 'pt-br')).filter((key) => key.startsWith('terminal.'));
    assert.deepEqual([...wanted].toSorted(), there.toSorted());
  });

  for (const language of locales)
    it(`and a command that is not understood explains itself: ${language}`, () => {
      const { stdout, status } = spawnSync(process.execPath, [join(root, 'apps/server/src/commands/migrations.ts'), '--nothing'], {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'], LAVRA_LANGUAGE: language },
      });
      assert.equal(status, 2);
      assert.equal(stdout.trim(), terminalWords(language)('migrations.usage'));
    });

  it('and a language that it does not speak is a fault that names the three', () => {
    const { stderr, status } = spawnSync(process.execPath, [join(root, 'apps/server/src/commands/migrations.ts')], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], LAVRA_LANGUAGE: 'klingon' },
    });
    assert.equal(status, 2);
    assert.match(stderr, /LAVRA_LANGUAGE.*pt-br, en or es/);
  });
});
