import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { compose } from './compose.ts';
import { ConfigError, type Config, readConfig } from './config.ts';
import type { TimestampAuthority } from './context.ts';
import type { ConnectionOptions } from './db/client.ts';
import { startEmbeddedPostgres } from './db/embedded-postgres.ts';
import { ensureDatabase } from './db/ensure-database.ts';
import { hasAnyAccount } from './features/accounts/has-any-account.ts';
import { httpTimestampAuthority } from './http-timestamp-authority.ts';

const started = performance.now();
const STOP_SECONDS = 20;

interface OutsideWorld {
  smtpUrl: string | null;
  mailboxUrl: string | null;
  timestamps: TimestampAuthority | null;
  close(): Promise<void>;
}

/**
 * Development has its own mail server and timestamp authority; they are loaded only here and only in the
 * dev profile, so that make-believe trust can never reach an installation that means it.
 */
async function outsideWorld(config: Config): Promise<OutsideWorld> {
  const configured = config.tsaUrl ? httpTimestampAuthority(config.tsaUrl, config.tsaRoots, null) : null;
  if (config.profile === 'prod')
    return { smtpUrl: config.smtpUrl, mailboxUrl: null, timestamps: configured, close: () => Promise.resolve() };
  const { startDevelopmentWorld } = await import('@lavra/test-pki');
  const world = await startDevelopmentWorld({ dataDir: config.dataDir });
  return {
    smtpUrl: config.smtpUrl ?? world.smtpUrl,
    mailboxUrl: config.smtpUrl ? null : world.mailboxUrl,
    timestamps:
      configured ??
      httpTimestampAuthority(world.tsaUrl, [world.tsaRoot], async () => ({
        certificates: [world.tsaRoot],
        crls: [await world.tsaCrl()],
        ocsps: [],
      })),
    close: world.close,
  };
}

async function database(config: Config): Promise<{ connection: ConnectionOptions; stop(): Promise<void> }> {
  if (config.databaseUrl) return { connection: { connectionString: config.databaseUrl }, stop: () => Promise.resolve() };
  const embedded = await startEmbeddedPostgres(config.dataDir);
  await ensureDatabase(embedded, 'lavra');
  return { connection: { host: embedded.host, user: embedded.user, database: 'lavra' }, stop: embedded.stop };
}

/**
 * The configured port, or in development the next free one: two trials side by side are normal there. Port 0
 * asks for any; it must be known before anything listens, because links carry it.
 */
async function choosePort(config: Config): Promise<number> {
  if (config.port === 0) return (await freePort(config.host, 0)) ?? 0;
  if (config.profile === 'prod') return config.port;
  for (let port = config.port; port < config.port + 50; port += 1) if (await freePort(config.host, port)) return port;
  return config.port;
}

function freePort(host: string, wanted: number): Promise<number | null> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(null));
    probe.listen(wanted, host, () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const [db, world, port] = await Promise.all([database(config), outsideWorld(config), choosePort(config)]);
  const publicUrl = config.publicUrl ?? `http://localhost:${port}`;
  const installation = await compose({
    config: { ...config, smtpUrl: world.smtpUrl },
    connection: db.connection,
    publicUrl,
    timestamps: world.timestamps,
    mailboxUrl: world.mailboxUrl,
  });
  if (config.services.includes('web')) await installation.app.listen({ host: config.host, port });
  if (config.services.includes('worker')) await installation.queue.work(installation.ctx);
  await announce(publicUrl, world.mailboxUrl, await hasAnyAccount(installation.ctx));
  let stopping = false;
  const stop = async () => {
    // Asked twice: somebody is in a hurry. The database is adopted by the next start.
    if (stopping) process.exit(1);
    stopping = true;
    // A client that keeps a request open for ever must not keep the program.
    await Promise.race([installation.close(), sleep(STOP_SECONDS * 1000)]);
    await world.close();
    await db.stop();
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop());
  process.on('SIGINT', () => void stop());
}

/** What a person needs to know, on standard output, apart from the log. */
async function announce(publicUrl: string, mailboxUrl: string | null, hasAccounts: boolean): Promise<void> {
  const lines = [`Lavra: ${publicUrl}  (${((performance.now() - started) / 1000).toFixed(1)} s)`];
  if (mailboxUrl) lines.push(`Caixa de correio (desenvolvimento): ${mailboxUrl}`);
  if (!hasAccounts) lines.push(`Primeira conta: abra ${publicUrl}/account/register; quem se cadastra primeiro administra a instalação.`);
  process.stdout.write(`\n${lines.join('\n')}\n\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof ConfigError ? error.message : (error as Error).stack}\n`);
  process.exit(1);
});
