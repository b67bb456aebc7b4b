import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import pg from 'pg';
import { MAJOR } from '../db/cluster-place.ts';
import { makeCall, type TestApp, withMailedKey } from './app.ts';

const main = new URL('../main.ts', import.meta.url).pathname;

/** The real program in a process of its own. */
export interface Program {
  url: string;
  /** Everything that it has printed so far. Its log is written beside what it says to people, and may come a moment later. */
  readonly said: string;
  /** Until it was ready. */
  seconds: number;
  child: ChildProcess;
}

/** @throws Error with what it said when it ends instead of starting */
export async function startProgram(environment: Record<string, string>): Promise<Program> {
  const begin = performance.now();
  const child = spawn(process.execPath, [main], {
    env: { ...process.env, PORT: '0', LAVRA_LOG_LEVEL: 'silent', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const url = await new Promise<string | undefined>((resolve) => {
    const hear = (chunk: Buffer): void => {
      said += chunk.toString();
      const address = /Lavra: (http:\S+)[^]*\n\n/.exec(said)?.[1];
      if (address) resolve(address);
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.once('close', () => resolve(undefined));
  });
  if (url === undefined) throw new Error(`it did not start: ${said}`);
  return {
    url,
    get said() {
      return said;
    },
    child,
    seconds: (performance.now() - begin) / 1000,
  };
}

/** A start that is meant to end by itself: its exit code and what it wrote to standard error, line by line. */
export async function startRefused(
  environment: Record<string, string>,
  as: SpawnOptions = {},
): Promise<{ code: number | null; lines: string[] }> {
  const child = spawn(process.execPath, [main], {
    ...as,
    env: { ...process.env, PORT: '0', LAVRA_LOG_LEVEL: 'silent', ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  // A start that succeeds instead must not keep the test.
  const tooLong = setTimeout(() => child.kill('SIGKILL'), 60_000);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(tooLong);
  return { code, lines: said.split('\n').filter((line) => line !== '') };
}

/** Answers its exit code; null when the signal killed it. */
export async function stopProgram({ child }: Program, signal: NodeJS.Signals): Promise<number | null> {
  const ended = once(child, 'exit');
  child.kill(signal);
  return ((await ended) as [number | null])[0];
}

/** The test app's way of calling, to a program that listens. */
export function overHttp(url: string, dataDir: string | null = null): Pick<TestApp, 'call' | 'inject'> {
  const inject = async (options: InjectOptions | string) => {
    const request = typeof options === 'string' ? { url: options } : options;
    const { method = 'GET', headers = {}, query = {}, payload } = request;
    const address = new URL(String(request.url), url);
    for (const [name, value] of Object.entries(query as Record<string, string>)) address.searchParams.set(name, value);
    const isJson = payload !== undefined && typeof payload === 'object' && !(payload instanceof Buffer);
    const answer = await fetch(address, {
      method,
      headers: { ...(isJson ? { 'content-type': 'application/json' } : {}), ...(headers as Record<string, string>) },
      ...(payload === undefined ? {} : { body: isJson ? JSON.stringify(payload) : (payload as Buffer<ArrayBuffer> | string) }),
    });
    const rawPayload = Buffer.from(await answer.arrayBuffer());
    const body = rawPayload.toString();
    const json = () => JSON.parse(body) as unknown;
    // What the helpers read of it.
    const raw = { statusCode: answer.status, headers: Object.fromEntries(answer.headers), body, rawPayload, json };
    return raw as unknown as LightMyRequestResponse;
  };
  const keyOf = (signerId: string) => (dataDir === null ? Promise.resolve(undefined) : mailedKeyIn(dataDir, signerId));
  return { inject, call: async (call, input = {}) => makeCall(inject, call, await withMailedKey(keyOf, call, input)) };
}

/** What was mailed to a signer, as the program's embedded database has it. */
async function mailedKeyIn(dataDir: string, signerId: string): Promise<string | undefined> {
  const host = readFileSync(join(dataDir, `${MAJOR}/postmaster.pid`), 'utf8').split('\n')[4];
  const client = new pg.Client({ host, user: 'lavra', database: 'lavra' });
  await client.connect();
  try {
    const of = `select key from signer_link where signer_id = $1 and channel = 'mailed' and ended_at is null`;
    return (await client.query<{ key: string }>(of, [signerId])).rows[0]?.key;
  } finally {
    await client.end();
  }
}
