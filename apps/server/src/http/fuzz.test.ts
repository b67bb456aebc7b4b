import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import type { InjectOptions } from 'fastify';
import { signedInAccount, type TestAccount } from '../testing/accounts.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { createDraft, startedProcess } from '../testing/processes.ts';

/**
 * A client's fault is never ours: whatever comes, no call answers 5xx. The short mode runs with the tests; a long one with
 * `LAVRA_FUZZ_REQUESTS=50000`, and a run that failed again with the seed it printed (`LAVRA_FUZZ_SEED`).
 */
const requests = Number(process.env['LAVRA_FUZZ_REQUESTS'] ?? 1500);
const seed = Number(process.env['LAVRA_FUZZ_SEED'] ?? randomInt(2 ** 31));

type Random = () => number;

/** Mulberry32: small, and the same everywhere. */
function randomFrom(start: number): Random {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const random = randomFrom(seed);
const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;

/** Ids that exist, so that not everything ends at "not found". */
const ids: string[] = [];
const half = String.fromCharCode(0xd800);
const texts = [
  '',
  ' ',
  'Bia Lima',
  'bia@exemplo.com.br',
  'ação',
  'a\u0000b',
  `a${half}b`,
  '\u202e\u200b\ufeff',
  '\r\nX-Evil: 1',
  "'; drop table app_user; --",
  '{{name}}',
  '../../etc/passwd',
  '%00',
  '%',
  '💥'.repeat(40),
  'x'.repeat(5_000),
  'é'.repeat(70_000),
  '529.982.247-25',
  '2026-12-01T12:00:00.000Z',
  '+275760-09-13T00:00:00.001Z',
  '9999-99-99',
  '1e400',
  '-1',
  '99999999999999999999',
  'null',
  'ELETRONIC_SIGNATURE',
  'createdDate',
  '00000000-0000-4000-8000-000000000000',
  '__proto__',
  'constructor',
];
const numbers = [0, -1, 1, 0.5, 2 ** 31, -(2 ** 31) - 1, 2 ** 53, 1e308, -1e308, 1e-320, 65_536, 100];
const anything = (): unknown =>
  pick<() => unknown>([
    () => text(),
    () => pick(numbers),
    () => null,
    () => true,
    () => [],
    () => ({}),
    () => [[[[[text()]]]]],
    () => ({ id: text(), __proto__x: { a: 1 } }),
    () => Array.from({ length: 300 }, () => text().slice(0, 50)),
  ])();
const text = (): string => (random() < 0.4 && ids.length > 0 ? pick(ids) : pick(texts));

interface SchemaDef {
  type: string;
  shape?: Record<string, Schema>;
  element?: Schema;
  innerType?: Schema;
  options?: readonly Schema[];
  values?: readonly unknown[];
  entries?: Record<string, unknown>;
}
interface Schema {
  _zod: { def: SchemaDef };
}

/** A value of about the schema's shape: the closer, the deeper it gets. */
function about(schema: Schema | undefined): unknown {
  if (!schema || random() < 0.04) return anything();
  const { type, shape, element, innerType, options, values, entries } = schema._zod.def;
  if (type === 'object' && shape) {
    const present = Object.entries(shape).filter(() => random() > 0.03);
    return Object.fromEntries(present.map(([key, inner]) => [key, about(inner)]));
  }
  if (type === 'array') return Array.from({ length: pick([0, 1, 1, 2, 3, 400]) }, () => about(element));
  if ((type === 'nullable' || type === 'optional' || type === 'default') && innerType)
    return random() < 0.3 ? (type === 'nullable' ? null : undefined) : about(innerType);
  if (type === 'union' && options) return about(pick(options));
  if (type === 'literal' && values) return pick(values);
  if (type === 'enum' && entries) return pick(Object.values(entries));
  if (type === 'number') return pick(numbers);
  if (type === 'boolean') return random() < 0.5;
  if (type === 'string') return text();
  return anything();
}

const isCall = (value: unknown): value is api.Call =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value;
const calls = Object.values(api as Record<string, unknown>).filter(isCall);

const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
/** In an address there are no halves of a character. */
const inAddress = (value: unknown): string => encodeURIComponent(asText(value).toWellFormed()).slice(0, 6_000);

function bodyOf(call: api.Call): Pick<InjectOptions, 'payload' | 'headers'> {
  const json = JSON.stringify(about(call.body as Schema | undefined)) ?? '';
  const type = pick([
    'application/json',
    'application/json',
    'application/json',
    'application/json',
    'application/json; charset=utf-16',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'multipart/form-data; boundary=b',
    'nonsense',
    '',
  ]);
  const payload = type.startsWith('multipart') ? multipart() : random() < 0.05 ? json.slice(0, Math.floor(json.length / 2)) : json;
  return { payload, headers: type === '' ? {} : { 'content-type': type } };
}

function multipart(): string {
  const disposition = `content-disposition: form-data; name="${pick(['files', '__proto__', ''])}"; filename="${pick(texts).slice(0, 200)}"`;
  const part = `--b\r\n${disposition}\r\ncontent-type: application/pdf\r\n\r\n%PDF-1.7\n${pick(texts)}\r\n`;
  const whole = `${part.repeat(pick([1, 1, 2, 70]))}--b--\r\n`;
  return random() < 0.7 ? whole.slice(0, Math.floor(random() * whole.length)) : whole;
}

function requestFor(call: api.Call, tokens: readonly (string | null)[]): InjectOptions {
  const params = about(call.params as Schema | undefined) as Record<string, unknown> | null;
  const path = call.path.replace(/:(\w+)/g, (_, name: string) => inAddress(params?.[name] ?? text()));
  const query = about(call.query as Schema | undefined);
  const search =
    query !== null && typeof query === 'object' && !Array.isArray(query)
      ? Object.entries(query)
          .filter(([, value]) => value !== undefined)
          .map(([key, value]) => `${inAddress(key)}=${inAddress(value)}`)
          .join('&')
      : inAddress(query);
  const token = pick(tokens);
  const sends = call.method !== 'GET' && (call.body !== undefined || random() < 0.5);
  const { payload, headers } = sends ? bodyOf(call) : {};
  return {
    method: call.method,
    url: `/${path}${search === '' ? '' : `?${search}`}`,
    // Limits by address are tried elsewhere.
    remoteAddress: `203.0.${Math.floor(random() * 256)}.${Math.floor(random() * 256)}`,
    headers: {
      ...headers,
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(random() < 0.1 ? { 'idempotency-key': pick(['k', 'é'.repeat(100), 'x'.repeat(4_000)]).replaceAll('é', '%C3') } : {}),
      ...(random() < 0.1 ? { range: pick(['bytes=0-', 'bytes=-1', 'bytes=9-1', 'bytes=0-99999999999999999999', 'x']) } : {}),
      ...(random() < 0.1 ? { 'accept-language': pick(['en', 'x'.repeat(3_000), ',,,;q=2']) } : {}),
    },
    ...(payload === undefined || payload === '' ? {} : { payload }),
  };
}

describe('whatever a client sends', () => {
  let app: TestApp;
  let ana: TestAccount;
  before(async () => {
    app = await startTestApp();
    ana = await signedInAccount(app, { firstName: 'Ana' });
    for (const made of [await createDraft(app, ana), await startedProcess(app, ana)])
      ids.push(made.id, ...made.signerIds, ...made.documentIds);
  });
  after(() => app.close());

  it(`is answered and is never a fault of ours (seed ${seed}, ${requests} requests)`, async () => {
    const eva = await signedInAccount(app);
    const tokens = [null, ana.token, ana.token, eva.token, 'not.a.token'];
    assert.ok(calls.length > 40, `${calls.length} calls`);
    const reached = new Map<number, number>();
    for (let sent = 0; sent < requests; sent += 1) {
      const call = calls[sent % calls.length] as api.Call;
      const request = requestFor(call, tokens);
      const answer = await app.inject(request);
      const told = `seed ${seed}, request ${sent}: ${call.method} ${call.path} ${JSON.stringify(request).slice(0, 2_000)}\n${answer.body}`;
      assert.ok(answer.statusCode < 500, `${answer.statusCode} ${told}`);
      reached.set(answer.statusCode, (reached.get(answer.statusCode) ?? 0) + 1);
    }
    // Not all of it ends at the door.
    for (const status of [200, 204, 400, 401, 404]) assert.ok(reached.has(status), `${status} among ${JSON.stringify([...reached])}`);
  });
});
