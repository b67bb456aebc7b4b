import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProgram, startRefused, stopProgram } from '../testing/program.ts';

const ana = { firstName: 'Ana', login: 'ana@exemplo.com.br', email: 'ana@exemplo.com.br', password: 'Tinteiro7' };
const post = (address: string, body: object) =>
  fetch(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

/** `npm run rotate-secret` without npm. */
function command(environment: Record<string, string>, args: readonly string[] = []): ChildProcess {
  return spawn(process.execPath, [join(import.meta.dirname, 'rotate-secret.ts'), ...args], {
    env: { ...process.env, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

async function rotate(environment: Record<string, string>, input: string | null = null) {
  const child = command(environment, input === null ? [] : ['--stdin']);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stdin?.end(input ?? '');
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said };
}

describe('npm run rotate-secret', () => {
  let dataDir: string;
  let environment: Record<string, string>;
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'lavra-rotate-'));
    environment = { LAVRA_DATA_DIR: dataDir };
  });
  after(() => rm(dataDir, { recursive: true, force: true }));

  const path = () => join(dataDir, 'secret');
  const secret = () => readFile(path(), 'utf8');
  const secretFiles = async () => (await readdir(dataDir)).filter((name) => name.startsWith('secret'));

  /** It starts, its authority's keys open, and nothing lies beside the secret. */
  async function assertWorks(settings = environment): Promise<void> {
    const program = await startProgram(settings);
    assert.equal((await fetch(`${program.url}/pki/people.crl`)).status, 200);
    assert.equal((await post(`${program.url}/api/authenticate`, { username: ana.email, password: ana.password })).status, 200);
    await stopProgram(program, 'SIGTERM');
    assert.deepEqual(await secretFiles(), ['secret']);
  }

  it('refuses while the program runs; then everything opens with the new secret, and everybody signs in again', async () => {
    const program = await startProgram(environment);
    assert.equal((await post(`${program.url}/api/register`, ana)).status, 200);
    const entered = await post(`${program.url}/api/authenticate`, { username: ana.email, password: ana.password });
    const authorization = entered.headers.get('authorization') ?? '';
    const account = (url: string) => fetch(`${url}/api/account`, { headers: { authorization } });
    assert.equal((await account(program.url)).status, 200);
    assert.equal((await fetch(`${program.url}/pki/people.crl`)).status, 200);
    assert.deepEqual(await rotate(environment), {
      code: 1,
      said: 'LAVRA_SECRET: cannot be rotated while Lavra runs over this database: stop every node first\n',
    });
    const before = await secret();
    await stopProgram(program, 'SIGTERM');

    const { code, said } = await rotate(environment);
    assert.equal(code, 0, said);
    assert.match(said, /^Segredo trocado; valores cifrados de novo: 4\.$/m);
    assert.match(said, /Lavra Signer/);
    assert.notEqual(await secret(), before);
    assert.ok(!said.includes(await secret()));
    const again = await startProgram(environment);
    assert.equal((await account(again.url)).status, 401);
    await stopProgram(again, 'SIGTERM');
    await assertWorks();
  });

  it('that is killed leaves an installation that starts, and can be begun again', async () => {
    // A while before the next secret is on the disk, the moment it is, and ever later.
    for (const wait of [0, 3, 6, 10, 15, 25, 40]) {
      const child = command(environment);
      const ended = once(child, 'exit');
      while (!existsSync(`${path()}.next`) && child.exitCode === null) await sleep(1);
      await sleep(wait);
      child.kill('SIGKILL');
      await ended;
    }
    await assertWorks();
    assert.equal((await rotate(environment)).code, 0);
    await assertWorks();
  });

  it('that was cut off before its commit is undone by the next start, and after it finished', async () => {
    const old = await secret();
    await writeFile(`${path()}.next`, 'a secret that the database has never heard of');
    await assertWorks();
    assert.equal(await secret(), old);
    assert.equal((await rotate(environment)).code, 0);
    const fresh = await secret();
    await rename(path(), `${path()}.next`);
    await writeFile(path(), old);
    await assertWorks();
    assert.equal(await secret(), fresh);
    // The command finishes as well, instead of rotating once more.
    await rename(path(), `${path()}.next`);
    await writeFile(path(), old);
    assert.match((await rotate(environment)).said, /já conhecia o segredo novo/);
    assert.equal(await secret(), fresh);
  });

  it('makes no installation where there is none', async () => {
    const elsewhere = join(dataDir, 'mistyped');
    assert.deepEqual(await rotate({ LAVRA_DATA_DIR: elsewhere }), {
      code: 1,
      said: `LAVRA_DATA_DIR: there is no secret at ${join(elsewhere, 'secret')}, and LAVRA_SECRET is not set\n`,
    });
    assert.ok(!existsSync(elsewhere));
  });

  it('takes the new secret from the environment or from standard input, and says where it has to go', async () => {
    const [one, two] = ['o primeiro segredo que vem de fora da casa', 'o segundo segredo que vem de fora da casa'];
    assert.equal((await rotate({ ...environment, LAVRA_NEW_SECRET: one })).code, 0);
    assert.equal(await secret(), one);
    const given = { ...environment, LAVRA_SECRET: one };
    assert.deepEqual(await rotate(given), {
      code: 1,
      said: 'LAVRA_NEW_SECRET: missing beside LAVRA_SECRET (or on standard input, with --stdin)\n',
    });
    const { code, said } = await rotate(given, `${two}\n`);
    assert.equal(code, 0, said);
    assert.match(said, /LAVRA_SECRET de todos os nós/);
    assert.ok(!said.includes(one) && !said.includes(two));
    await assertWorks({ ...environment, LAVRA_SECRET: two });
    assert.match((await rotate(given, `${two}\n`)).said, /já conhecia o segredo novo/);
    await writeFile(path(), two);
  });

  it('is needed: a start with another secret refuses in one line, and makes none in place of a missing one', async () => {
    const refused = async (settings: Record<string, string>) => {
      const { code, lines } = await startRefused(settings);
      assert.equal(code, 1);
      // The commands before were killed over this database, and what they leave of its server may take a moment to end.
      const refusal = lines.filter(
        (line) => !/^(Waiting for processes of a PostgreSQL that was killed|The embedded PostgreSQL )/.test(line),
      );
      assert.equal(refusal.length, 1, lines.join('\n'));
      return refusal[0];
    };
    assert.equal(
      await refused({ ...environment, LAVRA_SECRET: 'a secret that was never used with this database' }),
      'LAVRA_SECRET: does not open what this database keeps: it is not the secret that was used with it before',
    );
    assert.equal(
      await refused({ ...environment, LAVRA_NEW_SECRET: 'x'.repeat(40) }),
      'LAVRA_NEW_SECRET: only npm run rotate-secret reads it',
    );
    const kept = await secret();
    await rm(path());
    assert.equal(
      await refused(environment),
      `LAVRA_DATA_DIR: the secret that opens what this database keeps is missing at ${path()}: restore it, or set LAVRA_SECRET`,
    );
    assert.deepEqual(await secretFiles(), []);
    await writeFile(path(), 'not the secret that was there before, but long');
    assert.equal(
      await refused(environment),
      `LAVRA_DATA_DIR: the secret at ${path()} does not open what this database keeps; it had another one, or LAVRA_SECRET`,
    );
    await writeFile(path(), 'cut');
    assert.equal(await refused(environment), `LAVRA_DATA_DIR: ${path()} is damaged: restore it from a backup`);
    await writeFile(path(), kept);
    await assertWorks();
  });
});
