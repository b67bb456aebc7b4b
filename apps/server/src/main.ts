import { setTimeout as sleep } from 'node:timers/promises';
import type { TrustStore } from '@lavra/pades';
import type { PscSettings } from '@lavra/psc';
import { compose } from './compose.ts';
import { type Config, readConfig } from './config.ts';
import type { Ctx, TimestampAuthority } from './context.ts';
import { prepareDataDir } from './data-dir.ts';
import type { ConnectionOptions } from './db/client.ts';
import { startEmbeddedPostgres } from './db/embedded-postgres.ts';
import { ensureDatabase } from './db/ensure-database.ts';
import { issueFirstAccountKey } from './features/accounts/first-account-key.ts';
import { hasAnyAccount } from './features/accounts/has-any-account.ts';
import { httpTimestampAuthority } from './http-timestamp-authority.ts';
import { choosePort, listenAt } from './listen.ts';
import { type AllowedHost, readAllowedHost } from './outside/allowed-target.ts';
import { describeStartFailure } from './start-failure.ts';

const started = performance.now();
const STOP_SECONDS = 20;

interface OutsideWorld {
  smtpUrl: string | null;
  mailboxUrl: string | null;
  timestamps: TimestampAuthority | null;
  certificates: MakeBelieveCertificates | null;
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
  const configured = config.tsaUrl ? httpTimestampAuthority(config.tsaUrl, config.tsaRoots, null) : null;
  if (config.profile === 'prod')
    return { smtpUrl: config.smtpUrl, mailboxUrl: null, timestamps: configured, certificates: null, close: () => Promise.resolve() };
  const { startDevelopmentWorld } = await import('@lavra/test-pki');
  const world = await startDevelopmentWorld({ dataDir: config.dataDir, publicUrl });
  const { anchors, intermediates, settings, host, files } = world.certificates;
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
    certificates: {
      icpBrasil: { anchors: anchors.map((anchor) => ({ ...anchor, uses: ['signature'] })), intermediates },
      pscs: settings,
      host: readAllowedHost(host),
      peopleUrl: world.peopleUrl,
      files,
    },
    close: world.close,
  };
}

async function database(config: Config): Promise<{ connection: ConnectionOptions; stop(): Promise<void> }> {
  if (config.databaseUrl) return { connection: { connectionString: config.databaseUrl }, stop: () => Promise.resolve() };
  const embedded = await startEmbeddedPostgres(config.dataDir);
  await ensureDatabase(embedded, 'lavra');
  return { connection: { host: embedded.host, user: embedded.user, database: 'lavra' }, stop: embedded.stop };
}

async function main(): Promise<void> {
  const config = readConfig(process.env);
  await prepareDataDir(config);
  const port = await choosePort(config);
  const publicUrl = config.publicUrl ?? `http://localhost:${port}`;
  const [db, world] = await Promise.all([database(config), outsideWorld(config, publicUrl)]);
  const { icpBrasil, pscs, host } = world.certificates ?? {};
  const installation = await compose({
    config: { ...config, smtpUrl: world.smtpUrl, allowedPrivateHosts: [...config.allowedPrivateHosts, ...(host ? [host] : [])] },
    connection: db.connection,
    publicUrl,
    timestamps: world.timestamps,
    ...(icpBrasil ? { icpBrasil } : {}),
    ...(pscs ? { pscs } : {}),
    mailboxUrl: world.mailboxUrl,
  });
  if (config.services.includes('web') && !(await listenAt(installation.app, config, port))) {
    await installation.close();
    await world.close();
    await db.stop();
    return main();
  }
  if (config.services.includes('worker')) await installation.queue.work(installation.ctx);
  await announce(publicUrl, world, await firstAccount(installation.ctx));
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

/** Where the first account is made, and in production by which key; nothing where there is one. */
async function firstAccount(ctx: Ctx): Promise<string[]> {
  if (await hasAnyAccount(ctx)) return [];
  const address = `${ctx.publicUrl}/account/register`;
  const key = await issueFirstAccountKey(ctx);
  if (key === null) return [`Primeira conta: abra ${address}; quem se cadastra primeiro administra a instalação.`];
  return [
    `Primeira conta, a de quem administra: abra ${address}#key=${key}`,
    'O endereço acima só vale para esta primeira conta. Não o encaminhe; um novo aparece a cada início, até que alguém se cadastre.',
  ];
}

/** What a person needs to know, on standard output, apart from the log. */
async function announce(publicUrl: string, { mailboxUrl, certificates }: OutsideWorld, first: readonly string[]): Promise<void> {
  const lines = [`Lavra: ${publicUrl}  (${((performance.now() - started) / 1000).toFixed(1)} s)`];
  if (mailboxUrl) lines.push(`Caixa de correio (desenvolvimento): ${mailboxUrl}`);
  if (certificates) {
    lines.push(`Pessoas de faz de conta com certificado digital: ${certificates.peopleUrl}`);
    lines.push(`Seus arquivos .p12: ${certificates.files}`);
  }
  lines.push(...first);
  process.stdout.write(`\n${lines.join('\n')}\n\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${describeStartFailure(error)}\n`);
  process.exit(1);
});
