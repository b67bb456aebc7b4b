import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type { TrustStore } from '@lavra/pades';
import type { PscSettings } from '@lavra/psc';
import type { Logger } from 'pino';
import { compose, type CompositionOptions, type Installation, openLog } from './compose.ts';
import { type Config, readConfig } from './config.ts';
import type { Ctx, TimestampAuthority } from './context.ts';
import { prepareDataDir } from './data-dir.ts';
import type { ConnectionOptions } from './db/client.ts';
import { awaitDatabase, type Waiting } from './db/await-database.ts';
import { DatabaseAwayError } from './db/database-away.ts';
import { takeBegun } from './db/begun-database.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './db/embedded-postgres.ts';
import { ensureDatabase } from './db/ensure-database.ts';
import { describeStart } from './describe-start.ts';
import { issueFirstAccountKey } from './features/accounts/first-account-key.ts';
import { hasAnyAccount } from './features/accounts/has-any-account.ts';
import { watchJobs } from './features/management/watch-jobs.ts';
import { httpTimestampAuthority } from './http-timestamp-authority.ts';
import { terminalLanguage, terminalWords } from './language/terminal.ts';
import { type Lifetime, liveUntilSignal, STOP_DATABASE_MS } from './lifetime.ts';
import { proveTimestamps } from './installation/prove-timestamps.ts';
import { providerPresets } from './identity/provider-presets.ts';
import type { ProviderSettings } from './identity/provider-settings.ts';
import { choosePort, listenAt } from './listen.ts';
import { type AllowedHost, readAllowedHost } from './outside/allowed-target.ts';
import { describeStartFailure } from './start-failure.ts';
import { StartFault } from './start-fault.ts';

const started = performance.now();
const say = terminalWords(terminalLanguage(process.env));
/** Of the five seconds: requests and jobs get most of it. */
const CLOSE_MS = 3800;
/**
 * By how much the heap may grow before all of it is looked through. Left to V8 that was each fourteenth whole job, and an eighth of what the program
 * does for one (docs/decisions/105).
 */
const GROWING = '--heap-growing-percent=100';

interface OutsideWorld {
  smtpUrl: string | null;
  mailboxUrl: string | null;
  timestamps: TimestampAuthority | null;
  icpBrasilTimestamps: TimestampAuthority | null;
  certificates: MakeBelieveCertificates | null;
  /** Two buttons of make-believe. */
  identityProviders: readonly ProviderSettings[];
  close(): Promise<void>;
}

interface MakeBelieveCertificates {
  icpBrasil: TrustStore;
  pscs: Readonly<Record<string, PscSettings>>;
  /** Where their lists are: on this machine, which else nobody may be asked at. */
  host: AllowedHost | null;
  peopleUrl: string;
  files: string;
}

/**
 * Development has its own mail server, timestamp authority, ICP-Brasil and cloud providers; they are loaded only here and
 * only in the dev profile, so that make-believe trust can never reach an installation that means it.
 */
async function outsideWorld(config: Config, publicUrl: string): Promise<OutsideWorld> {
  const { tsaUrl, tsaRoots, icpBrasilTsa, smtpUrl } = config;
  const configured = tsaUrl ? httpTimestampAuthority({ url: tsaUrl }, tsaRoots, null) : null;
  const icpBrasilTimestamps = icpBrasilTsa && httpTimestampAuthority(icpBrasilTsa, [], null);
  if (config.profile === 'prod')
    return {
      smtpUrl,
      mailboxUrl: null,
      timestamps: configured,
      icpBrasilTimestamps,
      certificates: null,
      identityProviders: [],
      close: () => Promise.resolve(),
    };
  const { startDevelopmentWorld } = await import('@lavra/make-believe');
  const world = await startDevelopmentWorld({ dataDir: config.dataDir, publicUrl });
  const { anchors, intermediates, settings, host, files } = world.certificates;
  return {
    smtpUrl: smtpUrl ?? world.smtpUrl,
    mailboxUrl: smtpUrl ? null : world.mailboxUrl,
    timestamps:
      configured ??
      httpTimestampAuthority({ url: world.tsaUrl }, [world.tsaRoot], async () => ({
        certificates: [world.tsaRoot],
        crls: [await world.tsaCrl()],
        ocsps: [],
      })),
    // Who names an authority of their own means that one, and none beside it.
    icpBrasilTimestamps:
      icpBrasilTimestamps ?? (tsaUrl || !world.icpBrasilTsaUrl ? null : httpTimestampAuthority({ url: world.icpBrasilTsaUrl }, [], null)),
    certificates: {
      icpBrasil: { anchors: anchors.map((anchor) => ({ ...anchor, uses: ['signature', 'timestamp'] })), intermediates },
      pscs: settings,
      host: readAllowedHost(host),
      peopleUrl: world.peopleUrl,
      files,
    },
    identityProviders: [
      { ...providerPresets.google, ...world.identities.google },
      { ...providerPresets.govbr, ...world.identities.govbr },
    ],
    close: world.close,
  };
}

/** The database to use, which answers or is on its way. */
async function database(config: Config, life: Lifetime, log: Logger): Promise<ConnectionOptions> {
  if (config.databaseUrl) return { connectionString: config.databaseUrl };
  const embedded = await embeddedServer(config.dataDir, life, waiting(life, log).say);
  process.once('exit', embedded.release);
  await awaitDatabase({ host: embedded.host, user: embedded.user, database: 'postgres' }, waiting(life, log));
  await ensureDatabase(embedded, 'lavra');
  return { host: embedded.host, user: embedded.user, database: 'lavra' };
}

/** One that was begun already ends with what began it. */
async function embeddedServer(dataDir: string, life: Lifetime, say: (line: string) => void): Promise<EmbeddedPostgres> {
  const begun = takeBegun(dataDir);
  begun?.tellTo(say);
  if (begun) return begun.server;
  const server = await startEmbeddedPostgres(dataDir, say);
  life.opened(server.stop, STOP_DATABASE_MS);
  return server;
}

/** A start that waits says so where an operator looks: on standard error, and in the log for machines. */
function waiting(life: Lifetime, log: Logger): Waiting {
  return {
    signal: life.signal,
    say(line) {
      process.stderr.write(`${line}\n`);
      log.warn(line);
    },
  };
}

/** Waits for the database as often as it goes away while the parts are put together. */
async function composeOver(options: CompositionOptions, wait: Waiting): Promise<Installation> {
  for (;;) {
    await awaitDatabase(options.connection, wait);
    try {
      return await compose(options);
    } catch (error) {
      if (!(error instanceof DatabaseAwayError)) throw error;
      await sleep(1000);
    }
  }
}

/** One that fails must not leave the other behind in mid-start, where nobody would close it. */
async function bothSettled<A, B>(one: Promise<A>, other: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([one, other]);
  return Promise.all([one, other]);
}

export async function start(life: Lifetime): Promise<void> {
  setFlagsFromString(GROWING);
  const config = readConfig(process.env);
  await prepareDataDir(config);
  const log = openLog(config);
  const port = await choosePort(config);
  const publicUrl = config.publicUrl ?? `http://localhost:${port}`;
  const [connection, world] = await bothSettled(
    database(config, life, log),
    outsideWorld(config, publicUrl).then((opened) => {
      life.opened(opened.close, 500);
      return opened;
    }),
  );
  const { icpBrasil, pscs, host } = world.certificates ?? {};
  const installation = await composeOver(
    {
      config: { ...config, smtpUrl: world.smtpUrl, allowedPrivateHosts: [...config.allowedPrivateHosts, ...(host ? [host] : [])] },
      connection,
      publicUrl,
      timestamps: world.timestamps,
      icpBrasilTimestamps: world.icpBrasilTimestamps,
      ...(icpBrasil ? { icpBrasil } : {}),
      ...(pscs ? { pscs } : {}),
      identityProviders: world.identityProviders,
      mailboxUrl: world.mailboxUrl,
      onSecretRotated: () => endAtOnce(new StartFault('LAVRA_SECRET', 'was rotated while this node was cut off from the database')),
      log,
    },
    waiting(life, log),
  );
  life.opened(installation.close, CLOSE_MS);
  life.signal.throwIfAborted();
  await proveTimestamps(installation.ctx);
  if (!(await listenAt(installation.app, config, port))) {
    await life.close();
    return start(life);
  }
  if (config.services.includes('worker')) await installation.queue.work(installation.ctx);
  life.opened(watchJobs(installation.ctx), 100);
  log.info(await describeStart(installation.ctx, installation.migrated), 'started');
  await announce(publicUrl, world, await firstAccount(installation.ctx));
}

/** Where the first account is made, and in production by which key; nothing where there is one. */
async function firstAccount(ctx: Ctx): Promise<string[]> {
  // The provider's role makes an administrator.
  if (ctx.config.sso) return [];
  if (await hasAnyAccount(ctx)) return [];
  const address = `${ctx.publicUrl}/account/register`;
  const key = await issueFirstAccountKey(ctx);
  if (key === null) return [say('start.first', { address })];
  return [say('start.firstWithKey', { address: `${address}#key=${key}` }), say('start.keepAddress')];
}

/** What a person needs to know, on standard output, apart from the log. */
async function announce(publicUrl: string, { mailboxUrl, certificates }: OutsideWorld, first: readonly string[]): Promise<void> {
  const lines = [`Lavra: ${publicUrl}  (${((performance.now() - started) / 1000).toFixed(1)} s)`];
  if (mailboxUrl) lines.push(say('start.mailbox', { address: mailboxUrl }));
  if (certificates) {
    lines.push(say('start.people', { address: certificates.peopleUrl }));
    lines.push(say('start.files', { folder: certificates.files }));
  }
  lines.push(...first);
  process.stdout.write(`\n${lines.join('\n')}\n\n`);
}

export function endAtOnce(error: unknown): never {
  process.stderr.write(`${describeStartFailure(error)}\n`);
  process.exit(1);
}

if (import.meta.main) liveUntilSignal(start).catch(endAtOnce);
