import type { getConfigProps as call, Reply } from '@lavra/api';
import type { Person } from '../../access/actor.ts';
import { placeOf } from '../../config-shown.ts';
import type { Ctx } from '../../context.ts';

/** The configuration in force. Each property is named here: what nobody names is not told. */
export async function getConfigProps(ctx: Ctx, _actor: Person): Promise<Reply<typeof call>> {
  const { config } = ctx;
  const groups: Record<string, Record<string, unknown>> = {
    server: {
      profile: config.profile,
      services: config.services,
      publicUrl: ctx.publicUrl,
      host: config.host,
      port: config.port,
      trustedProxies: config.trustedProxies,
    },
    database: { embedded: config.databaseUrl === null, place: place(config.databaseUrl) },
    storage: config.s3
      ? { kind: 's3', bucket: config.s3.bucket, region: config.s3.region, place: place(config.s3.endpoint ?? null) }
      : { kind: 'disk', dataDir: config.dataDir },
    mail: { from: config.mailFrom, place: place(config.smtpUrl) },
    timestamps: {
      place: place(config.tsaUrl),
      roots: config.tsaRoots.length,
      icpBrasilPlace: place(config.icpBrasilTsa?.url ?? null),
      policies: config.policiesDir,
    },
    authorities: {
      icpBrasil: config.authorities.icpBrasil.length,
      govBr: config.authorities.govBr.length,
      icpBrasilList: place(config.icpBrasilListUrl),
    },
    cloudCertificates: { providers: ctx.psc.ids },
    limits: {
      maxUploadBytes: config.maxUploadBytes,
      maxDailyUploadBytes: config.maxDailyUploadBytes,
      maxAccountBytes: config.maxAccountBytes,
    },
    accounts: { enumerationProtection: config.enumerationProtection },
    metrics: { token: config.metricsToken === null ? 'none' : 'set' },
    log: { level: config.logLevel },
  };
  const beans = Object.entries(groups).map(([name, properties]) => [name, { prefix: name, properties }]);
  return { contexts: { lavra: { beans: Object.fromEntries(beans) as Reply<typeof call>['contexts'][string]['beans'] } } };
}

const place = (address: string | null) => address && placeOf(address);
