import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createIcpBrasilPki } from '@lavra/make-believe';
import { ask } from './testing/page.ts';
import { Person } from './testing/person.ts';
import { startProgram } from './testing/program.ts';
import { startSite } from './testing/site.ts';
import { softTokenModule, softTokens } from './testing/soft-token.ts';

const workspace = fileURLToPath(new URL('..', import.meta.url));

test('what is packed is JavaScript with koffi as its one dependency, and finds the certificates of a token', async () => {
  execFileSync(process.execPath, ['scripts/pack.ts'], { cwd: workspace, stdio: ['ignore', 'ignore', 'inherit'] });
  const manifest = JSON.parse(readFileSync(`${workspace}/dist/package/package.json`, 'utf8')) as Record<string, object>;
  assert.deepEqual(Object.keys(manifest['optionalDependencies'] ?? {}), ['koffi']);
  assert.equal(manifest['dependencies'], undefined);
  using drawer = softTokens();
  const token = { label: 'Token da Ana', pin: '4321' };
  drawer.add(token);
  drawer.put(token, await (await createIcpBrasilPki()).issuePerson({ name: 'Ana Beatriz Souza', cpf: '52998224725' }));
  await using site = await startSite();
  await using program = await startProgram(
    ['--module', softTokenModule],
    drawer.environment,
    `${workspace}/dist/package/bin/lavra-signer.js`,
  );
  assert.equal((await ask(program, site.origin, site.ask())).status, 201);
  const person = new Person(await program.nextWindow());
  await person.look();
  await person.press('allow');
  assert.match(await person.see('Arquivo de certificado'), /Token da Ana/);
});
