import pg from 'pg';

/** Creates the named database on a server that answers, unless it is there. */
export async function ensureDatabase(server: { host: string; user: string }, name: string, template?: string): Promise<void> {
  const client = new pg.Client({ ...server, database: 'postgres' });
  await client.connect();
  try {
    const known = await client.query('select 1 from pg_database where datname = $1', [name]);
    const from = template ? ` template "${template}"` : '';
    if (known.rowCount === 0) await client.query(`create database "${name}"${from}`);
  } finally {
    await client.end();
  }
}
