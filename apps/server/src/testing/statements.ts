import pg from 'pg';

/** What one transaction asked of the database, in order, without its begin and its end. */
export type Statements = readonly string[];

/** Listens to all that goes to the database while `act` runs; answers the transactions that were committed. */
export async function committedDuring(act: () => Promise<unknown>): Promise<Statements[]> {
  const committed: Statements[] = [];
  const open = new Map<object, string[]>();
  const client = pg.Client.prototype;
  const { query } = client;
  client.query = function listened(this: pg.Client, ...given: unknown[]): unknown {
    const [asked] = given;
    const text = typeof asked === 'string' ? asked : String((asked as { text?: unknown } | null)?.text ?? '');
    if (/^\s*(begin|start transaction)\b/i.test(text)) open.set(this, []);
    else if (/^\s*commit\b/i.test(text)) committed.push(open.get(this) ?? []);
    else if (/^\s*rollback\b/i.test(text)) open.delete(this);
    else open.get(this)?.push(text);
    if (/^\s*commit\b/i.test(text)) open.delete(this);
    return Reflect.apply(query, this, given);
  } as typeof query;
  try {
    await act();
  } finally {
    client.query = query;
  }
  return committed;
}
