import { execFile, spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProduct } from '../e2e/product.ts';

const VERSION = '4.32.5';
const account = { email: 'ana@exemplo.com.br', password: 'Segredo-da-fiacao-123' };
/** Answers that would be a fault whatever was sent. */
const checks = ['not_a_server_error', 'status_code_conformance', 'content_type_conformance', 'response_schema_conformance'];
/** What a fresh seed meets is no fault of the change at hand: people run with others (`npm run interop -- wire 7`). */
const SEED = 20261122;
/** They end the session that the others come with. */
const endsSessions = '^(logout|end|changePassword|users_remove|deactivate)';

/** Schemathesis from PyPI, once per clone. False: the registry did not answer. */
export function prepareSchemathesis(here: string): boolean {
  const venv = join(here, '.venv-wire');
  if (existsSync(join(venv, 'ready'))) return true;
  const steps = [
    ['python3', '-m', 'venv', venv],
    [join(venv, 'bin/python'), '-m', 'pip', 'install', '--quiet', `schemathesis==${VERSION}`],
  ] as const;
  for (const [program, ...args] of steps) {
    const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: 300_000 });
    if (status !== 0) return (process.stdout.write(`${stdout ?? ''}${stderr ?? ''}`), false);
  }
  writeFileSync(join(venv, 'ready'), '');
  return true;
}

/**
 * Schemathesis sends what the description of the wire allows, and what it does not, to every call of the running product, as an
 * administrator: no answer is a 5xx or outside of its schema, and the session still holds when it has ended.
 */
export async function judgedBySchemathesis(here: string, seed = SEED, inputs = 5): Promise<boolean> {
  const product = await startProduct();
  try {
    const post = (path: string, body: object) =>
      fetch(`${product.url}/${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    await post('api/register', { login: account.email, firstName: 'Ana', langKey: 'pt-br', ...account });
    const signedIn = await post('api/authenticate', { username: account.email, rememberMe: true, ...account });
    const authorization = `Bearer ${((await signedIn.json()) as { id_token?: string }).id_token ?? ''}`;
    const asked = [
      '--phases',
      'coverage,fuzzing',
      '-n',
      String(inputs),
      '--seed',
      String(seed),
      '--checks',
      checks.join(','),
      '--continue-on-failure',
    ];
    const quiet = ['--suppress-health-check', 'all', '--warnings', 'off', '--no-color', '--exclude-operation-id-regex', endsSessions];
    const run = ['run', `${product.url}/v3/api-docs`, '-H', `Authorization: ${authorization}`, ...asked, ...quiet];
    const { status, stdout, stderr } = await ended(join(here, '.venv-wire/bin/schemathesis'), run, join(here, 'target'));
    const holds = (await fetch(`${product.url}/api/account`, { headers: { authorization } })).ok;
    if (status !== 0) process.stdout.write(`${stdout}${stderr}`);
    const cases = /\d+ generated, \d+ passed/.exec(stdout)?.[0] ?? 'nothing generated';
    process.stdout.write(`the wire, by Schemathesis: ${cases}${holds ? '' : '; its session had ended'}\n`);
    return status === 0 && holds;
  } finally {
    await product.stop();
  }
}

/** Not synchronous: a program that stands still for minutes does not hear that the product has closed its idle connections, and asks over them. */
function ended(program: string, args: readonly string[], cwd: string): Promise<{ status: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(program, args, { cwd, timeout: 400_000, maxBuffer: 256 * 1024 * 1024 }, (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : 1, stdout, stderr }),
    );
  });
}
