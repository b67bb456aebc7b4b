import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { signedInAccount } from '../testing/accounts.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { finishedByItself, signElectronically, soon, startedProcess } from '../testing/processes.ts';
import { committedDuring } from '../testing/statements.ts';

/** The column that would say where a row lies: docs/operations.md, “Beyond one server”. */
const COLUMN = 'signature_process_id';

/** Rows of one process, which one shard would have; found by the foreign keys that lead to it, but for those that are told of people and contracts. */
const OF_OTHERS = new Set(['listed_process']);

interface Key {
  table: string;
  columns: string[];
}

interface Reference {
  from: string;
  to: string;
  columns: string[];
}

interface Schema {
  /** Tables whose rows are of one process. */
  ofProcess: Set<string>;
  tables: Set<string>;
  columns: Map<string, string[]>;
  keys: Key[];
  references: Reference[];
  triggers: Set<string>;
}

const named = (names: Iterable<string>): string[] => [...new Set(names)].toSorted();

async function readSchema({ ctx: { db } }: TestApp): Promise<Schema> {
  const columnsOf = sql`array(select attname::text from unnest(c.conkey) with ordinality k (num, n) join pg_attribute on attrelid = c.conrelid and attnum = k.num order by n)`;
  const references = await sql<Reference>`
    select c.conrelid::regclass::text as from, c.confrelid::regclass::text as to, ${columnsOf} as columns
    from pg_constraint c where contype = 'f' and connamespace = 'public'::regnamespace`.execute(db);
  const keys = await sql<Key>`
    select indrelid::regclass::text as table,
      array(select attname::text from unnest(indkey) num join pg_attribute on attrelid = indrelid and attnum = num) as columns
    from pg_index join pg_class on pg_class.oid = indrelid where indisunique and relnamespace = 'public'::regnamespace`.execute(db);
  const columns = await sql<{ table: string; columns: string[] }>`
    select table_name as table, array_agg(column_name::text) as columns from information_schema.columns where table_schema = 'public' group by 1`.execute(
    db,
  );
  const triggers = await sql<{ table: string }>`select tgrelid::regclass::text as table from pg_trigger where not tgisinternal`.execute(db);
  const ofProcess = new Set(['signature_process']);
  for (let before = 0; before < ofProcess.size;) {
    before = ofProcess.size;
    for (const { from, to } of references.rows) if (ofProcess.has(to) && !OF_OTHERS.has(from)) ofProcess.add(from);
  }
  return {
    ofProcess,
    tables: new Set(columns.rows.map(({ table }) => table)),
    columns: new Map(columns.rows.map((row) => [row.table, row.columns])),
    keys: keys.rows,
    references: references.rows,
    triggers: new Set(triggers.rows.map(({ table }) => table)),
  };
}

/** Of a statement: the tables that it writes, and all that it names. */
function tablesIn(text: string, { tables }: Schema): { written: Set<string>; all: Set<string> } {
  const of = (words: string) =>
    [...text.matchAll(new RegExp(`\\b(?:${words})\\s+"?(?:(pgboss)\\.)?"?([a-z_]+)"?`, 'gi'))].map(([, queue, name = '']) => queue ?? name);
  const known = (names: string[]) => new Set(names.filter((name) => tables.has(name) || name === 'pgboss'));
  // `on conflict … do update set` and `for no key update` name none.
  return {
    written: known(of('insert into|(?<!do |key |for )update|delete from')),
    all: known(of('from|join|into|(?<!do |key |for )update')),
  };
}

/** It says of which process, as a value and not by another table: as a condition, or in a row that it adds. */
const saysWhich = (text: string) =>
  /(?:\bsignature_process_id"?|\bsignature_process"?\."?id"?|\b(?:from|update) "?signature_process"?[^()]*\bwhere "?id"?)\s*=\s*\$/.test(
    text,
  ) || /\binsert into "?(?:signature_process"? \("id"|[a-z_]+"? \([^)]*\bsignature_process_id\b)/.test(text);

describe('a database of several servers, by the rules of Citus', () => {
  let app: TestApp;
  let schema: Schema;
  const statements: string[] = [];
  const page = readFileSync(new URL('../../../../docs/operations.md', import.meta.url), 'utf8');

  before(async () => {
    app = await startTestApp();
    schema = await readSchema(app);
    const ana = await signedInAccount(app);
    const listened = async (act: () => Promise<unknown>) =>
      void statements.push(...(await committedDuring(act, (text) => statements.push(text))).flat());
    await listened(async () => {
      const { id, signerIds } = await startedProcess(app, ana);
      await signElectronically(app, id, signerIds[0] ?? '');
    });
    // What jobs hand on is written otherwise where they run by themselves; what is done each minute, first of all, is no part of a job.
    await app.installation.queue.work(app.ctx);
    const swept = sql`select from pgboss.job where name = 'each-minute' and state = 'completed'`;
    await soon('what is done each minute', async () => (await swept.execute(app.ctx.db)).rows.length > 0);
    await listened(() => finishedByItself(app, ana));
  });
  after(() => app.close());

  /** The names in the row of the page that begins so. */
  function told(row: string): string[] {
    const line = page.split('\n').find((one) => one.startsWith(`| ${row} |`)) ?? assert.fail(`docs/operations.md has no row “${row}”`);
    return named([...(line.split('|')[2] ?? '').matchAll(/`([a-z_]+)`/g)].map(([, name = '']) => name));
  }

  it('names each table of a process that lacks the column', () => {
    const lacking = [...schema.ofProcess].filter((table) => table !== 'signature_process' && !schema.columns.get(table)?.includes(COLUMN));
    assert.deepEqual(told('without the column'), named(lacking));
  });

  it('names each table that has the column and a key without it', () => {
    const own = (table: string) => (table === 'signature_process' ? 'id' : COLUMN);
    const apart = schema.keys
      .filter(({ table, columns }) => schema.ofProcess.has(table) && !columns.includes(own(table)))
      .map(({ table }) => table);
    const lacking = new Set(told('without the column'));
    assert.deepEqual(told('unique keys without it'), named(apart.filter((table) => !lacking.has(table))));
  });

  it('names each table outside that a row of a process refers to', () => {
    const out = schema.references.filter(({ from, to }) => schema.ofProcess.has(from) && !schema.ofProcess.has(to));
    assert.deepEqual(told('referred to, of no process'), named(out.map(({ to }) => to)));
  });

  it('names each table of a process with triggers', () => {
    assert.deepEqual(told('with triggers'), named([...schema.triggers].filter((table) => schema.ofProcess.has(table))));
  });

  it('names what one statement of a job writes beside rows of a process', () => {
    const beside = statements.flatMap((text) => {
      const { written } = tablesIn(text, schema);
      const ours = [...written].filter((table) => schema.ofProcess.has(table));
      return ours.length > 0 ? [...written].filter((table) => !schema.ofProcess.has(table)) : [];
    });
    assert.deepEqual(told('written in one statement with them'), named(beside));
  });

  it('names each table of a process that a statement of a job finds by something else', () => {
    const found = statements.filter((text) => !saysWhich(text)).flatMap((text) => [...tablesIn(text, schema).all]);
    assert.deepEqual(told('found by something else'), named(found.filter((table) => schema.ofProcess.has(table))));
  });
});
