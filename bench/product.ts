import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ensureDatabase } from '../apps/server/src/db/ensure-database.ts';
import type { Outside } from './outside.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../apps/server/src/db/embedded-postgres.ts';

export interface BenchedProduct extends AsyncDisposable {
  directory: string;
  /** A connection of our own to the product's database server. */
  connect(): Promise<pg.Client>;
  /** Any call of the product's; answers what came back as JSON. */
  call<T>(method: string, path: string, body?: object): Promise<T>;
  /** The same by whoever has a link and no account, as most signers. */
  visit<T>(method: string, path: string, body?: object): Promise<T>;
  account: { id: string; email: string };
  url: string;
  /** The key of the link that is mailed to a signer. */
  linkKey(signerId: string): Promise<string>;
  /** Waits until the database says so of a process, looked at every 10 ms: a look costs the product nothing but its backend's time. */
  until(processId: string, what: Stage): Promise<void>;
  /** Of the program. */
  pid: number;
  /** What it was started with. */
  environment: NodeJS.ProcessEnv;
  /** Ends the program; its database and its folder stay until all of it is disposed. */
  end(): Promise<void>;
  token(): string;
}

/** What connections of whoever measures are called. */
export const MEASURING = 'bench';
const LOOK_MS = 10;
const PATIENCE_MS = 60_000;
/** One statement for all that is waited for: fifty who look every 10 ms by themselves are most of what a database server does. */
const LOOK = `
  select exists (select from signer where signature_process_id = p.id and status = 'SIGNED') as signed,
    p.prepared_at is not null as prepared, p.status = 'FINALIZED_WITH_SUCCESS' as finished, p.id
  from signature_process p where p.id = any($1)`.trim();

const address = (): string => `203.0.${randomInt(256)}.${randomInt(1, 255)}`;

type Stage = 'prepared' | 'signed' | 'finished';

/** Looks every 10 ms while somebody waits. */
class Looker {
  readonly #waiting = new Set<{ id: string; what: Stage; since: number; resolve(): void; reject(error: Error): void }>();
  readonly #pool: pg.Pool;
  #isLooking = false;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  until(id: string, what: Stage): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.add({ id, what, since: performance.now(), resolve, reject });
      if (!this.#isLooking) void this.#look();
    });
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    while (this.#waiting.size > 0) {
      const ids = [...new Set([...this.#waiting].map(({ id }) => id))];
      const { rows } = await this.#pool.query<Record<Stage, boolean> & { id: string }>({ name: 'look', text: LOOK, values: [ids] });
      const found = new Map(rows.map((row) => [row.id, row]));
      for (const one of this.#waiting) {
        const isThere = found.get(one.id)?.[one.what] === true;
        if (!isThere && performance.now() - one.since < PATIENCE_MS) continue;
        this.#waiting.delete(one);
        if (isThere) one.resolve();
        else one.reject(new Error(`waited a minute for nothing: ${one.what}`));
      }
      if (this.#waiting.size > 0) await sleep(LOOK_MS);
    }
    this.#isLooking = false;
  }
}

/** A server that counts its statements: it reads the library at its start, so it is started twice. */
async function startCounting(directory: string): Promise<EmbeddedPostgres> {
  const first = await startEmbeddedPostgres(directory);
  const client = new pg.Client({ host: first.host, user: first.user, database: 'postgres' });
  await client.connect();
  await client.query(`alter system set shared_preload_libraries = 'pg_stat_statements'`);
  await client.end();
  await first.stop();
  const postgres = await startEmbeddedPostgres(directory);
  await ensureDatabase(postgres, 'lavra');
  const counting = new pg.Client({ host: postgres.host, user: postgres.user, database: 'lavra' });
  await counting.connect();
  await counting.query('create extension pg_stat_statements');
  await counting.end();
  return postgres;
}

/** The outside world, in a process of its own. */
async function startOutside(directory: string, what: readonly string[]): Promise<{ variables: Outside['variables']; stop(): void }> {
  const program = spawn(process.execPath, [join(import.meta.dirname, 'outside.ts'), directory, ...what], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const said = await new Promise<string>((resolve, reject) => {
    program.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString()));
    program.once('exit', () => reject(new Error('the outside world stopped')));
  });
  return { variables: (JSON.parse(said) as Outside).variables, stop: () => program.stdin.end() };
}

/** The product in a process of its own over a database that we may look into, with its first account signed in; over the database that is named, or one of its own; from this tree, or the one that is named. */
export async function startBenchedProduct({
  database,
  tree = join(import.meta.dirname, '..'),
  program = join(tree, 'apps/server/src/main.ts'),
  outside: world,
  node = [],
  variables = {},
}: {
  database?: { url: string };
  tree?: string;
  /** Another start than the product's own. */
  program?: string;
  /** What the outside world has beside a timestamp authority and a mail server. */
  outside?: 'cloud';
  node?: readonly string[];
  variables?: Record<string, string>;
} = {}): Promise<BenchedProduct> {
  const directory = await mkdtemp(join(tmpdir(), 'lavra-bench-'));
  const postgres = database ? null : await startCounting(directory);
  const databaseUrl = database?.url ?? `postgres://${postgres?.user}@localhost/lavra?host=${encodeURIComponent(postgres?.host ?? '')}`;
  const outside = await startOutside(directory, world ? [world] : []);
  const environment = {
    ...process.env,
    LAVRA_DATA_DIR: directory,
    DATABASE_URL: databaseUrl,
    PORT: '0',
    TRUSTED_PROXIES: '1',
    LAVRA_LOG_LEVEL: 'error',
    ...outside.variables,
    ...variables,
  };
  const server = spawn(process.execPath, [...node, program], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let said = '';
    server.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const found = /Lavra: (\S+)/.exec(said)?.[1];
      if (found) resolve(found);
    });
    server.once('exit', () => reject(new Error(`the product stopped: ${said}`)));
  });
  let token = '';
  /** As through a proxy: signers have addresses of their own, and one of them may not sign all day. */
  const ask = (method: string, path: string, body: object | undefined, as: string): Promise<Response> =>
    fetch(`${url}/${path}`, {
      method,
      headers: {
        'x-forwarded-for': address(),
        ...(body && !(body instanceof FormData) ? { 'content-type': 'application/json' } : {}),
        ...(as ? { authorization: `Bearer ${as}` } : {}),
      },
      ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
    });
  const answered = async <T>(method: string, path: string, body: object | undefined, as: string): Promise<T> => {
    let answer = await ask(method, path, body, as);
    // One account that sends eight files at once is told to come again: its time counts.
    for (let again = 0; answer.status === 503 && again < 20; again += 1) {
      await sleep(100);
      answer = await ask(method, path, body, as);
    }
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  };
  const call = <T>(method: string, path: string, body?: object) => answered<T>(method, path, body, token);
  const email = 'ana@exemplo.com.br';
  await call('POST', 'api/register', { firstName: 'Ana', login: email, email, password: 'Segredo123' });
  token = (await call<{ id_token: string }>('POST', 'api/authenticate', { username: email, password: 'Segredo123' })).id_token;
  const account = await call<{ id: string; email: string }>('GET', 'api/account');
  const end = async (): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.kill('SIGTERM');
    await Promise.race([ended, sleep(20_000)]);
    server.kill('SIGKILL');
  };
  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: databaseUrl, application_name: MEASURING });
    await client.connect();
    return client;
  };
  // Planned once: five milliseconds a job, told of as the product's, went to plan what only measures.
  const looking = new pg.Pool({
    connectionString: databaseUrl,
    application_name: MEASURING,
    options: '-c plan_cache_mode=force_generic_plan',
    // What an ended one has cost is the server's.
    idleTimeoutMillis: 0,
  });
  // The server ends before whoever looks into it.
  looking.on('error', () => {});
  const looker = new Looker(looking);
  return {
    directory,
    url,
    pid: server.pid ?? 0,
    token: () => token,
    call,
    visit: (method, path, body) => answered(method, path, body, ''),
    account,
    async linkKey(signerId) {
      const of = `select key from signer_link where signer_id = $1 and channel = 'mailed'`;
      const { rows } = await looking.query<{ key: string }>(of, [signerId]);
      return rows[0]?.key ?? '';
    },
    until: (processId, what) => looker.until(processId, what),
    connect,
    environment,
    end,
    async [Symbol.asyncDispose]() {
      await end();
      outside.stop();
      await looking.end();
      await postgres?.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The value below which the given part of the samples lies. */
export function quantile(samples: readonly number[], part: number): number {
  return samples.toSorted((a, b) => a - b)[Math.min(samples.length - 1, Math.floor(samples.length * part))] ?? 0;
}
