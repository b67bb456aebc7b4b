import { readConfig } from '../config.ts';
import { listPendingMigrations, statementsOf } from '../db/pending-migrations.ts';
import { assertSomethingThere, withDatabase } from './existing-installation.ts';
import { asCommand, type Write } from './moving/command.ts';
import { databaseVariable } from './moving/target.ts';

const usage = `lavra migrations [--sql]
    mostra o que o próximo início mudaria no esquema do banco de dados, sem mudar nada; com --sql, os comandos.`;

/** `lavra migrations`: what a start of this version would do to the database, before it does. Answers 1 when there is something to do. */
export async function runMigrations(args: readonly string[], environment: NodeJS.ProcessEnv, write: Write): Promise<number> {
  if (args.length > 1 || (args[0] !== undefined && args[0] !== '--sql')) {
    write(usage);
    return 2;
  }
  const config = readConfig(environment);
  await assertSomethingThere(config);
  const pending = await withDatabase(config, (connection) => listPendingMigrations(connection, databaseVariable(config)));
  if (pending.length === 0) write('O esquema já é o desta versão: nada a fazer.');
  for (const name of pending) {
    write(name);
    if (args[0] === '--sql') for (const statement of await statementsOf(name)) write(`${statement.trim()};`);
  }
  return pending.length === 0 ? 0 : 1;
}

if (import.meta.main) await asCommand(runMigrations);
