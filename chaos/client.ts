import { setTimeout as sleep } from 'node:timers/promises';
import type { Answers, FailedAnswer } from './ledger.ts';

export interface Answer<T> {
  status: number;
  code: string;
  body: T;
  headers: Headers;
}

/** Nobody answered in time: the connection broke, was refused, or stayed silent. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** Given up: the run is over and the product still does not do it. */
export class GivenUp extends Error {
  override readonly name = 'GivenUp';
}

export interface Request {
  method: 'GET' | 'POST';
  path: string;
  body?: object;
  headers?: Record<string, string>;
}

const ANSWER_MS = 45_000;
const PATIENCE_MS = 150_000;
/** Told to come back, or to try again: none of them is a loss. */
const LATER = new Set([409, 425, 429, 503]);

/** A client as a browser is one: it has an address of its own, several servers to ask, and patience. */
export class Client {
  readonly #bases: readonly string[];
  readonly #address: string;
  readonly #answers: Answers;
  token = '';
  /** Of the account that is signed in. */
  email = '';
  /** Signs in again when the token has ended. */
  renew: (() => Promise<void>) | null = null;

  constructor(bases: readonly string[], address: string, answers: Answers) {
    this.#bases = bases;
    this.#address = address;
    this.#answers = answers;
  }

  /** The bytes of a file; null when it was not handed over whole. */
  async bytes(path: string): Promise<Buffer | null> {
    const answer = fetch(`${this.#bases[0] ?? ''}/${path}`, {
      signal: AbortSignal.timeout(ANSWER_MS),
      headers: { 'x-forwarded-for': this.#address, authorization: `Bearer ${this.token}` },
    });
    return answer.then(
      async (reply) => (reply.ok ? Buffer.from(await reply.arrayBuffer()) : null),
      () => null,
    );
  }

  /** @throws NoAnswer */
  async ask<T>({ method, path, body, headers = {} }: Request): Promise<Answer<T>> {
    const base = this.#bases[Math.floor(Math.random() * this.#bases.length)] ?? '';
    const isForm = body instanceof FormData;
    this.#answers.requests += 1;
    const begun = performance.now();
    const failed = (more: Pick<FailedAnswer, 'status' | 'code' | 'saidWhen' | 'by'>) => {
      const what = `${method} ${path.replace(/[0-9a-f-]{36}/g, ':id').replace(/\?.*/, '')}`;
      this.#answers.failed.push({ what, begun, ended: performance.now(), ...more });
    };
    try {
      const reply = await fetch(`${base}/${path}`, {
        method,
        signal: AbortSignal.timeout(ANSWER_MS),
        headers: {
          'x-forwarded-for': this.#address,
          ...(body && !isForm ? { 'content-type': 'application/json' } : {}),
          ...(this.token ? { authorization: `Bearer ${this.token}` } : {}),
          ...headers,
        },
        ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      });
      const text = await reply.text();
      const isJson = /json/.test(reply.headers.get('content-type') ?? '');
      const code = reply.headers.get('x-app-error') ?? '';
      if (reply.status >= 500) {
        const by = reply.headers.get('x-served-by')?.split(', ').at(-1) ?? '';
        failed({ status: reply.status, code, saidWhen: reply.headers.has('retry-after'), by });
      }
      return { status: reply.status, code, body: (isJson && text !== '' ? JSON.parse(text) : text) as T, headers: reply.headers };
    } catch (error) {
      failed({ status: 0, code: (error as Error).message, saidWhen: false, by: '' });
      throw new NoAnswer(`${method} ${path}: ${(error as Error).message}`);
    }
  }

  /**
   * Asks until somebody says yes, as a person would who presses the button again. `done` are the codes that mean
   * that an earlier try, whose answer was lost, had acted.
   * @throws GivenUp after some minutes, or when the answer is a refusal
   */
  async insist<T>(request: Request, done: readonly string[] = []): Promise<Answer<T>> {
    const end = performance.now() + PATIENCE_MS;
    for (let last = ''; ;) {
      const answer = await this.ask<T>(request).catch((error: Error) => {
        last = error.message;
        return null;
      });
      if (answer?.status === 401 && this.renew) {
        await this.renew();
        continue;
      }
      if (answer && (answer.status < 400 || done.includes(answer.code))) return answer;
      if (answer && !LATER.has(answer.status) && answer.status < 500)
        throw new GivenUp(`${request.method} ${request.path} was refused: ${answer.status} ${answer.code} ${JSON.stringify(answer.body)}`);
      if (answer) last = `${answer.status} ${answer.code}`;
      if (performance.now() > end) throw new GivenUp(`${request.method} ${request.path}: still ${last}`);
      await sleep(200 + Math.random() * 400);
    }
  }
}
