import { randomBytes } from 'node:crypto';
import { icpBrasilTrust, joinTrust, type TrustStore } from '@lavra/pades';
import { configurePscs, createPscClient, type PscSettings } from '@lavra/psc';
import pino, { type DestinationStream, type Logger } from 'pino';
import type { Config } from './config.ts';
import { type Clock, createContext, type Ctx, type TimestampAuthority } from './context.ts';
import { type ConnectionOptions, type DatabaseClient, migrate, openDatabase } from './db/client.ts';
import { createOutageLog } from './db/outage-log.ts';
import { features, jobs } from './features.ts';
import { buildApp } from './http/app.ts';
import { proxyMisfit } from './http/proxy-hops.ts';
import { serveWebApp } from './http/web-app.ts';
import { createHealth } from './features/management/health.ts';
import { healthComponents } from './features/management/health-components.ts';
import { managementRoutes } from './features/management/management.routes.ts';
import { bindSigners } from './features/processes/life/bind-signers.ts';
import { oidcIdentity } from './identity/oidc-identity.ts';
import type { ProviderSettings } from './identity/provider-settings.ts';
import { openSecret } from './installation/open-secret.ts';
import { joinNodes } from './installation/presence.ts';
import { judgeSecret } from './installation/secret-check.ts';
import { openJobQueue, type JobQueue } from './jobs/queue.ts';
import { createTranslator } from './language/translator.ts';
import { fencedFetch } from './outside/fenced-fetch.ts';
import { spareTheSilent } from './outside/spare-the-silent.ts';
import { hasCredentials } from './psc-settings.ts';
import { deriveSecrets } from './secrets.ts';
import { StartFault } from './start-fault.ts';
import { keepLedger } from './storage/keep-ledger.ts';
import { knowStorage, proveStorage } from './storage/know-storage.ts';
import { openPlace } from './storage/open-storage.ts';
import { verifiedStore } from './storage/verified-store.ts';
import { openWorkers } from './workers.ts';

export interface Installation {
  ctx: Ctx;
  client: DatabaseClient;
  queue: JobQueue;
  app: Awaited<ReturnType<typeof buildApp>>;
  /** Ends requests, then jobs, then connections. */
  close(): Promise<void>;
}

export interface CompositionOptions {
  config: Config;
  connection: ConnectionOptions;
  publicUrl: string;
  clock?: Clock;
  timestamps: TimestampAuthority | null;
  /** An authority that is to be below ICP-Brasil's roots: its tokens are held to that. */
  icpBrasilTimestamps?: Pick<TimestampAuthority, 'timestamp'> | null;
  /** Development's make-believe ICP-Brasil, beside the configured one. */
  icpBrasil?: TrustStore;
  /** Development's make-believe providers; one that is configured puts them all out. */
  pscs?: Readonly<Record<string, PscSettings>>;
  /** Development's make-believe providers of identities; one that is configured puts them all out. */
  identityProviders?: readonly ProviderSettings[];
  mailboxUrl: string | null;
  /** The installation's secret is another one than at the start: whatever this program went on to encrypt would be lost. */
  onSecretRotated?(): void;
  /** Crons, supervision and wake-ups of jobs; as the configured services say unless given. */
  background?: boolean;
  log?: Logger;
}

/** PostgreSQL quotes the values of a refused row beside its message. */
const REDACTED = ['req.headers.authorization', 'err.detail', 'err.where'];

export function openLog(config: Pick<Config, 'logLevel'>, destination?: DestinationStream): Logger {
  return pino({ level: config.logLevel, redact: REDACTED }, destination);
}

/**
 * Puts the parts together over a database that answers. Does not listen yet and takes no jobs.
 * @throws DatabaseAwayError when it goes away meanwhile; nothing stays open then, nor after any other fault
 */
export async function compose(options: CompositionOptions): Promise<Installation> {
  const opened: Closers = [];
  try {
    return await assemble(options, opened);
  } catch (error) {
    for (const close of opened.toReversed()) await close().catch(() => {});
    throw error;
  }
}

type Closers = (() => Promise<void>)[];

async function assemble(options: CompositionOptions, opened: Closers): Promise<Installation> {
  const { config } = options;
  const log = options.log ?? openLog(config);
  const outage = createOutageLog(log);
  const client = openDatabase(options.connection, outage);
  opened.push(client.close);
  await migrate(client.db, config.databaseUrl ? 'DATABASE_URL' : 'LAVRA_DATA_DIR');
  const { secret, presence } = await enterInstallation(options, client, opened);
  const clock = options.clock ?? { now: () => new Date() };
  const place = await openPlace(config);
  await proveStorage(place);
  await knowStorage(client.db, clock, place);
  const storage = verifiedStore(place, keepLedger(client.db, clock, log));
  const queue = await openJobQueue(options.connection, jobs, log, {
    outage,
    background: options.background ?? config.services.includes('worker'),
  });
  opened.push(queue.stop);
  const workers = openWorkers({ dataDir: config.dataDir });
  opened.push(workers.close);
  const pscs = configurePscs(hasCredentials(config.pscs) ? config.pscs : (options.pscs ?? {}));
  const providers = config.identityProviders.length > 0 ? config.identityProviders : (options.identityProviders ?? []);
  const ctx = createContext({
    db: client.db,
    jobsFor: (db) => queue.senderFor(db),
    clock,
    storage,
    workers,
    ...(await believed(options)),
    psc: {
      ...createPscClient(pscs, { fetch, now: () => clock.now(), random: (length) => randomBytes(length) }),
      ids: pscs.map(({ id }) => id),
    },
    identity: oidcIdentity(providers, { clock, log }),
    outside: spareTheSilent(fencedFetch({ allowed: config.allowedPrivateHosts }), clock),
    translate: createTranslator(config.localesDir),
    secrets: deriveSecrets(secret),
    config,
    publicUrl: options.publicUrl,
    log,
    addressProven: bindSigners,
  });
  const health = createHealth(healthComponents(ctx, { ping: client.ping, proxyMisfit: () => proxyMisfit(config) }), log);
  const app = await buildApp(ctx, [...features, managementRoutes({ mailboxUrl: options.mailboxUrl, health }), serveWebApp]);
  return {
    ctx,
    client,
    queue,
    app,
    async close() {
      // Side by side: neither requests nor jobs may cost the others their time.
      await Promise.allSettled([app.close(), queue.stop()]);
      await workers.close();
      outage.rest();
      await presence.leave();
      await client.close();
    },
  };
}

/** ICP-Brasil as it is configured, with development's, and whose timestamps are used. One authority is enough: ICP-Brasil's serves all. */
async function believed({ config, timestamps, ...options }: CompositionOptions) {
  const { icpBrasil: listed } = config.authorities;
  const configured = listed.length > 0 ? [await icpBrasilTrust(listed, { history: true })] : [];
  for (const { anchors } of configured) assertNamedApart(config, anchors);
  const icpBrasil = joinTrust(...configured, ...(options.icpBrasil ? [options.icpBrasil] : []));
  const icpBrasilTimestamps = options.icpBrasilTimestamps ? belowIcpBrasil(options.icpBrasilTimestamps, icpBrasil) : null;
  return { icpBrasil, icpBrasilTimestamps, timestamps: timestamps ?? icpBrasilTimestamps };
}

function belowIcpBrasil({ timestamp }: Pick<TimestampAuthority, 'timestamp'>, trust: TrustStore): TimestampAuthority {
  const anchors = trust.anchors.filter(({ uses }) => uses.includes('timestamp')).map(({ certificate }) => certificate);
  return { timestamp, anchors, trust, material: null };
}

/** Whoever means ICP-Brasil's authority for documents signed with certificates must say so. @throws StartFault */
function assertNamedApart({ tsaRoots, icpBrasilTsa }: Config, anchors: TrustStore['anchors']): void {
  const isIcpBrasil = tsaRoots.some((root) => anchors.some(({ certificate }) => Buffer.from(root).equals(certificate)));
  if (isIcpBrasil && icpBrasilTsa === null)
    throw new StartFault(
      'TSA_ROOTS',
      'has a root of ICP-Brasil; an authority below it is named by TSA_ICP_BRASIL_URL, and is for all documents',
    );
}

/** Marks this program as running, so that nobody rotates the secret under it, and opens the secret. @throws StartFault */
async function enterInstallation({ config, connection, onSecretRotated }: CompositionOptions, { db }: DatabaseClient, opened: Closers) {
  let secret: string | null = null;
  const presence = await joinNodes(connection, async () => {
    if (secret !== null && (await judgeSecret(db, secret)) === 'other') onSecretRotated?.();
  });
  opened.push(presence.leave);
  ({ secret } = await openSecret(db, config));
  return { secret, presence };
}
