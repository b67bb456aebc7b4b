import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const VERSION = '26.4.7';
const START_MS = 90_000;

/** A real Keycloak with one realm, which the caller rules as its administrator does. */
export interface Keycloak {
  /** Of the realm: what its tokens say and what the product is given. */
  issuer: string;
  /** A call of the realm's administration; `path` below `/admin/realms/<realm>/`. */
  admin<T>(method: string, path: string, body?: unknown): Promise<T>;
  stop(): Promise<void>;
}

/** What is imported, as Keycloak spells it. */
export interface Realm {
  realm: string;
  [setting: string]: unknown;
}

/**
 * Fetches Keycloak's own distribution from Maven Central (kept in Maven's cache) and builds it for a database in memory, once
 * per clone. False: the registry did not answer, or there is no Java.
 */
export function prepareKeycloak(target: string): boolean {
  const home = homeIn(target);
  const ready = join(home, 'ready');
  if (existsSync(ready)) return true;
  rmSync(home, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const unpack = [`-Dartifact=org.keycloak:keycloak-quarkus-dist:${VERSION}:zip`, `-DoutputDirectory=${target}`];
  const steps = [
    ['mvn', '-q', '-B', 'dependency:unpack', ...unpack],
    ['sh', join(home, 'bin/kc.sh'), 'build', '--db=dev-mem'],
  ] as const;
  for (const [command, ...args] of steps) {
    const done = spawnSync(command, args, { cwd: target, encoding: 'utf8', timeout: 300_000 });
    if (done.status === 0) continue;
    process.stdout.write(`${done.stdout ?? ''}${done.stderr ?? ''}`);
    return false;
  }
  writeFileSync(ready, '');
  return true;
}

/** Starts it at a port over a fresh database that holds this realm. It listens to this computer alone. */
export async function startKeycloak(target: string, realm: Realm, port: number): Promise<Keycloak> {
  const home = homeIn(target);
  const imported = join(home, 'data/import');
  rmSync(imported, { recursive: true, force: true });
  mkdirSync(imported, { recursive: true });
  writeFileSync(join(imported, 'realm.json'), JSON.stringify(realm));
  const password = randomBytes(18).toString('base64url');
  const listening = ['--http-enabled=true', '--hostname-strict=false', '--http-host=127.0.0.1', `--http-port=${port}`];
  const server = spawn('sh', [join(home, 'bin/kc.sh'), 'start', '--optimized', '--import-realm', ...listening], {
    env: {
      ...process.env,
      KC_BOOTSTRAP_ADMIN_USERNAME: 'interop',
      KC_BOOTSTRAP_ADMIN_PASSWORD: password,
      // It lives for a minute: what the second compiler would make of it comes too late.
      JAVA_OPTS_APPEND: '-XX:TieredStopAtLevel=1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const url = keycloakAddress(port);
  const stop = () => stopGroup(server);
  try {
    await answering(server, `${url}/realms/${realm.realm}/.well-known/openid-configuration`);
  } catch (error) {
    await stop();
    throw error;
  }
  return { issuer: `${url}/realms/${realm.realm}`, admin: administration(url, realm.realm, password), stop };
}

export function keycloakAddress(port: number): string {
  return `http://127.0.0.1:${port}`;
}

function homeIn(target: string): string {
  return join(target, `keycloak-${VERSION}`);
}

async function answering(server: ChildProcess, address: string): Promise<void> {
  let output = '';
  const note = (chunk: Buffer) => (output = `${output}${chunk.toString()}`.slice(-20_000));
  server.stdout?.on('data', note);
  server.stderr?.on('data', note);
  const until = Date.now() + START_MS;
  while (Date.now() < until) {
    if (server.exitCode !== null) throw new Error(`Keycloak stopped:\n${output}`);
    const answer = await fetch(address).catch(() => null);
    if (answer?.ok) return;
    await sleep(250);
  }
  throw new Error(`Keycloak did not answer in ${START_MS / 1000} s:\n${output}`);
}

/** The script has Java as its child: both are one group. */
async function stopGroup(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.pid === undefined) return;
  const ended = new Promise((resolve) => server.once('exit', resolve));
  const group = -server.pid;
  process.kill(group, 'SIGTERM');
  if ((await Promise.race([ended.then(() => 'ended'), sleep(10_000, 'late')])) === 'late') process.kill(group, 'SIGKILL');
  await ended;
}

function administration(url: string, realm: string, password: string): Keycloak['admin'] {
  return async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const asked = await fetch(`${url}/realms/master/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', username: 'interop', password }),
    });
    const { access_token: token } = (await asked.json()) as { access_token: string };
    const answer = await fetch(`${url}/admin/realms/${realm}/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`Keycloak's administration: ${method} ${path}: ${answer.status} ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  };
}
