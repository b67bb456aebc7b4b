import { randomBytes } from 'node:crypto';
import { icpBrasilTrust, joinTrust, type TrustStore } from '@lavra/pades';
import { configurePscs, createPscClient, type PscSettings } from '@lavra/psc';
import pino, { type DestinationStream, type Logger } from 'pino';
import type { Config } from './config.ts';
import { type Clock, createContext, type Ctx, type TimestampAuthority } from './context.ts';
import { type ConnectionOptions, type DatabaseClient, openDatabase } from './db/client.ts';
import { liftFenceLeft } from './db/writing-fence.ts';
import { assertCopy, countLists, type ListsCopy, openListsCopy } from './db/lists-copy.ts';
import { migrate } from './db/migrate.ts';
import { createOutageLog, type OutageLog } from './db/outage-log.ts';
import { assertSameDatabase } from './db/pooler.ts';
import { dropQueueChecks } from './db/queue-checks.ts';
import { features, jobs } from './features.ts';
import { buildApp } from './http/app.ts';
import { proxyMisfit } from './http/proxy-hops.ts';
import { serveWebApp } from './http/web-app.ts';
import { administrationRoutes } from './features/management/administration.routes.ts';
import { createHealth } from './features/management/health.ts';
import { healthComponents } from './features/management/health-components.ts';
import { managementRoutes } from './features/management/management.routes.ts';
import { watchedOnly, watchRoutes } from './features/management/watch.routes.ts';
import { countQueues } from './features/management/watch-jobs.ts';
import { assertCompanyKeepsAdministrator } from './features/companies/assert-company-keeps-administrator.ts';
import { bindSigners } from './features/processes/life/bind-signers.ts';
import { isStillInvited } from './features/processes/life/is-still-invited.ts';
import { oidcIdentity } from './identity/oidc-identity.ts';
import type { ProviderSettings } from './identity/provider-settings.ts';
import { type ChangesBounds, openChanges } from './installation/changes.ts';
import { follow, type Following } from './installation/follow.ts';
import { followedLoggers } from './installation/follow-loggers.ts';
import { followedTrust, liveTrust } from './features/trust-lists/live-trust.ts';
import { openSecret } from './installation/open-secret.ts';
import { endDelivery } from './mail/deliver.ts';
import { joinNodes } from './installation/presence.ts';
import { judgeSecret } from './installation/secret-check.ts';
import { openJobQueue, type JobQueue } from './jobs/queue.ts';
import { loggerFor } from './loggers.ts';
import { createMetrics } from './metrics/metrics.ts';
import { watchProgram } from './metrics/watch-program.ts';
import { createTranslator } from './language/translator.ts';
import { fencedFetch } from './outside/fenced-fetch.ts';
import { spareTheSilent } from './outside/spare-the-silent.ts';
import { hasCredentials } from './psc-settings.ts';
import { deriveSecrets } from './secrets.ts';
import { StartFault } from './start-fault.ts';
import { openTracer } from './tracing/open-tracer.ts';
import { underWayInLog } from './tracing/under-way.ts';
import type { BlobPlace } from './storage/blob-place.ts';
import { keepLedger } from './storage/keep-ledger.ts';
import { knowStorage, proveStorage } from './storage/know-storage.ts';
import { openPlace } from './storage/open-storage.ts';
import { verifiedStore } from './storage/verified-store.ts';
import { openWorkers, type Workers } from './workers.ts';

export interface Installation {
  ctx: Ctx;
  client: DatabaseClient;
  queue: JobQueue;
  app: Awaited<ReturnType<typeof buildApp>>;
  /** Migrations that this start ran. */
  migrated: readonly string[];
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
  /** How many are told of changes, and for how long; as usual unless given. */
  changes?: Partial<ChangesBounds>;
  /** Processes that are shared with others, who end them; its own unless given. */
  workers?: Workers;
  log?: Logger;
}

/** PostgreSQL quotes the values of a refused row beside its message. */
const REDACTED = ['req.headers.authorization', 'err.detail', 'err.where'];

export function openLog(config: Pick<Config, 'logLevel'>, destination?: DestinationStream): Logger {
  return pino({ level: config.logLevel, redact: REDACTED, mixin: underWayInLog }, destination);
}

/**
 * Puts the parts together over a database that answers. Does not listen yet and takes no jobs.
 * @throws DatabaseAwayError when it goes away meanwhile; nothing stays open then, nor after any other fault
 */
export async function compose(options: CompositionOptions): Promise<Installation> {
  const opened: Closers = [];
  try {
    return await assemble({ ...options, log: options.log ?? openLog(options.config) }, opened);
  } catch (error) {
    for (const close of opened.toReversed()) await close().catch(() => {});
    throw error;
  }
}

type Closers = (() => Promise<void>)[];

type Composition = CompositionOptions & { log: Logger };

/** What rooms below ask of those above them. */
const askedOfRooms = { addressProven: bindSigners, isStillInvited, accountLeaves: assertCompanyKeepsAdministrator };

async function assemble(options: Composition, opened: Closers): Promise<Installation> {
  const { config, log } = options;
  const outage = createOutageLog(loggerFor(log, 'database'));
  const { client, migrated, listsCopy } = await openDatabases(options, outage, opened);
  const { secret, presence } = await enterInstallation(options, client, opened);
  const metrics = createMetrics(client.pool);
  opened.push(async () => metrics.close());
  const tracer = await openTracer(config, log);
  opened.push(tracer.close);
  const clock = options.clock ?? { now: () => new Date() };
  const place = await enterStorage(options, client, clock);
  const storage = verifiedStore(place, keepLedger(client.db, clock, log));
  const background = options.background ?? config.services.includes('worker');
  const queue = await openJobQueue(options.connection, jobs, log, { outage, background });
  opened.push(queue.stop);
  await dropQueueChecks(client.db, loggerFor(log, 'database'));
  const workers = options.workers ?? openWorkers({ dataDir: config.dataDir });
  const endWorkers = options.workers ? async () => {} : workers.close;
  opened.push(endWorkers);
  const providers = config.identityProviders.length > 0 ? config.identityProviders : (options.identityProviders ?? []);
  const ctx = createContext({
    db: client.db,
    listsCopy,
    jobsFor: (db) => queue.senderFor(db),
    clock,
    storage,
    workers,
    ...(await believed(options)),
    psc: cloudProviders(options, clock),
    identity: oidcIdentity(providers, { clock, log }),
    outside: spareTheSilent(fencedFetch({ allowed: config.allowedPrivateHosts }), clock),
    translate: createTranslator(config.localesDir),
    secrets: deriveSecrets(secret),
    config,
    publicUrl: options.publicUrl,
    log,
    metrics,
    changes: openChanges(presence, options.changes),
    mark: presence.mark,
    tracer,
    ...askedOfRooms,
  });
  const following = await followOthers(ctx, options);
  opened.push(async () => following.stop());
  const app = await serve(ctx, { ping: client.ping, listsCopy }, options);
  const rest = async () => {
    following.stop();
    metrics.close();
    // Side by side: neither requests nor jobs may cost the others their time.
    await Promise.allSettled([app.close(), queue.stop()]);
    endDelivery(options.config);
    await endWorkers();
    outage.rest();
    await presence.leave();
    await tracer.close();
    await client.close();
  };
  return { ctx, client, queue, app, migrated, close: rest };
}

/** The database with today's schema. A pooler may cut off what takes as long as a change of it: that goes the straight way. @throws StartFault */
async function openUpToDate({ config, connection }: CompositionOptions, outage: OutageLog, opened: Closers) {
  const { databasePoolUrl: pooled } = config;
  const client = pooled ? openDatabase({ connectionString: pooled }, outage, { named: false }) : openDatabase(connection, outage);
  opened.push(client.close);
  if (!pooled) return { client, migrated: await migrate(client.db, config.databaseUrl ? 'DATABASE_URL' : 'LAVRA_DATA_DIR') };
  const straight = openDatabase(connection, outage);
  try {
    const migrated = await migrate(straight.db);
    await assertSameDatabase(straight.db, client.db);
    return { client, migrated };
  } finally {
    await straight.close();
  }
}

/** For who waits for a list, and could have it from the database itself. */
const COPY_BOUNDS = { connectMs: 1000, answerMs: 10_000, restartMs: 0 };

/** The database, and the copy that lists are read from, if one is configured. Both end with `client`. @throws StartFault */
async function openDatabases(options: Composition, outage: OutageLog, opened: Closers) {
  const { client, migrated } = await openUpToDate(options, outage, opened);
  const { databaseListsUrl } = options.config;
  if (databaseListsUrl === null) return { client, migrated, listsCopy: null };
  // What it lacks is told where it is asked, once: that it is away, too.
  const copy = openDatabase({ connectionString: databaseListsUrl }, { away() {}, answered() {} }, COPY_BOUNDS);
  opened.push(copy.close);
  await assertCopy(client.db, copy.db);
  const close = () => Promise.all([client.close(), copy.close()]).then(() => {});
  return { client: { ...client, close }, migrated, listsCopy: openListsCopy(client.db, copy, loggerFor(options.log, 'database')) };
}

/** Cloud providers of certificates, those that are configured; else development's. */
function cloudProviders({ config, ...options }: CompositionOptions, clock: Clock): Ctx['psc'] {
  const pscs = configurePscs(hasCredentials(config.pscs) ? config.pscs : (options.pscs ?? {}));
  return {
    ...createPscClient(pscs, { fetch, now: () => clock.now(), random: (length) => randomBytes(length) }),
    ids: pscs.map(({ id }) => id),
  };
}

/** What other nodes changed, now and from now on. A test looks by itself. */
async function followOthers(ctx: Ctx, { background = true }: CompositionOptions): Promise<Following> {
  const all = [followedLoggers, followedTrust];
  for (const one of all) await one.look(ctx);
  return background ? follow(ctx, all) : { stop: () => {} };
}

function serve(
  ctx: Ctx,
  { ping, listsCopy }: Pick<DatabaseClient, 'ping'> & { listsCopy: ListsCopy | null },
  { mailboxUrl }: CompositionOptions,
): Promise<Installation['app']> {
  watchProgram(ctx);
  countQueues(ctx);
  if (listsCopy) countLists(ctx.metrics, listsCopy);
  ctx.metrics.gauge('lavra_followers', 'Waiting pages that are told of changes', () => [['open', ctx.changes.count()]], 'state');
  const components = healthComponents(ctx, { ping, proxyMisfit: () => proxyMisfit(ctx.config), listsCopy });
  const health = createHealth(components, loggerFor(ctx.log, 'health'));
  const needed = components.filter((one) => one.needed).map(({ name }) => name);
  if (!ctx.config.services.includes('web')) return buildApp(ctx, watchedOnly({ health }));
  const management = [watchRoutes({ health }), managementRoutes({ mailboxUrl }), administrationRoutes({ health, needed })];
  return buildApp(ctx, [...features, ...management, serveWebApp]);
}

/** ICP-Brasil as it is configured, with development's, and whose timestamps are used. One authority is enough: ICP-Brasil's serves all. */
async function believed({ config, timestamps, ...options }: CompositionOptions) {
  const { icpBrasil: listed } = config.authorities;
  const configured = listed.length > 0 ? [await icpBrasilTrust(listed, { history: true })] : [];
  for (const { anchors } of configured) assertNamedApart(config, anchors);
  const icpBrasil = liveTrust(joinTrust(...configured, ...(options.icpBrasil ? [options.icpBrasil] : [])));
  const icpBrasilTimestamps = options.icpBrasilTimestamps ? belowIcpBrasil(options.icpBrasilTimestamps, icpBrasil) : null;
  return { icpBrasil, icpBrasilTimestamps, timestamps: timestamps ?? icpBrasilTimestamps };
}

function belowIcpBrasil({ timestamp }: Pick<TimestampAuthority, 'timestamp'>, trust: TrustStore): TimestampAuthority {
  return {
    timestamp,
    get anchors() {
      return trust.anchors.filter(({ uses }) => uses.includes('timestamp')).map(({ certificate }) => certificate);
    },
    trust,
    material: null,
  };
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

/** The storage that is this database's; what a move was broken off over is gone on with. @throws StartFault */
async function enterStorage({ config, connection }: CompositionOptions, { db }: DatabaseClient, clock: Clock): Promise<BlobPlace> {
  const place = await openPlace(config);
  await proveStorage(place);
  const known = () => knowStorage(db, clock, place);
  await known();
  // Known to be the place where these data are, and still to be it: a move may have ended since.
  await liftFenceLeft(connection, config.databaseUrl ? 'DATABASE_URL' : 'LAVRA_DATA_DIR', known);
  return place;
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
