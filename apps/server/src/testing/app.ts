import type { Body, Call, Params, Query, Reply } from '@lavra/api';
import { type MailCatcher, startMailCatcher } from '@lavra/make-believe';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { compose, type CompositionOptions, type Installation } from '../compose.ts';
import { type Config, readConfig } from '../config.ts';
import { mailedKeys } from '../access/signer-links.store.ts';
import type { Ctx, TimestampAuthority } from '../context.ts';
import type { ConnectionOptions } from '../db/client.ts';
import { frozenClock, type TestClock } from './clock.ts';
import { refreshing } from './browsers.ts';
import { createTestDatabase } from './database.ts';
import { sharedWorkers } from './shared-workers.ts';

export interface TestAppOptions {
  clock?: TestClock;
  config?: Partial<Config>;
  timestamps?: TimestampAuthority | null;
  icpBrasilTimestamps?: CompositionOptions['icpBrasilTimestamps'];
  /** A make-believe ICP-Brasil and its providers; see `certificates.ts`. */
  certificates?: Pick<CompositionOptions, 'icpBrasil' | 'pscs'> & { allowedPrivateHosts: Config['allowedPrivateHosts'] };
  /** True where a test wants crons and wake-ups; otherwise jobs run by `runJobs` alone. */
  background?: boolean;
  /** How long and to how many changes are told; otherwise an answer ends at once: whoever injects a request waits for all of it. */
  changes?: CompositionOptions['changes'];
  /** Where a test reads the log; otherwise nobody does. */
  log?: Logger;
  /** A database that the test brings, and drops; otherwise one of its own. */
  connection?: ConnectionOptions;
}

/** What a call needs; parts that the call does not have are left out. */
export interface CallInput<C extends Call> {
  params?: Params<C>;
  query?: Query<C>;
  body?: Body<C>;
  /** Bearer token, from `signIn`. */
  token?: string | undefined;
  headers?: Record<string, string>;
  ip?: string;
}

export interface CallAnswer<C extends Call> {
  status: number;
  headers: LightMyRequestResponse['headers'];
  /** Typed for the successful case; a problem's code is in `code`. */
  body: Reply<C>;
  /** X-app-error, or undefined. */
  code: string | undefined;
  raw: LightMyRequestResponse;
}

export interface TestApp {
  ctx: Ctx;
  clock: TestClock;
  installation: Installation;
  dataDir: string;
  connection: ConnectionOptions;
  /** A real SMTP server; what it accepted. */
  mailbox: MailCatcher['mailbox'];
  /** Makes a call of the wire, with its types, through HTTP injection. */
  call<C extends Call>(call: C, input?: CallInput<C>): Promise<CallAnswer<C>>;
  /** A request as it comes; a string is the address of a GET. */
  inject(options: InjectOptions | string): Promise<LightMyRequestResponse>;
  /** Runs every job that is due, and those that they send, until none is left. */
  runJobs(): Promise<void>;
  close(): Promise<void>;
}

/** Of every test app. */
export const testPublicUrl = 'http://lavra.test';

/** The whole server on a database of its own, a real SMTP server, a directory of its own and a frozen clock. */
export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'lavra-test-'));
  const given = options.connection && { connection: options.connection, drop: async () => {} };
  const [database, catcher] = await Promise.all([given ?? createTestDatabase(), startMailCatcher({ directory: join(dataDir, 'mail') })]);
  const clock = options.clock ?? frozenClock();
  const environment = {
    LAVRA_DATA_DIR: dataDir,
    LAVRA_LOG_LEVEL: process.env['LAVRA_LOG_LEVEL'] ?? 'silent',
    LAVRA_SECRET: 'a secret that only the tests of this product know',
  };
  const { allowedPrivateHosts, ...certificates } = options.certificates ?? { allowedPrivateHosts: [] };
  const installation = await compose({
    ...certificates,
    config: { ...readConfig(environment), allowedPrivateHosts, smtpUrl: catcher.smtpUrl, webDir: join(dataDir, 'web'), ...options.config },
    connection: database.connection,
    publicUrl: testPublicUrl,
    clock,
    timestamps: options.timestamps ?? null,
    icpBrasilTimestamps: options.icpBrasilTimestamps ?? null,
    mailboxUrl: null,
    background: options.background ?? false,
    changes: options.changes ?? { heartbeatMs: 20, lifeMs: 0 },
    workers: sharedWorkers(),
    ...(options.log ? { log: options.log } : {}),
  });
  const browse = refreshing((request) => installation.app.inject(request));
  const inject = (request: InjectOptions | string) => browse(typeof request === 'string' ? { url: request } : request);
  return {
    ctx: installation.ctx,
    clock,
    installation,
    dataDir,
    connection: database.connection,
    mailbox: catcher.mailbox,
    inject,
    call: async (call, input = {}) =>
      makeCall(inject, call, await withMailedKey(async (id) => (await mailedKeys(installation.ctx, [id])).get(id), call, input)),
    runJobs: () => installation.queue.drain(installation.ctx),
    async close() {
      await installation.close();
      await catcher.close();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Tests name a signer by their id: the link that was mailed to them takes its place. What is no signer's id stands as it is. */
export async function withMailedKey<C extends Call>(
  keyOf: (signerId: string) => Promise<string | undefined>,
  { access }: C,
  input: CallInput<C>,
): Promise<CallInput<C>> {
  if (typeof access !== 'object' || !('link' in access)) return input;
  const [place, field] = access.link.split('.') as ['params' | 'query' | 'body', string];
  const sent = (input as Record<string, Record<string, unknown> | undefined>)[place];
  const id = sent?.[field];
  if (typeof id !== 'string' || !/^[0-9a-f-]{36}$/.test(id)) return input;
  const key = await keyOf(id);
  return key === undefined ? input : { ...input, [place]: { ...sent, [field]: key } };
}

/** A call of the wire through `inject`, with its types. */
export async function makeCall<C extends Call>(inject: TestApp['inject'], call: C, input: CallInput<C>): Promise<CallAnswer<C>> {
  const params = (input.params ?? {}) as Record<string, string>;
  const path = call.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const raw = await inject({
    method: call.method,
    url: `/${path}`,
    query: Object.fromEntries(
      Object.entries(input.query ?? {})
        .filter(([, value]) => value !== undefined)
        .map(([key, value]) => [key, String(value)]),
    ),
    headers: {
      ...(input.token ? { authorization: `Bearer ${input.token}` } : {}),
      ...(typeof input.body === 'string' ? { 'content-type': 'text/plain' } : {}),
      ...input.headers,
    },
    ...(input.body === undefined ? {} : { payload: input.body as string | object }),
    ...(input.ip ? { remoteAddress: input.ip } : {}),
  });
  const isJson = String(raw.headers['content-type'] ?? '').includes('json');
  const code = raw.headers['x-app-error'];
  return {
    status: raw.statusCode,
    headers: raw.headers,
    body: bodyOf(call, raw, isJson) as Reply<C>,
    code: code === undefined ? undefined : String(code),
    raw,
  };
}

function bodyOf(call: Call, raw: LightMyRequestResponse, isJson: boolean): unknown {
  if (!isJson) return raw.body;
  const isList = call.kind === 'list' && raw.statusCode < 300;
  if (!isList) return raw.json<unknown>();
  const isTotalExact = raw.headers['x-total-exact'] !== 'false';
  return { items: raw.json<unknown>(), total: Number(raw.headers['x-total-count']), ...(isTotalExact ? {} : { isTotalExact }) };
}
