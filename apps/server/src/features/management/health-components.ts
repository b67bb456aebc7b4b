import { statfs } from 'node:fs/promises';
import { connect } from 'node:net';
import type { Config } from '../../config.ts';
import type { Ctx } from '../../context.ts';
import type { ListsCopy } from '../../db/lists-copy.ts';
import { countStorageFaults } from '../../storage/blobs.store.ts';
import { isClockBehind } from '../clock/clock-watch.ts';
import { countKeptBack } from '../sealing/finalize-process.job.ts';
import { nextListOf, readPolicyArtifacts } from '../../installation/policy-artifacts.ts';
import type { ComponentHealth, HealthComponent } from './health.ts';
import { hasOverdueJobs } from './health.store.ts';

const UP: ComponentHealth = { status: 'UP' };
const MB = 1024 * 1024;
const CONNECT_MS = 2500;

/** What only the program around it knows. */
export interface ProgramFacts {
  /** Rejects while the database does not answer. */
  ping: () => Promise<void>;
  /** How requests did not fit the number of proxies that are trusted; null: they did. */
  proxyMisfit: () => string | null;
  /** The copy of the database that lists are read from; null: there is none. */
  listsCopy: ListsCopy | null;
}

/** What this installation is made of. */
export function healthComponents(ctx: Ctx, { ping, proxyMisfit, listsCopy }: ProgramFacts): HealthComponent[] {
  const { config } = ctx;
  return [
    { name: 'database', needed: true, keepMs: 1000, check: () => ping().then(() => UP) },
    ...(listsCopy ? [{ name: 'listsCopy', needed: false, keepMs: 1000, check: () => checkCopy(listsCopy) }] : []),
    ...(usesDisk(config) ? [{ name: 'disk', needed: true, keepMs: 5000, check: () => checkDisk(config.dataDir) }] : []),
    // Of several nodes the one whose clock is wrong is to be taken out; it refuses to act in any case.
    { name: 'clock', needed: true, keepMs: 5000, check: () => checkClock(ctx) },
    { name: 'storage', needed: true, keepMs: 30_000, check: () => checkStorage(ctx) },
    ...reachable('mail', config.smtpUrl, { 'smtp:': 587, 'smtps:': 465 }),
    ...reachable('timestamps', config.tsaUrl, { 'http:': 80, 'https:': 443 }),
    ...reachable('timestampsIcpBrasil', config.icpBrasilTsa?.url ?? null, { 'http:': 80, 'https:': 443 }),
    ...policies(ctx),
    ...(config.profile === 'prod' ? [{ name: 'proxies', needed: false, keepMs: 1000, check: () => checkProxies(proxyMisfit()) }] : []),
    { name: 'jobs', needed: false, keepMs: 10_000, check: () => checkJobs(ctx) },
    { name: 'finished', needed: false, keepMs: 30_000, check: () => checkFinished(ctx) },
  ];
}

/** An installation with a database and a bucket elsewhere keeps nothing here that grows. */
function usesDisk({ databaseUrl, s3 }: Config): boolean {
  return databaseUrl === null || s3 === null;
}

/** Lists are read, from the database itself, whatever becomes of it. */
async function checkCopy(copy: ListsCopy): Promise<ComponentHealth> {
  const fault = copy.fault();
  return fault ? { status: 'DEGRADED', reason: `copy${fault[0]?.toUpperCase()}${fault.slice(1)}` } : UP;
}

async function checkDisk(directory: string): Promise<ComponentHealth> {
  const { bavail, blocks, bsize } = await statfs(directory);
  return judgeDisk(bavail * bsize, blocks * bsize);
}

/**
 * Full is where an upload of the largest size may not fit any more; nearly full where an operator should act. On a small disk
 * these are a twentieth and a tenth of it.
 */
export function judgeDisk(free: number, size: number): ComponentHealth {
  if (free < Math.min(100 * MB, size / 20)) return { status: 'DOWN', reason: 'full' };
  if (free < Math.min(1024 * MB, size / 10)) return { status: 'DEGRADED', reason: 'nearlyFull' };
  return UP;
}

/** It works, and what it keeps is whole as far as anybody has looked. */
async function checkStorage(ctx: Ctx): Promise<ComponentHealth> {
  await ctx.storage.probe();
  return (await countStorageFaults(ctx)) > 0 ? { status: 'DEGRADED', reason: 'filesAtFault' } : UP;
}

/** Told, not needed: mails and timestamps wait and come later, while acts are recorded and files are read. */
function reachable(name: string, address: string | null, ports: Readonly<Record<string, number>>): HealthComponent[] {
  if (address === null) return [];
  const { hostname, port, protocol } = new URL(address);
  // A connection and no more: a real timestamp may cost money, a real sign-in at the mail server draws attention.
  const check = () => connects(hostname.replace(/^\[|\]$/g, ''), Number(port) || (ports[protocol] ?? 0));
  return [{ name, needed: false, keepMs: 60_000, check }];
}

/** ITI renews its list of approved policies every 90 days; what is archived with an old one is archived all the same. */
function policies({ config, clock }: Ctx): HealthComponent[] {
  const { policiesDir } = config;
  if (policiesDir === null) return [];
  const check = async (): Promise<ComponentHealth> => {
    const next = nextListOf(await readPolicyArtifacts(policiesDir));
    return next && next < clock.now() ? { status: 'DEGRADED', reason: 'outdated' } : UP;
  };
  return [{ name: 'policies', needed: false, keepMs: 60_000, check }];
}

function connects(host: string, port: number): Promise<ComponentHealth> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: CONNECT_MS });
    const end = (health: ComponentHealth) => {
      socket.destroy();
      resolve(health);
    };
    socket.once('connect', () => end(UP));
    socket.once('timeout', () => end({ status: 'DOWN', reason: 'timeout' }));
    socket.once('error', () => end({ status: 'DOWN', reason: 'unreachable' }));
  });
}

/** The address in the evidence hangs on their number; the log says it in words. */
async function checkProxies(misfit: string | null): Promise<ComponentHealth> {
  return misfit ? { status: 'DEGRADED', reason: misfit } : UP;
}

/** Also how an installation is noticed whose nodes all serve pages and none works. */
async function checkJobs(ctx: Ctx): Promise<ComponentHealth> {
  return (await hasOverdueJobs(ctx)) ? { status: 'DEGRADED', reason: 'overdue' } : UP;
}

async function checkClock(ctx: Ctx): Promise<ComponentHealth> {
  return (await isClockBehind(ctx)) ? { status: 'DOWN', reason: 'behind' } : UP;
}

/** Files that everybody signed and that did not pass our own verification. */
async function checkFinished(ctx: Ctx): Promise<ComponentHealth> {
  return (await countKeptBack(ctx)) > 0 ? { status: 'DEGRADED', reason: 'keptBack' } : UP;
}
