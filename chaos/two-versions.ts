import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../apps/server/src/testing/free-port.ts';
import type { ForeignBucket } from '../apps/server/src/testing/foreign-bucket.ts';
import { hasSwift, startSwift } from '../apps/server/src/testing/swift.ts';
import { filesOf, filesOfThisTree, git } from '../bench/files-of.ts';
import { installMissing } from '../scripts/debian-packages.ts';
import { caughtMails } from './audit.ts';
import { type OutsideDatabase, startOutsideDatabase } from './databases.ts';
import { type Answers, countUp, type FailedAnswer, isAway } from './ledger.ts';
import type { ServerNode } from './node.ts';
import { type Proxy, startProxy } from './proxy.ts';
import { closeScene, newDirectory, openScene, openStage, type Outcome, outcome, type Scene, seconds, startLanes } from './scene.ts';
import { type DueWork, judgeScheduled, makeDueWork, sweepAtOnce } from './scheduled.ts';
import type { Stage } from './stories.ts';
import { filesInBucket } from './stored.ts';

const packages = {
  postgresql: '/usr/lib/postgresql/*/bin/pg_ctl',
  'nginx-light': '/usr/sbin/nginx',
  'swift-proxy': '/usr/bin/swift-proxy-server',
  'swift-account': '/usr/bin/swift-account-server',
  'swift-container': '/usr/bin/swift-container-server',
  'swift-object': '/usr/bin/swift-object-server',
};

const LANES = 4;
const UP_MS = 120_000;
/** Of this many readers each asks again after so long. */
const READERS = 2;
const READ_EACH_MS = 60;
const SIDE_BY_SIDE_MS = 5000;

/** When what was harmed, by `performance.now()`: the only failures that are excused. */
interface Harm {
  /** Nodes that were killed: what they were answering is lost. */
  kills: (Span & { by: string })[];
  /** From the restart of PostgreSQL until every node said UP. */
  away: Span[];
}

interface Span {
  from: number;
  to: number;
}

interface Many extends Scene {
  database: OutsideDatabase;
  proxy: Proxy;
  webs: ServerNode[];
  workers: ServerNode[];
  harm: Harm;
}

/** Since this file is there, a node goes on beside one that adds columns to what it reads (apps/server/src/db/client.ts). */
const WITNESS = 'chaos/two-versions.ts';
const MIGRATIONS = 'apps/server/src/db/migrations';

/**
 * The commit before the one that brought the newest migration: its program is the one that an upgrade meets. Where two versions beside each other
 * were not promised yet, or nothing is committed since: this one. Null in a copy without its history.
 */
function versionBefore(): string | null {
  const commit = (...asked: string[]) =>
    git(...asked)
      .toString()
      .trim();
  try {
    const brought = commit('log', '-1', '--diff-filter=A', '--format=%H', '--', MIGRATIONS);
    const before = commit('rev-parse', `${brought}^`);
    return commit('ls-tree', '--name-only', before, '--', WITNESS) === '' ? commit('rev-parse', 'HEAD') : before;
  } catch {
    return null;
  }
}

/** What is to come: this tree with one migration more, as an upgrade adds it to what every act reads and writes. */
async function versionAfter(tree: string): Promise<string> {
  await filesOfThisTree(tree);
  const statements = ['signature_process', 'signer'].map((table) => `alter table ${table} add column added_by_the_next text`);
  const up = statements.map((one) => `  await sql\`${one}\`.execute(db);\n`).join('');
  const text = `import { type Kysely, sql } from 'kysely';\n\nexport async function up(db: Kysely<unknown>): Promise<void> {\n${up}}\n`;
  writeFileSync(join(tree, MIGRATIONS, '999-what-is-to-come.ts'), text);
  return tree;
}

/**
 * Two nodes for people behind nginx and two for jobs, over Debian's PostgreSQL and a bucket of OpenStack Swift's, in production's manner: they share
 * nothing else. Under load they are killed, PostgreSQL is restarted, and all are replaced one after the other by this tree's version.
 */
export async function runTwoVersions(milliseconds: number, seed: number): Promise<Outcome | string> {
  const missing = installMissing(packages);
  if (missing.length > 0 || !hasSwift()) return `${missing.join(', ')} could not be installed`;
  const before = versionBefore();
  if (before === null) return 'no history of git, so that there is no version before';
  const directory = newDirectory();
  const trees = { before: await filesOf(before, join(directory, 'before')), after: await versionAfter(join(directory, 'after')) };
  console.log(`from ${before.slice(0, 10)} to this tree and one migration more`);
  const bucket = await startSwift();
  const database = startOutsideDatabase(directory, await freePort());
  if (!database) throw new Error('PostgreSQL was installed and is not there');
  let scene: Many | null = null;
  try {
    scene = await openMany(seed + 2, directory, database, bucket);
    for (const node of scene.nodes) node.installs(trees.before);
    const work = await play(scene, milliseconds, trees.after);
    const { harm, mailDirectory } = scene;
    const findings = await closeScene(scene, {
      database: { connectionString: database.url },
      stored: filesInBucket(bucket),
      wrong: (answers) => unexcused(answers, harm),
      also: () => judgeScheduled(work, database.url, caughtMails(mailDirectory)),
    });
    await scene.close();
    return outcome(scene, findings, directory, () => database.stop());
  } finally {
    await scene?.close().catch(() => {});
    await scene?.proxy.stop();
    database.stop();
    await bucket.stop();
  }
}

async function openMany(seed: number, directory: string, database: OutsideDatabase, bucket: ForeignBucket): Promise<Many> {
  const port = await freePort();
  const shared = {
    LAVRA_PROFILE: 'prod',
    // nginx speaks plain http here.
    LAVRA_INSECURE: 'true',
    MAIL_FROM: 'Lavra <lavra@exemplo.com.br>',
    DATABASE_URL: database.url,
    LAVRA_SECRET: `chaos-${'x'.repeat(40)}`,
    LAVRA_PUBLIC_URL: `http://127.0.0.1:${port}`,
    S3_BUCKET: bucket.bucket,
    S3_ENDPOINT: bucket.endpoint,
    S3_REGION: bucket.region,
    S3_ACCESS_KEY_ID: bucket.accessKeyId,
    S3_SECRET_ACCESS_KEY: bucket.secretAccessKey,
  };
  const plans = ['web0', 'web1', 'worker0', 'worker1'].map((name) => ({
    name,
    environment: { ...shared, LAVRA_DATA_DIR: join(directory, name), LAVRA_SERVICES: name.slice(0, -1) },
  }));
  const scene = await openScene(seed, plans, directory);
  const webs = scene.nodes.filter(({ name }) => name.startsWith('web'));
  const workers = scene.nodes.filter((node) => !webs.includes(node));
  const proxy = await startProxy(directory, port, webs.map(portOf));
  return { ...scene, database, proxy, webs, workers, harm: { kills: [], away: [] } };
}

const portOf = ({ url }: ServerNode) => Number(new URL(url).port);

/** Harm, then the upgrade, then harm again, all under load; what was due meanwhile. */
async function play(scene: Many, milliseconds: number, next: string): Promise<DueWork> {
  const { nodes, proxy, database } = scene;
  const [first, ...others] = nodes;
  if (first) await startNode(scene, first);
  await Promise.all(others.map((node) => startNode(scene, node)));
  let isOver = false;
  const stage = await openStage(scene, () => isOver, [proxy.url]);
  const begin = performance.now();
  const lanes = startLanes(stage, LANES);
  const readers = Promise.all(Array.from({ length: READERS }, () => read(stage)));
  const work = await makeDueWork(stage, database.url);
  await harm(scene, [killsWeb, restarts, sweeps], milliseconds / 2);
  await replaceAll(scene, next);
  await harm(scene, [killsWorker, sweeps, killsWeb], milliseconds / 2);
  isOver = true;
  const harmless = performance.now();
  await Promise.all([lanes, readers]);
  scene.took.push(seconds(begin, harmless), seconds(harmless));
  return work;
}

async function startNode({ directory }: Scene, node: ServerNode): Promise<void> {
  node.start();
  if ((await node.becomesUp(UP_MS)) === null) throw new Error(`${node.name} did not start; see ${directory}`);
}

/** Asks what visitors ask, so that there is always something under way. */
async function read(stage: Stage): Promise<void> {
  for (let asked = 0, client = stage.client(); !stage.over(); asked += 1) {
    // An address may ask so often and no oftener.
    if (asked % 100 === 99) client = stage.client();
    await client.ask({ method: 'GET', path: 'api/validation/trust' }).catch(() => null);
    await sleep(READ_EACH_MS);
  }
}

interface Act {
  name: string;
  act(scene: Many): Promise<unknown>;
}

const killsWeb: Act = { name: 'node for people killed', act: (scene) => killed(scene, scene.random.pick(scene.webs)) };
const killsWorker: Act = { name: 'node for jobs killed', act: (scene) => killed(scene, scene.random.pick(scene.workers)) };
const restarts: Act = { name: 'PostgreSQL restarted', act: (scene) => restarted(scene) };
const sweeps: Act = { name: 'sweeps at once', act: ({ database }) => sweepAtOnce(database.url) };

/** Each of these once, and then any by chance until the time is over. */
async function harm(scene: Many, once: readonly Act[], milliseconds: number): Promise<void> {
  const { random, ledger } = scene;
  const end = performance.now() + milliseconds;
  for (let n = 0; n < once.length || performance.now() < end; n += 1) {
    const { name, act } = once[n] ?? random.pick([killsWeb, killsWorker, restarts, sweeps]);
    const begin = performance.now();
    await act(scene);
    countUp(ledger.faults, name);
    scene.recoveries.push(performance.now() - begin);
    await sleep(random.between(500, 2000));
  }
}

async function killed(scene: Many, node: ServerNode): Promise<void> {
  const from = performance.now();
  await node.kill();
  scene.harm.kills.push({ by: new URL(node.url).host, from, to: performance.now() });
  await startNode(scene, node);
}

async function restarted({ database, nodes, harm: { away }, directory }: Many): Promise<void> {
  const from = performance.now();
  database.restart('fast');
  for (const node of nodes)
    if ((await node.becomesUp(UP_MS)) === null) throw new Error(`${node.name} did not come back to its database; see ${directory}`);
  away.push({ from, to: performance.now() });
}

/** As operations.md says: the proxy first, then the node; both versions are at work side by side for a while, and are harmed. */
async function replaceAll(scene: Many, next: string): Promise<void> {
  const { webs, workers, ledger, database } = scene;
  const [web, worker] = [webs[0], workers[0]];
  const rest = scene.nodes.filter((node) => node !== web && node !== worker);
  if (web) await replace(scene, web, next);
  if (worker) await replace(scene, worker, next);
  await sweepAtOnce(database.url);
  await restarted(scene);
  await sleep(SIDE_BY_SIDE_MS);
  for (const node of rest) await replace(scene, node, next);
  countUp(ledger.faults, 'all nodes replaced');
}

async function replace(scene: Many, node: ServerNode, next: string): Promise<void> {
  const { proxy, webs } = scene;
  const isWeb = webs.includes(node);
  if (isWeb) await proxy.sendTo(webs.filter((one) => one !== node).map(portOf));
  await node.kill('SIGTERM');
  node.installs(next);
  await startNode(scene, node);
  if (isWeb) await proxy.sendTo(webs.map(portOf));
}

/**
 * What failed and was neither under way on a node when it was killed, nor told to come again: while PostgreSQL restarted, or because the
 * machine has more to do than it can.
 */
function unexcused({ failed, wrong }: Answers, { kills, away }: Harm): string[] {
  const during = ({ begun, ended }: FailedAnswer, span: Span) => begun <= span.to && ended >= span.from;
  const isExcused = (one: FailedAnswer) =>
    kills.some((kill) => one.by === kill.by && during(one, kill)) ||
    (isAway(one) && (one.code === 'server.busy' || away.some((span) => during(one, span))));
  const counts = new Map(wrong);
  for (const one of failed) if (!isExcused(one)) countUp(counts, `${one.status} ${one.what} ${one.code} by ${one.by || 'nobody'}`);
  return [...counts].map(([what, count]) => `${count} × ${what}`);
}
