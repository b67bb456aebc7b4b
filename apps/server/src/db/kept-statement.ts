import { type Compilable, CompiledQuery, type Kysely } from 'kysely';
import type { Database } from './tables.ts';

/** Stands for a value while a statement is put together. */
class Place {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Where the values of a statement stand, each as if it was the value. */
const places = new Proxy({}, { get: (_, name) => new Place(String(name)) });

/**
 * A statement that is put together once in a program, and from then on sent with other values: to build its text takes as long as to send it. `build`
 * must make the same text whatever the values are, so it may hand them on as parameters and do nothing else with them; a list is one value
 * (`= any(…)`), and what may be null is compared by `is not distinct from`.
 */
export function keptStatement<Values extends object, Row>(
  build: (db: Kysely<Database>, values: Values) => Compilable<Row>,
): (db: Kysely<Database>, values: Values) => Promise<Row[]> {
  let kept: CompiledQuery | undefined;
  return async (db, values) => {
    kept ??= build(db, places as Values).compile();
    const parameters = kept.parameters.map((one) => (one instanceof Place ? valueAt(values, one) : one));
    const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(kept.sql, parameters));
    return rows;
  };
}

/** What is missing would be sent as null. */
function valueAt(values: object, { name }: Place): unknown {
  const value = (values as Record<string, unknown>)[name];
  if (value === undefined) throw new Error(`a statement was given no ${name}`);
  return value;
}
