import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startMailCatcher, startTimestampWorld } from '@lavra/make-believe';
import type pg from 'pg';
import { freePort } from '../apps/server/src/testing/free-port.ts';
import { makeDocument } from '../bench/make-document.ts';
import { mailed, openAccount } from './accounts.ts';
import { audit, type Finding } from './audit.ts';
import { Client } from './client.ts';
import { type Answers, countUp, emptyLedger, type Ledger, wrongAnswers } from './ledger.ts';
import { ServerNode } from './node.ts';
import { type Random, seededRandom } from './random.ts';
import { type Relay, startRelay } from './relay.ts';
import { lane, type Stage } from './stories.ts';
import type { StoredFiles } from './stored.ts';

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

const FILES_JUDGED = 60;

/** What the nodes of a scene are told, each. */
export interface NodePlan {
  name: string;
  environment: Record<string, string>;
}

export interface Scene {
  directory: string;
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
export async function openScene(seed: number, plans: readonly NodePlan[], directory: string): Promise<Scene> {
  const mailDirectory = join(directory, 'mail');
  const world = await startTimestampWorld({ organization: 'Carimbos de fora' });
  const catcher = await startMailCatcher({ directory: mailDirectory });
  const tsa = await startRelay(Number(new URL(world.url).port));
  const smtp = await startRelay(Number(new URL(catcher.smtpUrl).port));
  const roots = join(directory, 'roots.pem');
  writeFileSync(roots, world.root.certificate.toString('pem'));
  const environment = {
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    TSA_URL: `http://127.0.0.1:${tsa.port}/tsa`,
    TSA_ROOTS: roots,
    LAVRA_ALLOW_PRIVATE_FETCH: world.host,
    TRUSTED_PROXIES: '1',
  };
  const nodes: ServerNode[] = [];
  for (const { name, environment: own } of plans)
    nodes.push(new ServerNode({ name, port: await freePort(), directory, environment: { ...environment, ...own } }));
  return {
    directory,
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

/** So many lanes of stories, each until the run is over and its last story told. */
export function startLanes(stage: Stage, lanes: number): Promise<unknown> {
  const { answers } = stage.ledger;
  return Promise.all(
    Array.from({ length: lanes }, () =>
      lane(stage).catch((error: Error) => countUp(answers.wrong, `given up: ${error.message.slice(0, 300)}`)),
    ),
  );
}

export async function openStage(
  { nodes, ledger, random, directory, mailDirectory }: Scene,
  over: () => boolean,
  bases: readonly string[] = nodes.map(({ url }) => url),
): Promise<Stage> {
  const path = join(directory, 'input.pdf');
  await makeDocument(path, { pages: 1, padding: 0, objectStreams: false }, () => new Uint8Array());
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
    account: (one) => openAccount(one, mailDirectory, nodes.map((node) => node.firstKey).find(Boolean)),
    linkKey: (email) => mailed(mailDirectory, email, /\/signer\/[\w-]+\?user=([\w-]+)/, 240_000),
    over,
  };
}

export interface Closing {
  database: pg.ClientConfig;
  stored: StoredFiles;
  /** Which answers should not have been given. */
  wrong?(answers: Answers): string[];
  /** What this scene has to judge besides. */
  also?(): Promise<Finding[]>;
}

/** Waits until nothing is left to do (at most two minutes), then compares. */
export async function closeScene(
  scene: Scene,
  { database, stored, wrong: told = wrongAnswers, also = async () => [] }: Closing,
): Promise<Finding[]> {
  const { ledger, nodes, directory } = scene;
  const client = new Client([nodes[0]?.url ?? ''], '198.51.100.250', ledger.answers);
  const input = {
    ledger,
    database,
    stored,
    mailDirectory: scene.mailDirectory,
    client,
    filesJudged: FILES_JUDGED,
  };
  const begin = performance.now();
  const judge = async () => [...(await audit(input)), ...(await also())];
  let findings = await judge();
  for (const end = performance.now() + 120_000; findings.some(({ losses }) => losses.length > 0) && performance.now() < end;) {
    await sleep(3000);
    findings = await judge();
  }
  scene.took.push(seconds(begin));
  const crashes = nodes.flatMap((node) => node.crashes);
  const wrong = told(ledger.answers);
  writeFileSync(join(directory, 'losses.json'), JSON.stringify({ findings, wrong, crashes }, null, 2));
  return [
    ...findings,
    { what: 'programs that ended by themselves', acknowledged: 0, there: crashes.length, losses: crashes },
    { what: 'answers that should not have been given', acknowledged: 0, there: wrong.length, losses: wrong },
  ];
}

/** Tidies up where nothing was found. */
export function outcome(scene: Scene, findings: Finding[], directory: string, tidy: () => void): Outcome {
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

/** Whole ones, since then. */
export const seconds = (from: number, to = performance.now()): number => Math.round((to - from) / 1000);

/** For a run's files. */
export function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'lavra-chaos-'));
  // The database's own user has to pass through it.
  chmodSync(directory, 0o711);
  return directory;
}
