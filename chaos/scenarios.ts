import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbeddedPostgres } from '../apps/server/src/db/embedded-postgres.ts';
import { freePort } from '../apps/server/src/testing/free-port.ts';
import { killPostmaster, mountSmallDisk, removeCluster, startOutsideDatabase } from './databases.ts';
import { countUp } from './ledger.ts';
import type { ServerNode } from './node.ts';
import type { Relay } from './relay.ts';
import { closeScene, newDirectory, openScene, openStage, type Outcome, outcome, type Scene, seconds, startLanes } from './scene.ts';
import { filesInFolder } from './stored.ts';

/** A fault: does its harm, and undoes it before it answers. */
type Fault = readonly [name: string, act: () => Promise<unknown>];

const LANES = 4;
const UP_MS = 60_000;

export async function runEmbedded(milliseconds: number, seed: number): Promise<Outcome> {
  const directory = newDirectory();
  const disk = mountSmallDisk(join(directory, 'data/blobs'), 96);
  const dataDir = join(directory, 'data');
  const scene = await openScene(seed, [{ name: 'node0', environment: { LAVRA_DATA_DIR: dataDir } }], directory);
  const [node] = scene.nodes as [ServerNode];
  const again = () => node.start();
  const faults: Fault[] = [
    ['node killed', async () => void (await node.kill(), again())],
    [
      'node killed while it starts',
      async () => void (await node.kill(), again(), await sleep(scene.random.between(100, 2500)), await node.kill(), again()),
    ],
    ['postmaster killed', async () => killPostmaster(dataDir)],
    ['node and postmaster killed', async () => void (killPostmaster(dataDir), await node.kill(), again())],
    ['node ended and started', async () => void (await node.kill('SIGTERM'), again())],
    ...outsideFaults(scene),
    ...(disk ? ([['disk full', async () => void (disk.fill(), await sleep(scene.random.between(1000, 5000)), disk.free())]] as const) : []),
  ];
  try {
    await play(scene, faults, milliseconds);
    await node.kill('SIGTERM');
    const embedded = await startEmbeddedPostgres(dataDir);
    again();
    await node.becomesUp(UP_MS);
    const findings = await closeScene(scene, {
      database: { ...embedded, database: 'lavra' },
      stored: filesInFolder(join(dataDir, 'blobs')),
    });
    await scene.close();
    await embedded.stop();
    return outcome(scene, findings, directory, () => (disk?.unmount(), removeCluster(dataDir)));
  } finally {
    await scene.close().catch(() => {});
    disk?.unmount();
  }
}

export async function runOutside(milliseconds: number, seed: number): Promise<Outcome | string> {
  const directory = newDirectory();
  const database = startOutsideDatabase(directory, await freePort());
  if (!database) return 'PostgreSQL of the system is not installed';
  const dataDir = join(directory, 'data');
  const environment = { LAVRA_DATA_DIR: dataDir, DATABASE_URL: database.url, LAVRA_SECRET: `chaos-${'x'.repeat(40)}` };
  const plans = ['node0', 'node1'].map((name) => ({ name, environment }));
  const scene = await openScene(seed + 1, plans, directory);
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
    const findings = await closeScene(scene, {
      database: { connectionString: database.url },
      stored: filesInFolder(join(dataDir, 'blobs')),
    });
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
  const lanes = startLanes(stage, LANES);
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
  await lanes;
  scene.took.push(seconds(begin, harmless), seconds(harmless));
}
