import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, chromium, type Page } from '@playwright/test';
import {
  chooseTyped,
  createPlainProcess,
  creator,
  fillPerson,
  newPerson,
  openSignature,
  phone,
  place,
  pressSign,
  signIn,
} from '../e2e/people.ts';
import { mailed, mailedLink, type Product } from '../e2e/product.ts';
import { bootDebian, type DebianMachine } from './debian-root.ts';

/**
 * What docs/operating.md says of installing, word for word, as an operator types it: on a Debian that has just been installed and
 * sees no other machine, with nginx in front, a mail server and a timestamp authority from outside, and people in Chromium.
 * Runs in a network of its own (`judgedInstallation`); argument: the folder with the Debian's files, the archives and what is made on the way.
 */
const NAME = 'assinar.exemplo.com.br';
const url = `https://${NAME}`;
const STAMPS = 'carimbo.exemplo.com.br';
const STAMPS_PORT = 8318;
const [, , target = ''] = process.argv;
const root = join(target, 'debian');
const mails = join(target, 'mails');
const tls = join(target, 'tls');
const closing: (() => unknown)[] = [];
const PASSWORD = 'uma senha, com # e @';

const pages = new Map(
  ['operating.md', 'operations.md'].map((name) => [name, readFileSync(join(import.meta.dirname, '../docs', name), 'utf8')]),
);
const blocksOf = (text: string, kind: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${kind}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, block = '']) => block);
/** Commands that nobody has typed yet, of all pages. */
const untyped = new Set([...pages.values()].flatMap((text) => blocksOf(text, 'sh').flatMap((block) => block.trim().split('\n'))));

function sectionBelow(heading: string, page: string): string {
  const text = pages.get(page) ?? '';
  return text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
}

/** The commands of a page below a heading, block by block. */
function commandsBelow(heading: string, page = 'operating.md'): string[][] {
  return blocksOf(sectionBelow(heading, page), 'sh').map((block) => block.trim().split('\n'));
}

/** `edited`: what the operator writes where the page has them open an editor. */
function type(
  machine: DebianMachine,
  commands: readonly string[],
  edited: Readonly<Record<string, (text: string) => string>> = {},
): string {
  let said = '';
  for (const command of commands) {
    untyped.delete(command);
    const file = /^editor (\S+)$/.exec(command)?.[1];
    if (file === undefined) {
      process.stdout.write(`  # ${command}\n`);
      // It says with 1 that there is something to change.
      said = machine.run(command.endsWith(' migrations') ? `${command} || test $? -eq 1` : command);
      continue;
    }
    const change = edited[file];
    assert.ok(change, `nothing is written into ${file}`);
    const path = join(root, file);
    writeFileSync(path, change(readFileSync(path, 'utf8')));
  }
  return said;
}

/** A server of another maker's, in Python of this machine; it says when it is there. */
async function startServer(script: string, ...args: string[]): Promise<void> {
  const server = spawn('/usr/bin/python3', ['-W', 'ignore', join(import.meta.dirname, script), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  closing.push(() => server.kill());
  await new Promise<void>((resolve, reject) => {
    server.stdout.once('data', () => resolve());
    server.once('exit', (code) => reject(new Error(`${script} ended with ${code}`)));
  });
}

interface Taken {
  id: string;
  to: string[];
  subject: string;
  text: string;
}

/** As the stories know a product; its mails are those that the server of another maker took. */
const installed: Product = {
  url,
  mailboxUrl: '',
  dataDir: join(root, 'var/lib/lavra'),
  mails(to) {
    const all = globSync('*.json', { cwd: mails }).map((file) => JSON.parse(readFileSync(join(mails, file), 'utf8')) as Taken);
    return Promise.resolve(all.filter((mail) => mail.to.includes(to)));
  },
  end: () => Promise.resolve(),
  stop: () => Promise.resolve(),
};

async function sendAndSign(browser: Browser, ana: Page): Promise<{ invitation: string; finished: string }> {
  await createPlainProcess(installed, ana, 'Contrato de locação', [['Dora Lima', 'dora@exemplo.com.br']]);
  const dora = await newPerson(browser, { geolocation: place, permissions: ['geolocation'], viewport: phone, hasTouch: true });
  const invitation = await mailedLink(installed, 'dora@exemplo.com.br', 'Contrato de locação');
  await openSignature(dora, invitation);
  await fillPerson(dora);
  await chooseTyped(dora);
  await pressSign(dora);
  await dora.getByText('Assinatura concluída').waitFor({ timeout: 60_000 });
  const { text } = await mailed(installed, creator.email, 'download/');
  return { invitation, finished: /https:\/\/\S+/.exec(text)?.[0] ?? '' };
}

/** What a download gives, by the button that people press. */
async function download(page: Page, link: string, into: string): Promise<Buffer> {
  await page.goto(link);
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByRole('link', { name: /Baixar/ })
      .or(page.getByRole('button', { name: /Baixar/ }))
      .first()
      .click(),
  ]);
  await file.saveAs(into);
  return readFileSync(into);
}

/** Nobody finds a signer's key, a CPF or a password where services write. */
function expectNothingTold(machine: DebianMachine, link: string): void {
  const key = new URL(link).searchParams.get('user') ?? assert.fail('the link has no key');
  const logs = machine.run('cat /var/log/nginx/*.log; journalctl --no-pager --output cat');
  assert.match(logs, /\/api\/requisitionInformation 200/);
  for (const secret of [key, '52998224725', '529.982.247-25', PASSWORD, encodeURIComponent(PASSWORD), creator.password])
    assert.ok(!logs.includes(secret), `the logs tell ${secret}`);
}

/** It is what the other makers' tool calls whole, from its timestamp authority on. */
function judgedByPdfsig(path: string): void {
  const { stdout } = spawnSync('pdfsig', ['-nocert', path], { encoding: 'utf8' });
  assert.ok((stdout.match(/Signature is Valid/g) ?? []).length >= 2, stdout);
  assert.doesNotMatch(stdout, /Invalid|tampered/i);
  assert.match(stdout, /Common Name: Carimbo do tempo/);
}

async function installAndUse(machine: DebianMachine): Promise<void> {
  const [install = [], proxy = []] = commandsBelow('Install');
  const announced = type(machine, install, {
    '/etc/lavra/lavra.env': (text) =>
      text
        .replace('smtps://lavra:senha@', `smtps://lavra:${encodeURIComponent(PASSWORD)}@`)
        .replace(/^# TSA_URL=.*$/m, `TSA_URL=http://${STAMPS}:${STAMPS_PORT}/\nLAVRA_ALLOW_PRIVATE_FETCH=${STAMPS}:${STAMPS_PORT}`)
        .replace('# TSA_ROOTS=', 'TSA_ROOTS=')
        .replace('# NODE_EXTRA_CA_CERTS', 'NODE_EXTRA_CA_CERTS'),
  });
  type(machine, proxy, { '/etc/nginx/sites-available/lavra': (text) => text });
  const address = announced.match(/https:\/\/\S+/)?.[0] ?? assert.fail(`no address to register at:\n${announced}`);
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  closing.push(() => browser.close());
  const ana = await newPerson(browser);
  await register(ana, address);
  const { invitation, finished } = await sendAndSign(browser, ana);
  const signed = await download(ana, finished, join(target, 'antes.pdf'));
  judgedByPdfsig(join(target, 'antes.pdf'));
  expectNothingTold(machine, invitation);

  process.stdout.write('  killed, it comes back; backed up, lost, restored and upgraded, the file is the same:\n');
  machine.run('systemctl kill --signal KILL lavra');
  await ready();
  const [, backup = [], restore = []] = [[], ...commandsBelow('Backup, restore, move')];
  type(machine, backup);
  machine.run('install -m 0600 /var/lib/lavra/secret /root/secret');
  type(machine, restore);
  await ready();
  assert.equal(
    machine.run('find /opt/lavra/ -newer /etc/lavra/lavra.env -not -path "*/.*" -type f | head'),
    '',
    'something was written beside the program',
  );
  await upgrade(machine);
  assert.deepEqual(await download(ana, finished, join(target, 'depois.pdf')), signed);
  const [rotate = [], reset = []] = commandsBelow('Start and secret');
  assert.match(type(machine, reset), /não tem verificação em duas etapas/);
  const [accept = []] = commandsBelow('Watching');
  assert.match(type(machine, accept), /já é a certa/);
  type(machine, rotate);
  await ready();
  await moveOut(machine);
  // With the other secret everybody signs in again.
  await signIn(installed, ana);
  await ana.getByText('Contrato de locação').first().waitFor();
  const health = (await (await fetch(`${url}/management/health/readiness`)).json()) as { components: Record<string, { status: string }> };
  assert.equal(health.components['listsCopy']?.status, 'UP');
  assert.deepEqual(await download(ana, finished, join(target, 'mudado.pdf')), signed);
}

/** To the version after this one, and not back. */
async function upgrade(machine: DebianMachine): Promise<void> {
  const [commands = []] = commandsBelow('Upgrade, downgrade');
  type(machine, commands.slice(0, 1));
  assert.match(type(machine, commands.slice(1, 2)), /999-what-is-to-come/);
  type(machine, commands.slice(2));
  await ready();
  const back = machine.run('systemctl stop lavra; /opt/lavra-0.1.0-linux-x64/bin/lavra start 2>&1 && exit 9; systemctl start lavra');
  assert.match(back, /999-what-is-to-come/);
  await ready();
}

/** To a PostgreSQL of Debian's, behind a pooler, with a copy for lists. */
async function moveOut(machine: DebianMachine): Promise<void> {
  const HEADING = "A PostgreSQL of one's own, a pooler, a copy for lists";
  const [database = [], move = [], pooler = [], copy = []] = commandsBelow(HEADING, 'operations.md');
  const [settings = ''] = blocksOf(sectionBelow(HEADING, 'operations.md'), 'ini');
  for (const commands of [database, move]) type(machine, commands);
  await ready();
  type(machine, pooler, { '/etc/pgbouncer/pgbouncer.ini': () => settings });
  await ready();
  type(machine, copy);
  await ready();
}

async function register(page: Page, address: string): Promise<void> {
  await ready();
  await page.goto(address);
  await page.getByLabel('Nome', { exact: true }).fill(creator.name);
  await page.getByLabel('E-mail').fill(creator.email);
  await page.getByLabel('Nova senha').fill(creator.password);
  await page.getByLabel('Repita a senha').fill(creator.password);
  await page.getByRole('button', { name: 'Criar conta' }).click();
  await page.waitForURL('**/signature');
}

async function ready(): Promise<void> {
  for (let attempt = 0; attempt < 120; attempt += 1) {
    const answered = await fetch(`${url}/management/health/readiness`).catch(() => null);
    if (answered?.status === 200) return;
    await sleep(500);
  }
  throw new Error('it is not ready after a minute');
}

/** The program of whoever signs, from its archive, as somebody without rights. */
function expectSigner(machine: DebianMachine): void {
  machine.run(
    'mkdir -p /srv/programa && tar -xzf /root/lavra-signer-*.tar.gz -C /srv/programa --strip-components 1 && useradd --create-home dora',
  );
  const start = 'timeout 10 runuser -u dora -- /srv/programa/bin/lavra-signer --open none --json || true';
  assert.match(machine.run(start), /"listening".*"port":35917/);
}

try {
  rmSync(mails, { recursive: true, force: true });
  mkdirSync(mails);
  await startServer('mail_server.py', mails, join(tls, 'fullchain.pem'), join(tls, 'key.pem'), 'lavra', PASSWORD);
  await startServer('timestamp_authority.py', join(target, 'stamps'), STAMPS, String(STAMPS_PORT));
  const machine = await bootDebian(root);
  closing.push(() => machine.stop());
  for (const file of globSync(['lavra-*.tar.gz', 'SHA256SUMS'], { cwd: join(target, 'release') }))
    cpSync(join(target, 'release', file), join(root, 'root', file));
  cpSync(join(tls, 'ca.crt'), join(root, 'usr/local/share/ca-certificates/casa.crt'));
  mkdirSync(join(root, 'etc/lavra/tls'), { recursive: true });
  for (const file of ['fullchain.pem', 'key.pem']) cpSync(join(tls, file), join(root, 'etc/lavra/tls', file));
  cpSync(join(target, 'stamps/root.pem'), join(root, 'etc/lavra/tsa-roots.pem'));
  machine.run(`update-ca-certificates 2>&1; echo 127.0.0.1 ${NAME} mail.exemplo.com.br ${STAMPS} >> /etc/hosts`);
  process.stdout.write('installed as docs/operating.md says:\n');
  try {
    await installAndUse(machine);
  } catch (error) {
    process.stdout.write(machine.run('journalctl --unit lavra --no-pager --lines 40 --output cat; tail -n 20 /var/log/nginx/*.log'));
    throw error;
  }
  expectSigner(machine);
  assert.deepEqual([...untyped], [], 'commands of the pages that nobody typed');
} finally {
  for (const close of closing.toReversed()) await close();
}
