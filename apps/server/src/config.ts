import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { certificatesInPem, parseCertificate } from '@lavra/pades';
import { z } from 'zod';
import { type AllowedHost, readAllowedHost } from './outside/allowed-target.ts';
import { type PscsSettings, readPscSettings } from './psc-settings.ts';

const repositoryRoot = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

const flag = (fallback: 'true' | 'false') =>
  z
    .enum(['true', 'false'])
    .default(fallback)
    .transform((value) => value === 'true');

const schema = z.object({
  LAVRA_PROFILE: z.enum(['dev', 'prod']).default('dev'),
  LAVRA_DATA_DIR: z.string().default(join(repositoryRoot, '.lavra')),
  HOST: z.string().default('127.0.0.1'),
  PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  LAVRA_PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  LAVRA_SECRET: z.string().min(32, 'at least 32 characters').optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z.string().default('Lavra <nao-responda@lavra.localhost>'),
  TSA_URL: z.url({ protocol: /^https?$/ }).optional(),
  TSA_ROOTS: z.string().optional(),
  LAVRA_ALLOW_PRIVATE_FETCH: z.string().default(''),
  S3_BUCKET: z.string().optional(),
  S3_ENDPOINT: z.url().optional(),
  S3_REGION: z.string().default('us-east-1'),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
  TRUSTED_PROXIES: z.coerce.number().int().min(0).max(10).default(0),
  LAVRA_MAX_UPLOAD_MB: z.coerce.number().int().min(1).max(2000).default(100),
  LAVRA_ENUMERATION_PROTECTION: flag('true'),
  LAVRA_SSO: flag('false'),
  LAVRA_ICP_BRASIL_CAS: z.string().optional(),
  LAVRA_GOV_BR_CAS: z.string().optional(),
  LAVRA_SERVICES: z
    .string()
    .default('web,worker')
    .transform((value) => value.split(',').map((name) => name.trim()))
    .pipe(z.array(z.enum(['web', 'worker']))),
  LAVRA_LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});

export interface Config {
  profile: 'dev' | 'prod';
  dataDir: string;
  host: string;
  port: number;
  /** Without a trailing slash; null until the port is known in development. */
  publicUrl: string | null;
  databaseUrl: string | null;
  secret: string | null;
  smtpUrl: string | null;
  mailFrom: string;
  tsaUrl: string | null;
  /** Trust anchors of the authority at `tsaUrl`, DER. */
  tsaRoots: readonly Uint8Array[];
  /** May be fetched from although they are not public. */
  allowedPrivateHosts: readonly AllowedHost[];
  s3: {
    bucket: string;
    endpoint?: string | undefined;
    region: string;
    accessKeyId?: string | undefined;
    secretAccessKey?: string | undefined;
  } | null;
  trustedProxies: number;
  /** Certificates of public authorities that verification may rely on, DER; empty: only the installation's own. */
  authorities: { icpBrasil: readonly Uint8Array[]; govBr: readonly Uint8Array[] };
  /** Cloud providers of certificates; those with credentials can be asked. */
  pscs: PscsSettings;
  maxUploadBytes: number;
  enumerationProtection: boolean;
  services: readonly ('web' | 'worker')[];
  logLevel: string;
  webDir: string;
  localesDir: string;
}

/** A configuration that cannot be started with; `faults` has one sentence per fault. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`Configuration is not usable:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.faults = faults;
  }
}

/** The only reader of the environment. @throws ConfigError with every fault at once */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  // An empty variable is an unset one: `SMTP_URL= npm start` asks for the default.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = schema.safeParse(given);
  if (!parsed.success) throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`));
  const env = parsed.data;
  const faults: string[] = [];
  if (env.LAVRA_PROFILE === 'prod') {
    if (!env.LAVRA_PUBLIC_URL) faults.push('LAVRA_PUBLIC_URL: required in the prod profile (links in mails carry it)');
    if (!env.SMTP_URL) faults.push('SMTP_URL: required in the prod profile (there is no mailbox to catch mails)');
    if (env.DATABASE_URL && !env.LAVRA_SECRET) faults.push('LAVRA_SECRET: required with DATABASE_URL (all nodes share it)');
  }
  if (env.LAVRA_SSO) faults.push('LAVRA_SSO: single sign-on is not available yet');
  const authorities = {
    icpBrasil: certificatesAt('LAVRA_ICP_BRASIL_CAS', env.LAVRA_ICP_BRASIL_CAS, faults),
    govBr: certificatesAt('LAVRA_GOV_BR_CAS', env.LAVRA_GOV_BR_CAS, faults),
  };
  const tsaRoots = certificatesAt('TSA_ROOTS', env.TSA_ROOTS, faults);
  // Development's own authority brings its anchor: others beside it would trust strangers' timestamps.
  if (env.TSA_ROOTS && !env.TSA_URL) faults.push('TSA_ROOTS: the roots of which authority? TSA_URL is missing');
  if (env.LAVRA_PROFILE === 'prod') {
    const believed = { LAVRA_ICP_BRASIL_CAS: authorities.icpBrasil, LAVRA_GOV_BR_CAS: authorities.govBr, TSA_ROOTS: tsaRoots };
    for (const [name, certificates] of Object.entries(believed))
      if (certificates.some(isMakeBelieve)) faults.push(`${name}: a certificate of the make-believe world, whose keys anybody may have`);
  }
  const allowedPrivateHosts = readHosts(env.LAVRA_ALLOW_PRIVATE_FETCH, faults);
  const pscs = readPscSettings(given, faults);
  if (faults.length > 0) throw new ConfigError(faults);
  return {
    authorities,
    profile: env.LAVRA_PROFILE,
    dataDir: resolve(env.LAVRA_DATA_DIR),
    host: env.HOST,
    port: env.PORT,
    publicUrl: env.LAVRA_PUBLIC_URL?.replace(/\/+$/, '') ?? null,
    databaseUrl: env.DATABASE_URL ?? null,
    secret: env.LAVRA_SECRET ?? null,
    smtpUrl: env.SMTP_URL ?? null,
    mailFrom: env.MAIL_FROM,
    tsaUrl: env.TSA_URL ?? null,
    tsaRoots,
    allowedPrivateHosts,
    s3: env.S3_BUCKET
      ? {
          bucket: env.S3_BUCKET,
          endpoint: env.S3_ENDPOINT,
          region: env.S3_REGION,
          accessKeyId: env.S3_ACCESS_KEY_ID,
          secretAccessKey: env.S3_SECRET_ACCESS_KEY,
        }
      : null,
    pscs,
    trustedProxies: env.TRUSTED_PROXIES,
    maxUploadBytes: env.LAVRA_MAX_UPLOAD_MB * 1024 * 1024,
    enumerationProtection: env.LAVRA_ENUMERATION_PROTECTION,
    services: env.LAVRA_SERVICES,
    logLevel: env.LAVRA_LOG_LEVEL,
    webDir: join(repositoryRoot, 'apps/web/dist'),
    localesDir: join(repositoryRoot, 'locales'),
  };
}

/** By the name that every authority of the development world carries. */
function isMakeBelieve(certificate: Uint8Array): boolean {
  const { subject } = new X509Certificate(certificate);
  return /^O=Lavra \(desenvolvimento\)$|^OU=Faz de conta - nao vale nada$/m.test(subject);
}

/** The certificates of a PEM file that the environment names. */
function certificatesAt(name: string, path: string | undefined, faults: string[]): Uint8Array[] {
  if (path === undefined) return [];
  try {
    const found = certificatesInPem(readFileSync(path, 'latin1'));
    if (!found.every((der) => parseCertificate(der).isAuthority)) faults.push(`${name}: a certificate in it is no authority’s`);
    if (found.length === 0) faults.push(`${name}: no certificate in it (PEM)`);
    return found;
  } catch (error) {
    faults.push(`${name}: cannot be read (${(error as Error).message})`);
    return [];
  }
}

function readHosts(text: string, faults: string[]): AllowedHost[] {
  return text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .flatMap((one) => {
      const host = readAllowedHost(one);
      if (host === null) faults.push(`LAVRA_ALLOW_PRIVATE_FETCH: "${one}" is no host, nor host:port`);
      return host ?? [];
    });
}
