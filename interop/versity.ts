import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ForeignBucket, makeBucket } from '../apps/server/src/testing/foreign-bucket.ts';
import { freePort } from '../apps/server/src/testing/free-port.ts';

const MODULE = 'github.com/versity/versitygw/cmd/versitygw@v1.8.0';

export const versityProgram = (target: string): string => join(target, 'versitygw-1.8.0/versitygw');

/** Builds Versity's S3 gateway from the Go module proxy, once per clone. False: there is no Go, or its registry did not answer. */
export function prepareVersity(target: string): boolean {
  const program = versityProgram(target);
  if (existsSync(program)) return true;
  const go = ['go', '/usr/local/go/bin/go', '/usr/lib/go/bin/go'].find((name) => spawnSync(name, ['version']).status === 0);
  if (go === undefined) return false;
  const GOBIN = join(program, '..');
  mkdirSync(GOBIN, { recursive: true });
  const built = spawnSync(go, ['install', MODULE], {
    env: { ...process.env, GOBIN, CGO_ENABLED: '0' },
    encoding: 'utf8',
    timeout: 400_000,
  });
  if (built.status !== 0) process.stdout.write(`${built.stdout ?? ''}${built.stderr ?? ''}`);
  return built.status === 0;
}

/** A bucket of it over a folder, on loopback. */
export async function startVersity(program: string): Promise<ForeignBucket> {
  const directory = mkdtempSync(join(tmpdir(), 'lavra-versity-'));
  for (const name of ['data', 'sidecar']) mkdirSync(join(directory, name));
  const [port, secretAccessKey] = [await freePort(), randomBytes(16).toString('hex')];
  const s3 = { endpoint: `http://127.0.0.1:${port}`, region: 'us-east-1', accessKeyId: 'lavra', secretAccessKey };
  const log = openSync(join(directory, 'log'), 'a', 0o600);
  // What it knows of each object stands beside the files: not every file system keeps attributes.
  const server = spawn(
    program,
    ['--port', `127.0.0.1:${port}`, '--quiet', 'posix', '--sidecar', join(directory, 'sidecar'), join(directory, 'data')],
    { env: { ...process.env, ROOT_ACCESS_KEY_ID: s3.accessKeyId, ROOT_SECRET_ACCESS_KEY: secretAccessKey }, stdio: ['ignore', log, log] },
  );
  const end = () => void server.kill('SIGKILL');
  process.once('exit', end);
  const stop = async () => {
    process.off('exit', end);
    const ended = server.exitCode ?? new Promise((resolve) => server.once('exit', resolve));
    end();
    await ended;
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    await makeBucket(s3, 'lavra', [server]);
  } catch (error) {
    await stop();
    throw error;
  }
  return { ...s3, bucket: 'lavra', stop };
}
