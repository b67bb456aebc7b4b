import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { installMissing } from '../scripts/debian-packages.ts';
import { makeDebianRoot } from './debian-root.ts';

const packages = {
  mmdebstrap: '/usr/bin/mmdebstrap',
  'systemd-container': '/usr/bin/systemd-nspawn',
  iproute2: '/usr/sbin/ip',
  'libnss3-tools': '/usr/bin/certutil',
  podman: '/usr/bin/podman',
  runc: '/usr/sbin/runc',
  'python3-aiosmtpd': '/usr/lib/python3/dist-packages/aiosmtpd/controller.py',
};

/**
 * A release of this tree, installed as its operators install it (interop/installation.ts). The Debian is made first; then nothing but
 * this machine is seen, so that what needs a registry fails. Needs root and Linux's namespaces; says so where they are not.
 */
export async function judgedInstallation(): Promise<boolean> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    process.stdout.write('installing for real needs root on Linux: left out\n');
    return true;
  }
  const missing = installMissing(packages);
  if (missing.length > 0) {
    process.stdout.write(`${missing.join(', ')} could not be installed: installing for real is left out\n`);
    return true;
  }
  const folder = mkdtempSync(join(tmpdir(), 'lavra-in-'));
  try {
    return judgedArchive(folder) && (await judgedContainer(folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function judgedArchive(folder: string): boolean {
  makeDebianRoot(join(folder, 'debian'));
  const made = spawnSync(process.execPath, [join(import.meta.dirname, '../scripts/release.ts'), join(folder, 'release')], {
    stdio: 'inherit',
  });
  if (made.status !== 0) return false;
  makeNextVersion(join(folder, 'release'));
  writeFileSync(join(folder, 'hosts'), '127.0.0.1 localhost assinar.exemplo.com.br mail.exemplo.com.br carimbo.exemplo.com.br\n');
  makeCertificates(folder);
  const alone = 'ip link set lo up && mount --bind "$1/hosts" /etc/hosts && shift && exec "$@"';
  const story = [process.execPath, join(import.meta.dirname, 'installation.ts'), folder];
  const environment = { ...process.env, HOME: folder, NODE_EXTRA_CA_CERTS: join(folder, 'tls/ca.crt') };
  const done = spawnSync('unshare', ['--net', '--mount', 'sh', '-c', alone, 'sh', folder, ...story], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: environment,
    timeout: 500_000,
  });
  process.stdout.write(`installed from the archive: ${done.status === 0 ? 'as its page says' : 'NOT as its page says'}\n`);
  return done.status === 0;
}

/** What is to come: the same archive under the next number, with one migration more. */
function makeNextVersion(release: string): void {
  const [now, next] = ['lavra-0.1.0-linux-x64', 'lavra-0.2.0-linux-x64'];
  shell('cd "$1" && tar -xzf "$2.tar.gz" && mv "$2" "$3"', release, now, next);
  const manifest = join(release, next, 'package.json');
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('0.1.0', '0.2.0'));
  const text = `import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql\`alter table signer add column added_by_the_next text\`.execute(db);
}
`;
  writeFileSync(join(release, next, 'apps/server/src/db/migrations/999-what-is-to-come.ts'), text);
  shell('cd "$1" && tar --owner=0 --group=0 -I "gzip -1" -cf "$2.tar.gz" "$2" && rm -r "$2"', release, next);
}

/** The archive's recipe, made by another program than Docker over a Debian that has just been installed, starts in production and ends in order. */
async function judgedContainer(folder: string): Promise<boolean> {
  const unpacked = join(folder, 'recipe');
  const podman = [
    'podman',
    '--root',
    join(folder, 'containers'),
    '--runroot',
    // Podman takes 50 letters for it at most.
    join(folder, 'run'),
    '--runtime',
    'runc',
    '--cgroup-manager',
    'cgroupfs',
  ];
  const port = '18080';
  const address = `http://127.0.0.1:${port}`;
  const settings = {
    PORT: port,
    LAVRA_PUBLIC_URL: address,
    LAVRA_INSECURE: 'true',
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'Lavra <lavra@exemplo.com.br>',
  };
  const limits = ['--ulimit', 'nofile=10000:10000', '--ulimit', 'nproc=4000:4000'];
  const options = ['--detach', '--pull', 'never', '--network', 'host', '--name', 'lavra', ...limits];
  try {
    mkdirSync(unpacked);
    shell('mmdebstrap --quiet --variant=minbase bookworm - | "$@" import - docker.io/library/debian:12-slim', ...podman);
    shell('tar -xzf "$1"/release/lavra-0.1.0-*.tar.gz -C "$1/recipe" --strip-components 1', folder);
    shell('"$@"', ...podman, 'build', '--isolation', 'chroot', '--pull-never', '--tag', 'localhost/lavra', unpacked);
    shell('"$@"', ...podman, 'run', ...options, ...Object.entries(settings).flatMap((one) => ['--env', one.join('=')]), 'localhost/lavra');
    await answers(`${address}/management/health/liveness`);
    shell('"$@"', ...podman, 'stop', '--time', '20', 'lavra');
    const ended = shell('"$@"', ...podman, 'inspect', 'lavra', '--format', '{{.State.ExitCode}}').trim();
    process.stdout.write(`the container's recipe: ${ended === '0' ? 'built, started, ended in order' : `ended with ${ended}`}\n`);
    return ended === '0';
  } catch (error) {
    process.stdout.write(`the container's recipe: ${String(error)}\n`);
    return false;
  } finally {
    spawnSync('sh', ['-c', '"$@" rm --force lavra; "$@" unmount --all', 'sh', ...podman], { stdio: 'ignore' });
  }
}

/** `"$1"`, `"$2"` … are the words; what was said. */
function shell(command: string, ...words: string[]): string {
  const done = spawnSync('sh', ['-c', `set -e; ${command}`, 'sh', ...words], { encoding: 'utf8', timeout: 180_000 });
  if (done.status !== 0) throw new Error(`${command} ${words.join(' ')}\n${done.stdout}${done.stderr}`);
  return done.stdout;
}

async function answers(address: string): Promise<void> {
  for (let attempt = 0; attempt < 60; attempt += 1) {
    if ((await fetch(address).catch(() => null))?.status === 200) return;
    await sleep(500);
  }
  throw new Error(`${address} does not answer`);
}

/** A certificate authority of the house, what it issued for both servers, and Chromium's belief in it (the database of NSS in `HOME`). */
function makeCertificates(folder: string): void {
  const tls = join(folder, 'tls');
  const beliefs = join(folder, '.pki/nssdb');
  for (const made of [tls, beliefs]) mkdirSync(made, { recursive: true });
  const run = (...words: string[]) => shell('cd "$1"; shift; "$@"', tls, ...words);
  const fresh = ['-x509', '-days', '7', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout'];
  run('openssl', 'req', ...fresh, 'ca.key', '-out', 'ca.crt', '-subj', '/CN=Autoridade da casa');
  const names = ['subjectAltName=DNS:assinar.exemplo.com.br,DNS:mail.exemplo.com.br', 'basicConstraints=critical,CA:FALSE'];
  const issued = ['-CA', 'ca.crt', '-CAkey', 'ca.key', ...names.flatMap((extension) => ['-addext', extension])];
  run('openssl', 'req', ...fresh, 'key.pem', '-out', 'fullchain.pem', '-subj', '/CN=assinar.exemplo.com.br', ...issued);
  run('certutil', '-d', `sql:${beliefs}`, '-N', '--empty-password');
  run('certutil', '-d', `sql:${beliefs}`, '-A', '-t', 'C,,', '-n', 'casa', '-i', 'ca.crt');
}
