import type { Ctx } from './context.ts';
import { readServerVersion } from './db/health.ts';
import { describeProgram, readCommit } from './program.ts';

/**
 * What an operator wants to know of a start, in one line of the log: who runs, on what, and what it did to the data. Hosts, never
 * users, passwords or paths of addresses.
 */
export async function describeStart(ctx: Ctx, migrated: readonly string[]) {
  const { config } = ctx;
  const { version, runtime, profile, services } = describeProgram(config);
  return {
    version,
    commit: readCommit(),
    runtime,
    profile,
    services,
    url: ctx.publicUrl,
    database: `${config.databaseUrl ? hostOf(config.databaseUrl) : 'embedded'}, PostgreSQL ${await readServerVersion(ctx)}`,
    storage: config.s3 ? `S3, bucket ${config.s3.bucket} at ${config.s3.endpoint ? hostOf(config.s3.endpoint) : config.s3.region}` : 'disk',
    mail: config.smtpUrl ? hostOf(config.smtpUrl) : null,
    timestamps: config.tsaUrl ? hostOf(config.tsaUrl) : ctx.timestamps ? 'development' : null,
    timestampsIcpBrasil: config.icpBrasilTsa ? hostOf(config.icpBrasilTsa.url) : ctx.icpBrasilTimestamps ? 'development' : null,
    traces: config.traces ? hostOf(config.traces.endpoint) : null,
    migrated,
  };
}

const hostOf = (address: string) => new URL(address).host;
