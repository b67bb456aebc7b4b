import pg from 'pg';

/** SQLSTATE duplicate_database, or unique_violation in the catalogue: another program that starts at the same moment was faster. */
const THERE = new Set(['42P04', '23505']);

function unlessThere(error: unknown): void {
  if (!THERE.has((error as { code?: string }).code ?? '')) throw error;
}

/** Creates the named database on a server that answers, unless it is there. */
export async function ensureDatabase(server: { host: string; user: string }, name: string, template?: string): Promise<void> {
  const client = new pg.Client({ ...server, database: 'postgres' });
  await client.connect();
  try {
    const known = await client.query('select 1 from pg_database where datname = $1', [name]);
    const from = template ? ` template "${template}"` : '';
    if (known.rowCount === 0) await client.query(`create database "${name}"${from}`).catch(unlessThere);
  } finally {
    await client.end();
  }
}
