import pg from 'pg';
import type { ConnectionOptions } from '../db/client.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';

/** As an operator names a database. */
export const urlOf = (connection: ConnectionOptions): string =>
  'connectionString' in connection
    ? connection.connectionString
    : `postgresql://${connection.user}@localhost/${connection.database}?host=${encodeURIComponent(connection.host)}`;

export async function rowsOf<Row = unknown>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(statement)).rows as Row[];
  } finally {
    await client.end();
  }
}

/** Databases, as many as are asked for. */
export class TargetDatabases {
  readonly #made: TestDatabase[] = [];

  /** With today's schema. */
  async ours(): Promise<string> {
    const database = await createTestDatabase();
    this.#made.push(database);
    return urlOf(database.connection);
  }

  /** Without any. */
  async empty(): Promise<string> {
    const url = await this.ours();
    await rowsOf(url, 'drop schema public cascade; drop schema pgboss cascade; create schema public');
    return url;
  }

  async drop(): Promise<void> {
    for (const database of this.#made) await database.drop();
  }
}
