import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { certificatesInPem, parseCertificate } from '@lavra/pades';
import type { Locale } from './language/translator.ts';
import { type ShownVariable, shownVariables } from './config-shown.ts';
import { readVariables, type Values, variables, withoutEmpty } from './config-variables.ts';
import type { TimestampAccess } from './http-timestamp-authority.ts';
import { type ProviderSettings, readProviderSettings } from './identity/provider-settings.ts';
import { readSsoSettings, type SsoSettings } from './identity/sso-settings.ts';
import { type AllowedHost, readAllowedHost } from './outside/allowed-target.ts';
import { inWords } from './start-fault.ts';
import { type PscsSettings, readPscSettings } from './psc-settings.ts';
import type { TraceSettings } from './tracing/open-telemetry.ts';
import { unknownVariables } from './unknown-variables.ts';

const repositoryRoot = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const folders = { webDir: join(repositoryRoot, 'apps/web/dist'), localesDir: join(repositoryRoot, 'locales') };

/** Every page says there that this is not the real thing. */
export const RIBBON_PROFILE = 'dev';

export interface Config {
  profile: 'dev' | 'prod';
  dataDir: string;
  host: string;
  port: number;
  /** Without a trailing slash; null until the port is known in development. */
  publicUrl: string | null;
  databaseUrl: string | null;
  /** The same database through a pooler that lends its connections for a transaction; null: nothing stands between. */
  databasePoolUrl: string | null;
  /** A copy of it by streaming, for lists; null: they are read where everything is. */
  databaseListsUrl: string | null;
  secret: string | null;
  smtpUrl: string | null;
  mailFrom: string;
  tsaUrl: string | null;
  /** Trust anchors of the authority at `tsaUrl`, DER. */
  tsaRoots: readonly Uint8Array[];
  /** An authority below ICP-Brasil's root, and who we are to it. */
  icpBrasilTsa: TimestampAccess | null;
  /** Where ITI's policy of archived signatures and its list of approved policies are. */
  policiesDir: string | null;
  /** Where ITI publishes its list of authorities; null: it is loaded by hand. */
  icpBrasilListUrl: string | null;
  /** With it metrics may be read without an account; null: only administrators read them. */
  metricsToken: string | null;
  /** What the environment sets, for administrators to see; values only of what is no secret. */
  environment: readonly ShownVariable[];
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
  /** Providers that people sign in through, in the order of their buttons. */
  identityProviders: readonly ProviderSettings[];
  /** Single sign-on mode; null: it is off. */
  sso: SsoSettings | null;
  /** Where faults are told of, `mailto:` or `https:`; null: nowhere. */
  securityContact: string | null;
  maxUploadBytes: number;
  /** Of one account in one day (UTC). */
  maxDailyUploadBytes: number;
  /** Of all uploaded documents of one account. */
  maxAccountBytes: number;
  enumerationProtection: boolean;
  /** Public services that a signer's browser asks for its address, in this order; none: it asks nobody. */
  ipLookupUrls: readonly string[];
  services: readonly ('web' | 'worker')[];
  /** The collector that traces go to; null: nothing is traced. */
  traces: TraceSettings | null;
  /** Of terminals. */
  language: Locale;
  logLevel: string;
  webDir: string;
  localesDir: string;
}

/** A configuration that cannot be started with; `faults` has one sentence per fault, which names the variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

/**
 * The only reader of the environment. `also`: what only the calling command reads.
 * @throws ConfigError with every fault at once: of form, of what is missing, of names that nobody knows
 */
export function readConfig(environment: NodeJS.ProcessEnv, also: readonly string[] = []): Config {
  const given = withoutEmpty(environment);
  const faults: string[] = [];
  const env = readVariables(given, faults);
  faults.push(...missingInProduction(given, env), ...halfPairs(given));
  const authorities = {
    icpBrasil: certificatesAt('LAVRA_ICP_BRASIL_CAS', env.LAVRA_ICP_BRASIL_CAS, faults),
    govBr: certificatesAt('LAVRA_GOV_BR_CAS', env.LAVRA_GOV_BR_CAS, faults),
  };
  const tsaRoots = certificatesAt('TSA_ROOTS', env.TSA_ROOTS, faults);
  const believed = { LAVRA_ICP_BRASIL_CAS: authorities.icpBrasil, LAVRA_GOV_BR_CAS: authorities.govBr, TSA_ROOTS: tsaRoots };
  if (isProduction(given)) faults.push(...makeBelieveAmong(believed));
  const icpBrasilTsa = readIcpBrasilTsa(env, faults);
  const allowedPrivateHosts = readHosts(env.LAVRA_ALLOW_PRIVATE_FETCH ?? '', faults);
  const pscs = readPscSettings(given, faults);
  const identityProviders = readProviderSettings(given, faults);
  const sso = readSsoSettings(env, identityProviders, faults);
  const others = Object.fromEntries(Object.entries(given).filter(([name]) => !/^LAVRA_(PSC|OIDC)_/.test(name) && !also.includes(name)));
  faults.push(...unknownVariables(others, Object.keys(variables)));
  if (faults.length > 0) throw new ConfigError(faults);
  return {
    authorities,
    profile: env.LAVRA_PROFILE,
    dataDir: resolve(env.LAVRA_DATA_DIR),
    host: env.HOST,
    port: env.PORT,
    publicUrl: env.LAVRA_PUBLIC_URL,
    databaseUrl: env.DATABASE_URL,
    databasePoolUrl: env.DATABASE_POOL_URL,
    databaseListsUrl: env.DATABASE_LISTS_URL,
    secret: env.LAVRA_SECRET,
    smtpUrl: env.SMTP_URL,
    mailFrom: env.MAIL_FROM,
    tsaUrl: env.TSA_URL,
    tsaRoots,
    icpBrasilTsa,
    policiesDir: env.LAVRA_ICP_BRASIL_POLICIES && resolve(env.LAVRA_ICP_BRASIL_POLICIES),
    icpBrasilListUrl: env.LAVRA_ICP_BRASIL_LIST_URL,
    metricsToken: env.LAVRA_METRICS_TOKEN,
    securityContact: env.LAVRA_SECURITY_CONTACT,
    environment: shownVariables(given, (name) => name in variables || name.startsWith('LAVRA_')),
    allowedPrivateHosts,
    s3: bucketOf(env),
    pscs,
    identityProviders,
    sso,
    trustedProxies: env.TRUSTED_PROXIES,
    maxUploadBytes: env.LAVRA_MAX_UPLOAD_MB * 1024 * 1024,
    maxDailyUploadBytes: env.LAVRA_MAX_DAILY_UPLOAD_MB * 1024 * 1024,
    maxAccountBytes: env.LAVRA_MAX_ACCOUNT_MB * 1024 * 1024,
    enumerationProtection: env.LAVRA_ENUMERATION_PROTECTION,
    ipLookupUrls: env.LAVRA_IP_LOOKUP_URLS,
    services: env.LAVRA_SERVICES,
    traces: tracesOf(env),
    language: env.LAVRA_LANGUAGE,
    logLevel: env.LAVRA_LOG_LEVEL,
    ...folders,
  };
}

function makeBelieveAmong(believed: Readonly<Record<string, readonly Uint8Array[]>>): string[] {
  return Object.entries(believed)
    .filter(([, certificates]) => certificates.some(isMakeBelieve))
    .map(([name]) => `${name}: a certificate of the make-believe world, whose keys anybody may have`);
}

function bucketOf(env: Values): Config['s3'] {
  if (!env.S3_BUCKET) return null;
  return {
    bucket: env.S3_BUCKET,
    endpoint: env.S3_ENDPOINT ?? undefined,
    region: env.S3_REGION,
    accessKeyId: env.S3_ACCESS_KEY_ID ?? undefined,
    secretAccessKey: env.S3_SECRET_ACCESS_KEY ?? undefined,
  };
}

function tracesOf(env: Values): TraceSettings | null {
  if (env.OTEL_EXPORTER_OTLP_ENDPOINT === null) return null;
  const headers = (env.OTEL_EXPORTER_OTLP_HEADERS ?? '').split(',').filter((pair) => pair !== '');
  return {
    endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
    headers: Object.fromEntries(
      headers.map((pair) => [pair.split('=', 1)[0] ?? '', decodeURIComponent(pair.slice(pair.indexOf('=') + 1))]),
    ),
    service: env.OTEL_SERVICE_NAME,
    ratio: env.OTEL_TRACES_SAMPLER_ARG,
  };
}

/** What is not `dev` was meant to be `prod`, however it was written. */
function isProduction({ LAVRA_PROFILE = 'dev' }: NodeJS.ProcessEnv): boolean {
  return LAVRA_PROFILE !== 'dev';
}

/** What development makes up and production needs. */
function missingInProduction(given: NodeJS.ProcessEnv, env: Values): string[] {
  if (!isProduction(given)) return [];
  const needed = {
    LAVRA_PUBLIC_URL: 'links in mails carry it',
    SMTP_URL: 'there is no mailbox to catch mails',
    MAIL_FROM: 'mails come from somebody',
    ...(given['DATABASE_URL'] === undefined ? {} : { LAVRA_SECRET: 'all nodes share it, beside DATABASE_URL' }),
  };
  const missing = Object.entries(needed).filter(([name]) => given[name] === undefined);
  const faults = missing.map(([name, why]) => `${name}: required in the prod profile (${why})`);
  for (const name of ['TSA_URL', 'TSA_ICP_BRASIL_URL'] as const)
    if (env[name]?.startsWith('http:') && new URL(env[name]).username !== '' && !env.LAVRA_INSECURE)
      faults.push(`${name}: https in the prod profile, since it carries a password; LAVRA_INSECURE=true allows http`);
  if (env.LAVRA_PUBLIC_URL?.startsWith('http:') && !env.LAVRA_INSECURE)
    faults.push('LAVRA_PUBLIC_URL: https in the prod profile, since links in mails are as good as keys; LAVRA_INSECURE=true allows http');
  return faults;
}

/** What means nothing alone; left out in silence, somebody would believe it were in force. */
function halfPairs(given: NodeJS.ProcessEnv): string[] {
  const has = (name: string) => given[name] !== undefined;
  const faults: string[] = [];
  const bucketless = ['S3_ENDPOINT', 'S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'].filter(has);
  if (bucketless.length > 0 && !has('S3_BUCKET')) faults.push(`S3_BUCKET: missing beside ${bucketless.join(', ')}`);
  for (const [one, other] of [
    ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'],
    ['S3_SECRET_ACCESS_KEY', 'S3_ACCESS_KEY_ID'],
  ] as const)
    if (has(one) && !has(other)) faults.push(`${other}: missing beside ${one}`);
  // Development's own authority brings its anchor: others beside it would trust strangers' timestamps.
  if (has('TSA_ROOTS') && !has('TSA_URL')) faults.push('TSA_ROOTS: the roots of which authority? TSA_URL is missing');
  if (has('TSA_ICP_BRASIL_URL') && !has('LAVRA_ICP_BRASIL_CAS'))
    faults.push('LAVRA_ICP_BRASIL_CAS: missing beside TSA_ICP_BRASIL_URL, whose timestamps must be below a root in it');
  if (has('TSA_ICP_BRASIL_CLIENT') && !has('TSA_ICP_BRASIL_URL')) faults.push('TSA_ICP_BRASIL_URL: missing beside TSA_ICP_BRASIL_CLIENT');
  if (has('LAVRA_ICP_BRASIL_POLICIES') && !has('TSA_ICP_BRASIL_URL') && isProduction(given))
    faults.push('TSA_ICP_BRASIL_URL: missing beside LAVRA_ICP_BRASIL_POLICIES, which are for archived signatures');
  return faults;
}

/** By the name that every authority of the development world carries. */
function isMakeBelieve(certificate: Uint8Array): boolean {
  const { subject } = new X509Certificate(certificate);
  return /^O=Lavra \(desenvolvimento\)$|^OU=Faz de conta - nao vale nada$/m.test(subject);
}

/** The certificates of a PEM file that the environment names. */
function certificatesAt(name: string, path: string | null, faults: string[]): Uint8Array[] {
  if (path === null) return [];
  try {
    const found = certificatesInPem(readFileSync(path, 'latin1'));
    if (!found.every((der) => parseCertificate(der).isAuthority)) faults.push(`${name}: a certificate in it is no authority’s`);
    if (found.length === 0) faults.push(`${name}: no certificate in it (PEM)`);
    return found;
  } catch (error) {
    faults.push(`${name}: cannot be read, ${inWords(error)}`);
    return [];
  }
}

function readIcpBrasilTsa({ TSA_ICP_BRASIL_URL: url, TSA_ICP_BRASIL_CLIENT: client }: Values, faults: string[]): TimestampAccess | null {
  return url === null ? null : { url, client: clientAt(client, url, faults) };
}

/** Certificate and key in one file, as PEM; the key without a password, since nobody is there to type it. */
function clientAt(path: string | null, url: string, faults: string[]): { cert: string; key: string } | null {
  if (path === null) return null;
  const name = 'TSA_ICP_BRASIL_CLIENT';
  if (!url.startsWith('https:')) faults.push(`${name}: a certificate is shown over https alone`);
  try {
    const pem = readFileSync(path, 'latin1');
    const [leaf] = certificatesInPem(pem);
    if (!leaf) faults.push(`${name}: no certificate in it (PEM)`);
    else if (!new X509Certificate(leaf).checkPrivateKey(createPrivateKey(pem)))
      faults.push(`${name}: the key in it is not that of its first certificate`);
    return { cert: pem, key: pem };
  } catch (error) {
    faults.push(`${name}: certificate and key cannot be read, ${inWords(error)}`);
    return null;
  }
}

function readHosts(text: string, faults: string[]): AllowedHost[] {
  return text
    .split(',')
    .map((one) => one.trim())
    .flatMap((one, index) => {
      const host = one === '' ? [] : readAllowedHost(one);
      if (host === null) faults.push(`LAVRA_ALLOW_PRIVATE_FETCH: number ${index + 1} of the list is no host, nor host:port`);
      return host ?? [];
    });
}
