import { spawn } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { localSignerSession } from '@lavra/api';
import type { LocalSignerSession } from '@lavra/api';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly json: { readonly code?: string; readonly session?: string; readonly signature?: string };
}

/** The program as a person starts it, and a page of `origin` that calls it. */
export interface Program {
  readonly port: number;
  readonly config: string;
  call(origin: string | null, method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Address of the window that opened last; waits for the next one. */
  nextWindow(): Promise<string>;
  state(origin: string, session: string): Promise<LocalSignerSession>;
  /** Asks again until the state is another one than `waiting`. */
  settled(origin: string, session: string): Promise<LocalSignerSession>;
  /** Windows opened so far. */
  readonly windows: () => number;
  [Symbol.asyncDispose](): Promise<void>;
}

const mainFile = fileURLToPath(new URL('../main.ts', import.meta.url));

/** `file`: the program's main file, its source unless another one is named. `uid`: whose program it is, ours else. */
export async function startProgram(
  args: readonly string[] = [],
  environment: Record<string, string> = {},
  file: string = mainFile,
  uid?: number,
): Promise<Program> {
  const config = mkdtempSync(join(tmpdir(), 'lavra-signer-'));
  if (uid !== undefined) chownSync(config, uid, uid);
  const child = spawn(
    process.execPath,
    [file, '--json', '--open', 'none', '--config', config, '--port', '0', '--no-known-modules', ...args],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...environment }, ...(uid === undefined ? {} : { uid, gid: uid }) },
  );
  const events: { event: string; url?: string; port?: number }[] = [];
  const waiting: (() => void)[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    events.push(JSON.parse(line) as (typeof events)[number]);
    for (const wake of waiting.splice(0)) wake();
  });
  let taken = 0;
  const next = async (name: string) => {
    for (;;) {
      const found = events.slice(taken).findIndex(({ event }) => event === name);
      if (found >= 0) {
        taken += found + 1;
        return events[taken - 1];
      }
      await new Promise<void>((resolve, reject) => {
        waiting.push(resolve);
        child.once('exit', () => reject(new Error('the program ended')));
      });
    }
  };
  const port = (await next('listening'))?.port ?? 0;
  const call: Program['call'] = async (origin, method, path, body, headers = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: {
        ...(origin === null ? {} : { origin }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, json: text === '' ? {} : (JSON.parse(text) as Answer['json']) };
  };
  const state = async (origin: string, session: string) =>
    localSignerSession.parse((await call(origin, 'GET', `/v2/sessions/${session}`)).json);
  return {
    port,
    config,
    call,
    nextWindow: async () => (await next('window'))?.url ?? '',
    windows: () => events.filter(({ event }) => event === 'window').length,
    state,
    async settled(origin, session) {
      for (let looks = 0; looks < 1200; looks++) {
        const now = await state(origin, session);
        if (now.state !== 'waiting') return now;
        await pause(50);
      }
      throw new Error('still waiting');
    },
    async [Symbol.asyncDispose]() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill();
      if (child.exitCode === null) await ended;
      rmSync(config, { recursive: true, force: true });
    },
  };
}
