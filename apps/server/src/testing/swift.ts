import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { type ForeignBucket, makeBucket } from './foreign-bucket.ts';
import { freePort } from './free-port.ts';

const PYTHON = '/usr/bin/python3';
const KINDS = ['account', 'container', 'object'] as const;
const programOf = (kind: string) => `/usr/bin/swift-${kind}-server`;

/** Whether Debian's OpenStack Swift is here. */
export const hasSwift = (): boolean => ['proxy', ...KINDS].every((kind) => existsSync(programOf(kind)));

/** Debian's OpenStack Swift on loopback, one device, one copy of each object, spoken to through its s3api. */
export async function startSwift(): Promise<ForeignBucket> {
  const directory = mkdtempSync(join(tmpdir(), 'lavra-swift-'));
  const at = (name: string) => join(directory, name);
  mkdirSync(at('devices/d1'), { recursive: true });
  const [secret, suffix] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  writeFileSync(
    at('swift.conf'),
    `[swift-hash]\nswift_hash_path_suffix = ${suffix}\nswift_hash_path_prefix = ${suffix}\n` +
      `[storage-policy:0]\nname = one\ndefault = yes\n[swift-constraints]\n`,
  );
  const programs: ChildProcess[] = [];
  // They are sessions of their own: who ends our program does not end them.
  const endAll = () => programs.forEach((program) => program.kill('SIGKILL'));
  process.once('exit', endAll);
  const run = (kind: string, port: number, more: string) => {
    writeFileSync(at(`${kind}.conf`), `${common(directory, port)}${more}`, { mode: 0o600 });
    const log = openSync(at(`${kind}.log`), 'a', 0o600);
    programs.push(spawn(PYTHON, [programOf(kind), at(`${kind}.conf`), '-v'], { cwd: directory, stdio: ['ignore', log, log] }));
  };
  const ports = new Map<string, number>();
  for (const kind of KINDS) ports.set(kind, await freePort());
  execFileSync(PYTHON, ['-c', RINGS, ...[...ports].map(([kind, port]) => `${at(`${kind}.ring.gz`)}=${port}`)], { stdio: 'pipe' });
  for (const [kind, port] of ports) {
    run(kind, port, `[pipeline:main]\npipeline = ${kind}-server\n[app:${kind}-server]\nuse = egg:swift#${kind}\n`);
  }
  const port = await freePort();
  run('proxy', port, proxySettings(secret));
  const s3 = { endpoint: `http://127.0.0.1:${port}`, region: 'us-east-1', accessKeyId: 'test:tester', secretAccessKey: secret };
  const bucket = 'lavra';
  const stop = async () => {
    const ended = programs.map((program) => program.exitCode ?? new Promise((resolve) => program.once('exit', resolve)));
    process.off('exit', endAll);
    endAll();
    await Promise.all(ended);
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    await makeBucket(s3, bucket, programs);
  } catch (error) {
    await stop();
    throw error;
  }
  return { ...s3, bucket, stop };
}

/** Each is one process, so that whoever started it ends it; nothing is mounted for it. */
const common = (directory: string, port: number) =>
  `[DEFAULT]\nbind_ip = 127.0.0.1\nbind_port = ${port}\nuser = ${userInfo().username}\nswift_dir = ${directory}\n` +
  `devices = ${join(directory, 'devices')}\nmount_check = false\nworkers = 0\nrecon_cache_path = ${directory}\n` +
  `log_statsd_host =\nlog_level = ERROR\n`;

/** It asks for a cache to be named; with nobody there it does without. */
const proxySettings = (secret: string) =>
  '[pipeline:main]\npipeline = catch_errors gatekeeper cache listing_formats s3api tempauth bulk copy slo dlo proxy-server\n' +
  '[app:proxy-server]\nuse = egg:swift#proxy\naccount_autocreate = true\nallow_account_management = true\n' +
  `[filter:tempauth]\nuse = egg:swift#tempauth\nuser_test_tester = ${secret} .admin\n` +
  '[filter:cache]\nuse = egg:swift#memcache\nmemcache_servers = 127.0.0.1:1\n' +
  '[filter:s3api]\nuse = egg:swift#s3api\nlocation = us-east-1\n' +
  ['catch_errors', 'gatekeeper', 'listing_formats', 'bulk', 'copy', 'slo', 'dlo']
    .map((name) => `[filter:${name}]\nuse = egg:swift#${name}\n`)
    .join('');

/** Which device has what, as `swift-ring-builder` writes it: all of it the one. */
const RINGS = `
import sys
from swift.common.ring import RingBuilder
for named in sys.argv[1:]:
    path, port = named.split('=')
    ring = RingBuilder(4, 1, 1)
    ring.add_dev({'region': 1, 'zone': 1, 'ip': '127.0.0.1', 'port': int(port), 'device': 'd1', 'weight': 100})
    ring.rebalance()
    ring.get_ring().save(path)
`;
