import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as api from '@lavra/api';
import { signedInAccount } from '../testing/accounts.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { callExamples, type Example, nobody, type Rows } from '../testing/call-examples.ts';
import { createDraft } from '../testing/processes.ts';
import { everyCall } from './openapi/every-call.ts';

type Fields = Readonly<Record<string, unknown>>;
interface Told {
  status: number;
  code: string | undefined;
  fields: readonly string[];
}

/** Ids that nobody has: whether a request is well made is told before whether its rows are there. */
const rows = new Proxy({}, { get: (_, name) => (name === 'documentHash' ? 'cd'.repeat(32) : nobody) }) as unknown as Rows;
/** An empty name would be none; what is sent here is never of the type that a field has. */
const wrongOf = (value: unknown): unknown => (typeof value === 'string' || value === null ? { wrong: true } : 'wrong');
const parts = ['params', 'query', 'body'] as const;

describe('what does not fit a call', () => {
  let app: TestApp;
  let token: string;
  let requests = 0;
  before(async () => {
    app = await startTestApp();
    // The first account administers the installation: it is let in everywhere.
    const admin = await signedInAccount(app);
    await createDraft(app, admin, {
      signers: [{ name: 'Bia Lima', email: 'bia@exemplo.com.br' }],
      stakeholders: [{ name: 'Davi', email: 'davi@exemplo.com.br' }],
    });
    token = admin.token;
  });
  after(() => app.close());

  const nameOf = (call: api.Call) => [...everyCall].find(([, one]) => one === call)?.[0] ?? '';
  const examples = callExamples.map((example) => [nameOf(example.call), example] as const);
  const askedBy = ({ asked }: Example) => asked(rows, (right) => right) as Partial<Record<(typeof parts)[number], Fields | string>>;

  /** Each request from an address of its own. */
  async function ask(call: api.Call, input: Partial<Record<(typeof parts)[number], unknown>>): Promise<Told> {
    requests += 1;
    const params = (input.params ?? {}) as Fields;
    const path = call.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(textOf(params[name])));
    const query = Object.entries((input.query ?? {}) as Fields).map(([name, value]) => `${name}=${encodeURIComponent(textOf(value))}`);
    const answer = await app.inject({
      method: call.method,
      url: `/${path}${query.length > 0 ? `?${query.join('&')}` : ''}`,
      remoteAddress: `198.19.${requests >> 8}.${requests & 255}`,
      headers: { authorization: `Bearer ${token}`, ...(input.body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(input.body === undefined ? {} : { payload: JSON.stringify(input.body) }),
    });
    const problem = answer.statusCode < 400 ? {} : answer.json<{ fieldErrors?: { field: string }[] }>();
    const code = answer.headers['x-app-error'];
    return { status: answer.statusCode, code: code?.toString(), fields: (problem.fieldErrors ?? []).map(({ field }) => field) };
  }
  const textOf = (value: unknown) => (typeof value === 'string' ? value : String(JSON.stringify(value)));

  it('by its type is refused with 400 and the field’s name: every field of every body', async () => {
    const faults: string[] = [];
    let tried = 0;
    for (const [name, example] of examples) {
      const asked = askedBy(example);
      if (typeof asked.body !== 'object') continue;
      for (const [field, value] of Object.entries(asked.body)) {
        const body = { ...asked.body, [field]: wrongOf(value) };
        // What the wire takes there in any shape is judged by nobody.
        if (value === undefined || example.call.body?.safeParse(body).success) continue;
        const told = await ask(example.call, { ...asked, body });
        tried += 1;
        const isNamed = told.fields.some((one) => one === field || one.startsWith(`${field}.`));
        if (told.status !== 400 || told.code !== 'request.invalid' || !isNamed) faults.push(`${name} ${field}: ${JSON.stringify(told)}`);
      }
      const [missing] = Object.keys(asked.body);
      const told = await ask(example.call, { ...asked, body: [missing] });
      if (told.status !== 400) faults.push(`${name} with a list for a body: ${JSON.stringify(told)}`);
    }
    assert.deepEqual(faults, []);
    assert.ok(tried > 100, `${tried} fields`);
  });

  it('by its length is refused and never a fault of ours: every text of every call', async () => {
    const faults: string[] = [];
    const long = 'é'.repeat(5000);
    for (const [name, example] of examples) {
      const asked = askedBy(example);
      for (const part of parts) {
        const given = asked[part];
        if (typeof given !== 'object') continue;
        for (const [field, value] of Object.entries(given)) {
          if (typeof value !== 'string') continue;
          const told = await ask(example.call, { ...asked, [part]: { ...given, [field]: part === 'body' ? long : long.slice(0, 1000) } });
          if (told.status < 400 || told.status >= 500) faults.push(`${name} ${part}.${field}: ${told.status} ${told.code ?? ''}`);
        }
      }
    }
    assert.deepEqual(faults, []);
  });

  it('of a list is refused with the field’s name: a page before the first, a size of none or too much, an unknown order', async () => {
    const faults: string[] = [];
    const lists = [...everyCall].filter(([, { query }]) => query && 'page' in ((query as unknown as { shape?: Fields }).shape ?? {}));
    assert.ok(lists.length > 20, `${lists.length} lists`);
    for (const [name, call] of lists) {
      const { shape = {} } = call.query as unknown as { shape?: Fields };
      const wrong = [
        ['page', '-1'],
        ['page', '1.5'],
        ['page', 'primeira'],
        ['size', '0'],
        ['size', '-5'],
        ['size', '100000'],
        ...('sort' in shape
          ? [
              ['sort', 'nada,asc'],
              ['sort', `${'x'.repeat(300)},asc`],
              ['sort', 'id,torto'],
              ['sort', '__proto__,asc'],
            ]
          : []),
        ...('sortBy' in shape ? [['sortBy', 'nada']] : []),
        ...('query' in shape ? [['query', 'x'.repeat(1000)]] : []),
        ...('searchText' in shape ? [['searchText', 'x'.repeat(1000)]] : []),
      ] as const;
      for (const [field = '', value] of wrong) {
        const told = await ask(call, { params: { id: nobody }, query: { [field]: value } });
        if (told.status !== 400 || !told.fields.includes(field))
          faults.push(`${name} ${field}=${String(value).slice(0, 20)}: ${JSON.stringify(told)}`);
      }
    }
    assert.deepEqual(faults, []);
  });

  it('by a version that is over is refused with 409 and nothing is overwritten: every entity', async () => {
    const entities = Object.entries(api as Record<string, unknown>).filter(
      (entry): entry is [string, api.Entity] => typeof entry[1] === 'object' && entry[1] !== null && 'sorts' in entry[1],
    );
    const made: Readonly<Record<string, object>> = {
      signatureModels: callExamples.find(({ call }) => call === api.signatureModels.create)?.asked(rows, () => undefined).body as object,
      companies: { name: 'Empresa' },
      contracts: { validity: '2027-01-01T12:00:00.000Z' },
    };
    await nameSignature();
    const faults: string[] = [];
    for (const [name, entity] of entities) {
      if (made[name]) assert.ok((await ask(entity.create, { body: made[name] })).status < 300, `no ${name}`);
      const list = await app.inject({ url: `/${entity.list.path}`, headers: { authorization: `Bearer ${token}` } });
      const item = list.json<{ id: string | number; version: number }[]>().find((one) => !isTaken(one)) ?? assert.fail(`none of ${name}`);
      const told = await ask(entity.update, { params: { id: item.id }, body: { ...item, version: item.version - 1 } });
      if (told.status !== 409 || told.code !== 'record.changed') faults.push(`${name}: ${JSON.stringify(told)}`);
      const again = await app.inject({ url: `/${entity.list.path}`, headers: { authorization: `Bearer ${token}` } });
      assert.equal(again.payload, list.payload, name);
    }
    assert.deepEqual(faults, []);
    assert.ok(entities.length >= 11, entities.map(([name]) => name).join());
  });

  /** A document that a process has taken. */
  const isTaken = (one: object) => 'hash' in one && (one as { signatureProcess?: unknown }).signatureProcess !== null;

  /** A signature that the draft names, and a document that is nobody's yet. */
  async function nameSignature(): Promise<void> {
    const { body: signers } = await app.call(api.signers.list, { token, query: {} });
    const { body: documents } = await app.call(api.documents.list, { token, query: {} });
    const document = documents.items.find(isTaken);
    const body = { signer: { id: String(signers.items[0]?.id) }, document: { id: String(document?.id) } };
    assert.equal((await app.call(api.signatures.create, { token, body })).status, 201);
    const hash = document?.hash ?? '';
    assert.equal((await app.call(api.documents.create, { token, body: { name: 'outro.pdf', hash } })).status, 201);
  }
});
