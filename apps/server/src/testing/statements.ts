import pg from 'pg';

/** What one transaction asked of the database, in order, without its begin and its end. */
export type Statements = readonly string[];

/** Listens to all that goes to the database while `act` runs; answers the transactions that were committed. `alone` hears what is in none. */
export async function committedDuring(act: () => Promise<unknown>, alone: (text: string) => void = () => {}): Promise<Statements[]> {
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
    else if (open.has(this)) open.get(this)?.push(text);
    // A pool hands a statement to its client with the same words.
    else if (text !== '') alone(text);
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

/** What a whole act cost the database. The queue's own looking and settling is left out: in a test each queue is asked by itself. */
export interface Cost {
  statements: Statements;
  /** The transactions, and statements by themselves, whose commit waits for the disk. */
  forced: readonly Statements[];
}

const isOfQueue = (text: string) => /\bpgboss\b/.test(text) && !/\binsert into\b|update "mail"/i.test(text);
/** Counters of attempts are kept in no log, and wait for no disk. */
const writes = (text: string) => /\b(insert into|update|delete from)\s/i.test(text) && !/"rate_limit"/.test(text);
const isForced = (transaction: Statements) =>
  transaction.some(writes) && !transaction.some((text) => /synchronous_commit/.test(text)) && !transaction.every(isOfQueue);

/** Counts what `act` asks of the database. */
export async function costOf(act: () => Promise<unknown>): Promise<Cost> {
  const alone: string[] = [];
  const committed = await committedDuring(act, (text) => alone.push(text));
  const transactions = [...committed, ...alone.map((text) => [text])];
  // Its begin and its end are statements too.
  const statements = [...committed.flatMap((texts) => ['begin', ...texts, 'commit']), ...alone];
  return { statements: statements.filter((text) => !isOfQueue(text)), forced: transactions.filter(isForced) };
}
