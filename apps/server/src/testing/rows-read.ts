import assert from 'node:assert/strict';
import pg from 'pg';
import type { TestApp } from './app.ts';

/** Whole and part of the rows that a statement reads, of `explain analyze`. */
interface PlanNode {
  'Node Type': string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

/** How many rows the statements of a call read that match, by `explain analyze` of each of them. */
export async function rowsRead(app: TestApp, matching: RegExp, act: () => Promise<{ status: number }>): Promise<number> {
  const asked: { text: string; values: unknown[] }[] = [];
  const client = pg.Client.prototype;
  const { query } = client;
  client.query = function listened(this: pg.Client, ...given: unknown[]): unknown {
    const one = given[0] as { text?: string; values?: readonly unknown[] } | string;
    if (typeof one === 'object' && matching.test(one.text ?? '')) asked.push({ text: one.text ?? '', values: [...(one.values ?? [])] });
    return Reflect.apply(query, this, given);
  } as typeof query;
  try {
    assert.equal((await act()).status, 200);
  } finally {
    client.query = query;
  }
  assert.ok(asked.length > 0);
  const connection = new pg.Client(app.connection);
  await connection.connect();
  try {
    let rows = 0;
    for (const { text, values } of asked) {
      const answer = await connection.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`explain (analyze, format json) ${text}`, values);
      rows += rowsOf(answer.rows[0]?.['QUERY PLAN'][0].Plan);
    }
    return rows;
  } finally {
    await connection.end();
  }
}

function rowsOf(node: PlanNode | undefined): number {
  if (!node) return 0;
  const own = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  const below = (node.Plans ?? []).reduce((sum, child) => sum + rowsOf(child), 0);
  return below + (/Scan|Sort/.test(node['Node Type']) ? own * node['Actual Loops'] : 0);
}
