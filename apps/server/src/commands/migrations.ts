import { readConfig } from '../config.ts';
import { listPendingMigrations, statementsOf } from '../db/pending-migrations.ts';
import { terminalLanguage, terminalWords } from '../language/terminal.ts';
import { assertSomethingThere, withDatabase } from './existing-installation.ts';
import { asCommand, type Write } from './moving/command.ts';
import { databaseVariable } from './moving/target.ts';

/** `lavra migrations`: what a start of this version would do to the database, before it does. Answers 1 when there is something to do. */
export async function runMigrations(args: readonly string[], environment: NodeJS.ProcessEnv, write: Write): Promise<number> {
  const say = terminalWords(terminalLanguage(environment));
  if (args.length > 1 || (args[0] !== undefined && args[0] !== '--sql')) {
    write(say('migrations.usage'));
    return 2;
  }
  const config = readConfig(environment);
  await assertSomethingThere(config);
  const pending = await withDatabase(config, (connection) => listPendingMigrations(connection, databaseVariable(config)));
  if (pending.length === 0) write(say('migrations.none'));
  for (const name of pending) {
    write(name);
    if (args[0] === '--sql') for (const statement of await statementsOf(name)) write(`${statement.trim()};`);
  }
  return pending.length === 0 ? 0 : 1;
}

if (import.meta.main) await asCommand(runMigrations);
