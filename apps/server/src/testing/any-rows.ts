import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Random } from './year/random.ts';

/** A table as PostgreSQL's catalogue tells it, and what its rows may hold. */
export interface TableShape {
  name: string;
  columns: readonly ColumnShape[];
  /** Columns of the primary key; none: the table has no key. */
  key: readonly string[];
  references: readonly { columns: readonly string[]; table: string; to: readonly string[] }[];
}

interface ColumnShape {
  name: string;
  type: string;
  isNullable: boolean;
  hasDefault: boolean;
  /** What its checks name: the values that it may have are among them. */
  named: readonly string[];
}

/** One try of many fits a check; so many at least for each row. */
const TRIES = 400;
/** Violations of what a row alone, or with others, must be: another one is tried. */
const UNFIT = new Set(['23505', '23514', '23502', '23P01', '22001']);

/** Every table of the product, those first that others refer to. */
export async function tableShapes(client: pg.Client): Promise<TableShape[]> {
  const { rows } = await client.query<TableShape>(`
    select c.relname as name,
      (select jsonb_agg(jsonb_build_object('name', attname, 'type', format_type(atttypid, null), 'isNullable', not attnotnull,
          'hasDefault', atthasdef or attidentity <> '', 'named', array(
            select distinct word[1] from pg_constraint, regexp_matches(pg_get_constraintdef(oid), '''([^''^]+)''::text', 'g') as word
            where conrelid = c.oid and contype = 'c' and attnum = any(conkey))) order by attnum)
        from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '' and attidentity <> 'a') as columns,
      coalesce((select array_agg(attname::text order by attnum) from pg_index join pg_attribute on attrelid = indrelid and attnum = any(indkey)
        where indrelid = c.oid and indisprimary), '{}') as key,
      coalesce((select jsonb_agg(jsonb_build_object('table', confrelid::regclass::text,
          'columns', (select jsonb_agg(attname order by array_position(conkey, attnum)) from pg_attribute where attrelid = conrelid and attnum = any(conkey)),
          'to', (select jsonb_agg(attname order by array_position(confkey, attnum)) from pg_attribute where attrelid = confrelid and attnum = any(confkey))))
        from pg_constraint where conrelid = c.oid and contype = 'f'), '[]') as references
    from pg_class c where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like 'kysely\\_%' order by relname`);
  const sorted: TableShape[] = [];
  const isReady = ({ name, references }: TableShape) =>
    references.every(({ table }) => table === name || sorted.some((one) => one.name === table));
  for (let waiting = rows; waiting.length > 0;) {
    const ready = waiting.filter(isReady);
    if (ready.length === 0) throw new Error(`tables that refer to each other: ${waiting.map(({ name }) => name).join(', ')}`);
    sorted.push(...ready);
    waiting = waiting.filter((one) => !ready.includes(one));
  }
  return sorted;
}

/** Writes rows that a program which knows these tables could write: whatever its columns, keys and checks allow. What it left empty is left out of `shapes`. */
export async function writeAnyRows(client: pg.Client, shapes: readonly TableShape[], random: Random, count: number): Promise<void> {
  for (const shape of shapes) for (let row = 0; row < count; row += 1) await writeAnyRow(client, shape, random);
}

async function writeAnyRow(client: pg.Client, shape: TableShape, random: Random): Promise<void> {
  let last: unknown;
  for (let tried = 0; tried < TRIES; tried += 1) {
    const row = await anyRow(client, shape, random);
    const names = Object.keys(row);
    const places = names.map((_, index) => `$${index + 1}`);
    try {
      await client.query(
        `insert into "${shape.name}" (${names.map((name) => `"${name}"`).join()}) values (${places.join()})`,
        Object.values(row),
      );
      return;
    } catch (error) {
      if (!UNFIT.has((error as { code?: string }).code ?? '')) throw error;
      last = error;
    }
    // Tables of one row, and those whose rows triggers write, have theirs.
    if (tried % 20 === 19 && (last as { code?: string }).code === '23505' && (await hasRows(client, shape))) return;
  }
  throw new Error(`no row fits ${shape.name}`, { cause: last });
}

async function hasRows(client: pg.Client, { name }: TableShape): Promise<boolean> {
  return (await client.query(`select from "${name}" limit 1`)).rowCount === 1;
}

async function anyRow(client: pg.Client, shape: TableShape, random: Random): Promise<Record<string, unknown>> {
  const row: Record<string, unknown> = {};
  for (const { columns, table, to } of shape.references) {
    const optional = columns.some((column) => shape.columns.find(({ name }) => name === column)?.isNullable);
    if (optional && random.chance(0.4)) continue;
    const { rows } = await client.query<Record<string, unknown>>(
      `select ${to.map((name) => `"${name}"`).join()} from "${table}" order by md5(t::text || $1) limit 1`.replace(
        `"${table}"`,
        `"${table}" t`,
      ),
      [String(random.between(0, 999999))],
    );
    for (const [index, column] of columns.entries()) row[column] = rows[0]?.[to[index] ?? ''] ?? null;
  }
  for (const { name, type, isNullable, hasDefault, named } of shape.columns) {
    if (name in row || (hasDefault && random.chance(0.5)) || (isNullable && random.chance(0.4))) continue;
    if (shape.references.some(({ columns }) => columns.includes(name))) continue;
    row[name] = anyValue(type, named, random);
  }
  return row;
}

/** Shapes that checks ask for by a pattern: CPF, hash, colour, CNPJ. */
const SHAPED = [
  () => '52998224725',
  (random: Random) => Array.from({ length: 64 }, () => random.pick([...'0123456789abcdef'])).join(''),
  () => '#1a2b3c',
  () => '11222333000181',
];

function anyValue(type: string, named: readonly string[], random: Random): unknown {
  if (type.endsWith('[]')) return Array.from({ length: random.between(0, 2) }, () => anyValue(type.slice(0, -2), named, random));
  switch (type) {
    case 'uuid':
      return randomUUID();
    case 'boolean':
      return random.chance(0.6);
    case 'smallint':
    case 'integer':
    case 'bigint':
    case 'double precision':
    case 'numeric':
      return 1 + random.between(0, random.chance(0.5) ? 3 : 999);
    case 'timestamp with time zone':
      return new Date(Date.UTC(2026, random.between(0, 11), 1 + random.between(0, 27), random.between(0, 23), random.between(0, 59)));
    case 'date':
      return `2026-0${1 + random.between(0, 8)}-1${random.between(0, 8)}`;
    case 'jsonb':
      return JSON.stringify({ words: `ação ${random.between(0, 999)}` });
    case 'bytea':
      return Buffer.from([random.between(0, 255), 0, 255]);
    case 'text':
    case 'character varying':
      return anyText(named, random);
    default:
      throw new Error(`no value of type ${type}`);
  }
}

function anyText(named: readonly string[], random: Random): string {
  if (named.length > 0) return random.pick(named);
  if (random.chance(0.3)) return random.pick(SHAPED)(random);
  return `Conceição ${random.between(0, 999999)}`;
}
