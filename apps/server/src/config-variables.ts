import { join, resolve } from 'node:path';
import { isEmail, limits } from '@lavra/domain';
import { PROVIDER_LIST } from './identity/provider-settings.ts';

const repositoryRoot = resolve(import.meta.dirname, '../../..');

/** One variable of the environment. */
interface Variable<Value> {
  /** What it takes, in words for the operator. */
  readonly expects: string;
  /** Null: that is no value for it. */
  read(text: string): Value | null;
  /** When it is not set. */
  readonly otherwise: Value;
}

function text(expects: string, shape: RegExp): Variable<string | null> {
  return { expects, read: (value) => (shape.test(value) ? value : null), otherwise: null };
}

function wholeNumber(least: number, most: number, otherwise: number): Variable<number> {
  const read = (value: string) => {
    const number = /^\s*\d{1,9}\s*$/.test(value) ? Number(value) : Number.NaN;
    return number >= least && number <= most ? number : null;
  };
  return { expects: `a number from ${least} to ${most}`, read, otherwise };
}

function share(otherwise: number): Variable<number> {
  return {
    expects: 'a share from 0 to 1',
    read: (value) => (/^(0|1|0?\.\d+|1\.0*|0\.\d*)$/.test(value) ? Number(value) : null),
    otherwise,
  };
}

function oneOf<const Name extends string>(names: readonly Name[], otherwise: Name): Variable<Name> {
  const expects = `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
  return { expects, read: (value) => names.find((name) => name === value) ?? null, otherwise };
}

function flag(otherwise: boolean): Variable<boolean> {
  return { expects: 'true or false', read: (value) => (value === 'true' ? true : value === 'false' ? false : null), otherwise };
}

/** An address with a host, as it was given unless `as` makes it another. Null of `as`: not this one. */
function address(expects: string, protocols: readonly string[], as: (url: URL, given: string) => string | null): Variable<string | null> {
  const read = (value: string) => {
    const url = /\S\s+\S/.test(value) ? null : URL.parse(value);
    return url && protocols.includes(url.protocol) && isDecodable(url) ? as(url, value.trim()) : null;
  };
  return { expects, read, otherwise: null };
}

/** Who reads the address further on decodes its parts, and would stumble over a bare `%`. */
function isDecodable({ username, password, pathname }: URL): boolean {
  try {
    return [username, password, pathname].every((part) => typeof decodeURIComponent(part) === 'string');
  } catch {
    return false;
  }
}

const withHost = (url: URL, given: string) => (url.hostname === '' ? null : given);
const withoutUser = (url: URL, given: string) => (url.username === '' && url.password === '' ? withHost(url, given) : null);
const originOnly = (url: URL) =>
  /^\/?$/.test(url.pathname) && url.search + url.hash + url.username + url.password === '' ? url.origin : null;
/** A server that is asked to check a user wants both halves. */
const wholeUser = (url: URL, given: string) => ((url.username === '') === (url.password === '') ? withHost(url, given) : null);

/** `Name <mailbox>` or a mailbox; in a bare name the signs that would make it several (RFC 5322 §3.2.3) are none. */
function sender(): Variable<string> {
  const read = (value: string) => {
    const [, , bare, alone] = /^\s*(?:("[^"\\\r\n]*"\s*|[^"<>()[\]:;@\\,\r\n]*)<([^<>\s]+)>|([^<>\s]+))\s*$/.exec(value) ?? [];
    return isEmail(bare ?? alone ?? '') ? value.trim() : null;
  };
  return { expects: 'a mailbox, like Lavra <nao-responda@exemplo.com.br>', read, otherwise: 'Lavra <nao-responda@lavra.localhost>' };
}

type Service = 'web' | 'worker';

function services(): Variable<readonly Service[]> {
  const read = (value: string) => {
    const names = value.split(',').map((name) => name.trim());
    return names.every((name) => name === 'web' || name === 'worker') ? [...new Set(names)] : null;
  };
  return { expects: 'web, worker or both, separated by a comma', read, otherwise: ['web', 'worker'] };
}

/** What browsers ask for their address: https alone, or a page over https could not ask. */
function lookups(): Variable<readonly string[]> {
  const read = (value: string) => {
    const given = value.split(',').map((one) => one.trim());
    const urls = given.map((one) => URL.parse(one));
    const isEach = urls.every(
      (url, at) => url?.protocol === 'https:' && withoutUser(url, given[at] ?? '') !== null && /^[\w.-]+$/.test(url.hostname),
    );
    return isEach && given.length <= limits.ipLookupsMost ? given : null;
  };
  return { expects: `one to ${limits.ipLookupsMost} https addresses without user, separated by commas`, read, otherwise: [] };
}

const http = ['http:', 'https:'];
const tsaAddress = 'an http or https address, with user and password or neither (in a password @ is %40, % is %25)';

/** Every variable but those of the cloud and sign-in providers, which name themselves (psc-settings.ts, identity/provider-settings.ts). The table of docs/operating.md has a row for each. */
export const variables = {
  LAVRA_PROFILE: oneOf(['dev', 'prod'], 'dev'),
  LAVRA_DATA_DIR: { ...text('a folder', /\S/), otherwise: join(repositoryRoot, '.lavra') } as Variable<string>,
  HOST: { ...text('an address or name of this computer', /^[^\s/]+$/), otherwise: '127.0.0.1' } as Variable<string>,
  PORT: wholeNumber(0, 65_535, 8080),
  LAVRA_PUBLIC_URL: address(
    'an address like https://assina.exemplo.com.br, http or https, without path, query, fragment or user',
    http,
    originOnly,
  ),
  LAVRA_INSECURE: flag(false),
  DATABASE_URL: address(
    'an address like postgres://user:password@host:5432/database (in a password @ is %40, / is %2F, # is %23, % is %25)',
    ['postgres:', 'postgresql:'],
    (_url, given) => given,
  ),
  DATABASE_POOL_URL: address(
    'an address like postgres://user:password@pooler:6432/database: the database of DATABASE_URL, through a pooler',
    ['postgres:', 'postgresql:'],
    (_url, given) => given,
  ),
  DATABASE_LISTS_URL: address(
    'an address like postgres://user:password@copy:5432/database: a copy by streaming of the database of DATABASE_URL',
    ['postgres:', 'postgresql:'],
    (_url, given) => given,
  ),
  LAVRA_SECRET: text('at least 32 characters', /^.{32,}$/s),
  SMTP_URL: address(
    'an address like smtps://user:password@host:465, smtp or smtps, with user and password or neither (in a password @ is %40, % is %25)',
    ['smtp:', 'smtps:'],
    wholeUser,
  ),
  MAIL_FROM: sender(),
  TSA_URL: address(tsaAddress, http, wholeUser),
  TSA_ROOTS: text('the path of a PEM file', /\S/),
  TSA_ICP_BRASIL_URL: address(tsaAddress, http, wholeUser),
  TSA_ICP_BRASIL_CLIENT: text('the path of a PEM file with a certificate and its key', /\S/),
  LAVRA_ALLOW_PRIVATE_FETCH: text('hosts, name or name:port, separated by commas', /\S/),
  S3_BUCKET: text('the name of a bucket, without spaces and slashes', /^[^\s/\\]+$/),
  S3_ENDPOINT: address('an http or https address without user', http, withoutUser),
  S3_REGION: { ...text('the name of a region', /^\S+$/), otherwise: 'us-east-1' } as Variable<string>,
  S3_ACCESS_KEY_ID: text('a key’s id, without spaces', /^\S+$/),
  S3_SECRET_ACCESS_KEY: text('a key, without spaces', /^\S+$/),
  TRUSTED_PROXIES: wholeNumber(0, 10, 0),
  LAVRA_MAX_UPLOAD_MB: wholeNumber(1, 2000, 100),
  LAVRA_MAX_DAILY_UPLOAD_MB: wholeNumber(1, 1_000_000_000, 5_000),
  LAVRA_MAX_ACCOUNT_MB: wholeNumber(1, 1_000_000_000, 100_000),
  LAVRA_ENUMERATION_PROTECTION: flag(true),
  LAVRA_IP_LOOKUP_URLS: lookups(),
  LAVRA_SSO: flag(false),
  LAVRA_SSO_PROVIDER: text('one of the names in LAVRA_OIDC_PROVIDERS', /^[a-z][a-z0-9]*$/),
  LAVRA_SSO_LOGIN_ROLE: text('the name of a role at the provider of single sign-on', /^\S(.*\S)?$/),
  LAVRA_SSO_CREATE_PROCESS_ROLE: text('the name of a role at the provider of single sign-on', /^\S(.*\S)?$/),
  LAVRA_OIDC_PROVIDERS: text('names of small letters and digits, separated by commas', PROVIDER_LIST),
  LAVRA_ICP_BRASIL_CAS: text('the path of a PEM file', /\S/),
  LAVRA_ICP_BRASIL_LIST_URL: address('an http or https address without user', http, withoutUser),
  LAVRA_ICP_BRASIL_POLICIES: text('the path of a folder', /\S/),
  LAVRA_GOV_BR_CAS: text('the path of a PEM file', /\S/),
  LAVRA_SERVICES: services(),
  LAVRA_METRICS_TOKEN: text('at least 32 characters, without spaces', /^\S{32,}$/),
  LAVRA_SECURITY_CONTACT: address('a mailto: or https: address', ['mailto:', 'https:'], (url, given) =>
    (url.protocol === 'mailto:' ? isEmail(url.pathname) : url.hostname !== '') ? given : null,
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: address('an http or https address without user', http, withoutUser),
  OTEL_EXPORTER_OTLP_HEADERS: text('name=value, separated by commas (a comma in a value is %2C)', /^[^=,\s]+=[^,]*(,[^=,\s]+=[^,]*)*$/),
  OTEL_SERVICE_NAME: { ...text('a name without spaces', /^\S+$/), otherwise: 'lavra' } as Variable<string>,
  OTEL_TRACES_SAMPLER_ARG: share(1),
  LAVRA_LANGUAGE: oneOf(['pt-br', 'en', 'es'], 'pt-br'),
  LAVRA_LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
} as const satisfies Readonly<Record<string, Variable<unknown>>>;

type Variables = typeof variables;
export type Values = { readonly [Name in keyof Variables]: Variables[Name]['otherwise'] };

/** An empty variable is an unset one: `SMTP_URL= npm start` asks for the default. */
export function withoutEmpty(environment: NodeJS.ProcessEnv): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
}

/** Reads every variable by itself, so that one fault hides no other; a faulty one counts as not set. */
export function readVariables(given: Readonly<Record<string, string | undefined>>, faults: string[]): Values {
  const entries = Object.entries<Variable<unknown>>(variables).map(([name, { expects, read, otherwise }]) => {
    const value = given[name] === undefined ? otherwise : read(given[name]);
    // Never with the value: it may be a secret in the wrong place.
    if (value === null && given[name] !== undefined) faults.push(`${name}: ${expects}`);
    return [name, value ?? otherwise];
  });
  return Object.fromEntries(entries) as Values;
}
