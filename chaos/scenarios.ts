import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startMailCatcher, startTimestampWorld } from '@lavra/make-believe';
import type pg from 'pg';
import { freePort } from '../apps/server/src/testing/free-port.ts';
import { makeDocument } from '../bench/make-document.ts';
import { startEmbeddedPostgres } from '../apps/server/src/db/embedded-postgres.ts';
import { audit, type Finding } from './audit.ts';
import { Client } from './client.ts';
import { killPostmaster, mountSmallDisk, removeCluster, startOutsideDatabase } from './databases.ts';
import { type Answers, countUp, emptyLedger, type Ledger } from './ledger.ts';
import { ServerNode } from './node.ts';
import { type Random, seededRandom } from './random.ts';
import { type Relay, startRelay } from './relay.ts';
import { lane, type Stage } from './stories.ts';
import { mailed, openAccount } from './accounts.ts';

export interface Outcome {
  findings: Finding[];
  faults: ReadonlyMap<string, number>;
  /** Milliseconds from the end of a fault until every node said UP. */
  recoveries: readonly number[];
  /** Seconds: the faults, then until the last story was told, then until nothing was left to do. */
  took: readonly number[];
  answers: Answers;
  directory: string;
}

/** A fault: does its harm, and undoes it before it answers. */
type Fault = readonly [name: string, act: () => Promise<unknown>];

const LANES = 4;
const UP_MS = 60_000;
const FILES_JUDGED = 60;

interface Scene {
  directory: string;
  dataDir: string;
  random: Random;
  ledger: Ledger;
  nodes: ServerNode[];
  smtp: Relay;
  tsa: Relay;
  mailDirectory: string;
  recoveries: number[];
  took: number[];
  close(): Promise<void>;
}

/** The outside world in this process, behind doors that the faults shut. */
async function openScene(seed: number, nodeCount: number, more: Record<string, string>, directory: string): Promise<Scene> {
  const dataDir = join(directory, 'data');
  const mailDirectory = join(directory, 'mail');
  mkdirSync(dataDir, { recursive: true });
  const world = await startTimestampWorld();
  const catcher = await startMailCatcher({ directory: mailDirectory });
  const tsa = await startRelay(Number(new URL(world.url).port));
  const smtp = await startRelay(Number(new URL(catcher.smtpUrl).port));
  const roots = join(directory, 'roots.pem');
  writeFileSync(roots, world.root.certificate.toString('pem'));
  const environment = {
    LAVRA_DATA_DIR: dataDir,
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    TSA_URL: `http://127.0.0.1:${tsa.port}/tsa`,
    TSA_ROOTS: roots,
    LAVRA_ALLOW_PRIVATE_FETCH: world.host,
    TRUSTED_PROXIES: '1',
    ...more,
  };
  const nodes: ServerNode[] = [];
  for (let n = 0; n < nodeCount; n += 1) nodes.push(new ServerNode({ name: `node${n}`, port: await freePort(), directory, environment }));
  return {
    directory,
    dataDir,
    mailDirectory,
    nodes,
    smtp,
    tsa,
    random: seededRandom(seed),
    ledger: emptyLedger(),
    recoveries: [],
    took: [],
    async close() {
      for (const node of nodes) await node.kill('SIGTERM');
      await Promise.all([tsa.close(), smtp.close(), world.close(), catcher.close()]);
    },
  };
}

export async function runEmbedded(milliseconds: number, seed: number): Promise<Outcome> {
  const directory = newDirectory();
  const disk = mountSmallDisk(join(directory, 'data/blobs'), 96);
  const scene = await openScene(seed, 1, {}, directory);
  const [node] = scene.nodes as [ServerNode];
  const again = () => node.start();
  const faults: Fault[] = [
    ['node killed', async () => void (await node.kill(), again())],
    [
      'node killed while it starts',
      async () => void (await node.kill(), again(), await sleep(scene.random.between(100, 2500)), await node.kill(), again()),
    ],
    ['postmaster killed', async () => killPostmaster(scene.dataDir)],
    ['node and postmaster killed', async () => void (killPostmaster(scene.dataDir), await node.kill(), again())],
    ['node ended and started', async () => void (await node.kill('SIGTERM'), again())],
    ...outsideFaults(scene),
    ...(disk ? ([['disk full', async () => void (disk.fill(), await sleep(scene.random.between(1000, 5000)), disk.free())]] as const) : []),
  ];
  try {
    await play(scene, faults, milliseconds);
    await node.kill('SIGTERM');
    const embedded = await startEmbeddedPostgres(scene.dataDir);
    again();
    await node.becomesUp(UP_MS);
    const findings = await close(scene, { ...embedded, database: 'lavra' });
    await scene.close();
    await embedded.stop();
    return outcome(scene, findings, directory, () => (disk?.unmount(), removeCluster(scene.dataDir)));
  } finally {
    await scene.close().catch(() => {});
    disk?.unmount();
  }
}

export async function runOutside(milliseconds: number, seed: number): Promise<Outcome | 'notHere'> {
  const directory = newDirectory();
  const database = startOutsideDatabase(directory, await freePort());
  if (!database) return 'notHere';
  const secret = { DATABASE_URL: database.url, LAVRA_SECRET: `chaos-${'x'.repeat(40)}` };
  const scene = await openScene(seed + 1, 2, secret, directory);
  const killOne = async () => {
    const node = scene.random.pick(scene.nodes);
    await node.kill();
    node.start();
  };
  const faults: Fault[] = [
    ['PostgreSQL restarted fast', async () => database.restart('fast')],
    ['PostgreSQL restarted immediate', async () => database.restart('immediate')],
    ['PostgreSQL away', () => database.pause(scene.random.between(1000, 15_000))],
    ['backends terminated', async () => database.terminateBackends()],
    ['node killed', killOne],
    ['node killed, PostgreSQL restarted', async () => void (await killOne(), database.restart('immediate'))],
    ...outsideFaults(scene),
  ];
  try {
    await play(scene, faults, milliseconds);
    const findings = await close(scene, { connectionString: database.url });
    await scene.close();
    return outcome(scene, findings, directory, () => database.stop());
  } finally {
    await scene.close().catch(() => {});
    database.stop();
  }
}

/** Mail server and timestamp authority away, silent, talking nonsense. */
function outsideFaults({ smtp, tsa, random }: Scene): Fault[] {
  const shut = async (relay: Relay) => {
    relay.set(random.pick(['closed', 'silent', 'garbage']));
    await sleep(random.between(1000, 8000));
    relay.set('open');
  };
  return [
    ['mail server away', () => shut(smtp)],
    ['timestamp authority away', () => shut(tsa)],
  ];
}

/** Load and faults until the time is over; then the load comes to its end in peace. */
async function play(scene: Scene, faults: readonly Fault[], milliseconds: number): Promise<void> {
  const { nodes, ledger, random } = scene;
  for (const node of nodes) {
    node.start();
    if ((await node.becomesUp(UP_MS * 2)) === null) throw new Error(`${node.name} did not start; see ${scene.directory}`);
  }
  const end = performance.now() + milliseconds;
  const stage = await openStage(scene, () => performance.now() > end);
  const lanes = Array.from({ length: LANES }, () =>
    lane(stage).catch((error: Error) => void countUp(ledger.answers.wrong, `given up: ${error.message.slice(0, 300)}`)),
  );
  const begin = performance.now();
  await sleep(3000);
  while (performance.now() < end - 5000) {
    const [name, act] = random.pick(faults);
    await act();
    countUp(ledger.faults, name);
    const harmed = performance.now();
    for (const node of nodes) {
      // One that ended by itself is a find already; the run goes on.
      if (!node.isRunning) node.start();
      if ((await node.becomesUp(UP_MS)) === null) countUp(ledger.answers.wrong, `${node.name} was not UP in a minute after: ${name}`);
    }
    scene.recoveries.push(performance.now() - harmed);
    await sleep(random.between(500, 4000));
  }
  const harmless = performance.now();
  await Promise.all(lanes);
  scene.took.push(seconds(begin, harmless), seconds(harmless));
}

async function openStage({ nodes, ledger, random, directory, mailDirectory }: Scene, over: () => boolean): Promise<Stage> {
  const path = join(directory, 'input.pdf');
  await makeDocument(path, { pages: 1, padding: 0, objectStreams: false }, () => new Uint8Array());
  const bases = nodes.map(({ url }) => url);
  let clients = 0;
  const client = () => {
    clients += 1;
    return new Client(bases, `198.51.${Math.floor(clients / 250) % 250}.${(clients % 250) + 1}`, ledger.answers);
  };
  return {
    ledger,
    random,
    pdf: new Uint8Array(readFileSync(path)),
    client,
    account: (one) => openAccount(one, mailDirectory),
    linkKey: (email) => mailed(mailDirectory, email, /\/signer\/[\w-]+\?user=([\w-]+)/, 240_000),
    over,
  };
}

/** Waits until nothing is left to do (at most two minutes), then compares. */
async function close(scene: Scene, database: pg.ClientConfig): Promise<Finding[]> {
  const { ledger, nodes, directory } = scene;
  const client = new Client([nodes[0]?.url ?? ''], '198.51.100.250', ledger.answers);
  const input = {
    ledger,
    database,
    blobs: join(scene.dataDir, 'blobs'),
    mailDirectory: scene.mailDirectory,
    client,
    filesJudged: FILES_JUDGED,
  };
  const begin = performance.now();
  let findings = await audit(input);
  for (const end = performance.now() + 120_000; findings.some(({ losses }) => losses.length > 0) && performance.now() < end;) {
    await sleep(3000);
    findings = await audit(input);
  }
  scene.took.push(seconds(begin));
  const crashes = nodes.flatMap((node) => node.crashes);
  const wrong = [...ledger.answers.wrong].map(([what, count]) => `${count} × ${what}`);
  writeFileSync(join(directory, 'losses.json'), JSON.stringify({ findings, wrong, crashes }, null, 2));
  return [
    ...findings,
    { what: 'programs that ended by themselves', acknowledged: 0, there: crashes.length, losses: crashes },
    { what: 'answers that should not have been given', acknowledged: 0, there: wrong.length, losses: wrong },
  ];
}

function outcome(scene: Scene, findings: Finding[], directory: string, tidy: () => void): Outcome {
  const clean = findings.every(({ losses }) => losses.length === 0);
  if (clean) {
    tidy();
    rmSync(directory, { recursive: true, force: true });
  }
  return {
    findings,
    faults: scene.ledger.faults,
    recoveries: scene.recoveries,
    took: scene.took,
    answers: scene.ledger.answers,
    directory,
  };
}

const seconds = (from: number, to = performance.now()): number => Math.round((to - from) / 1000);

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'lavra-chaos-'));
  // The database's own user has to pass through it.
  chmodSync(directory, 0o711);
  return directory;
}
