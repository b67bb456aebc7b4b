import { text } from 'node:stream/consumers';
import { type Config, readConfig } from '../config.ts';
import { openDatabase } from '../db/client.ts';
import { migrate } from '../db/migrate.ts';
import { type Rotation, rotateSecret } from '../installation/rotate-secret.ts';
import { terminalLanguage, terminalWords, type Words } from '../language/terminal.ts';
import { describeStartFailure } from '../start-failure.ts';
import { StartFault } from '../start-fault.ts';
import { assertSomethingThere, withDatabase } from './existing-installation.ts';

const NEW = 'LAVRA_NEW_SECRET';

/** `npm run rotate-secret`. No secret stands on the command line, where every user of the computer reads it, and none is printed. */
async function run(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const words = terminalWords(terminalLanguage(environment));
  const fromInput = args[0] === '--stdin';
  if (args.length > (fromInput ? 1 : 0)) return say(words('secret.usage', { variable: NEW }), 2);
  const config = readConfig(environment, [NEW]);
  await assertSomethingThere(config);
  const next = fromInput ? await secretFromInput() : environment[NEW] || null;
  return withDatabase(config, async (connection) => {
    const client = openDatabase(connection, { away: () => {}, answered: () => {} });
    try {
      await migrate(client.db);
      return say(describe(await rotateSecret(client.db, connection, config, next), config, words), 0);
    } finally {
      await client.close();
    }
  });
}

/** Without the line's end that `echo` puts behind it. */
async function secretFromInput(): Promise<string> {
  const given = (await text(process.stdin)).replace(/\r?\n$/, '');
  if (given === '') throw new StartFault(NEW, 'nothing came on standard input');
  return given;
}

function describe({ outcome, rewrapped, dropped }: Rotation, { secret }: Config, words: Words): string {
  const lines = [outcome === 'already' ? words('secret.already') : words('secret.done', { rewrapped })];
  if (dropped > 0) lines.push(words('secret.dropped', { dropped }));
  if (secret !== null) lines.push(words('secret.put', { variable: NEW }));
  lines.push(words('secret.people'), words('secret.signer'), words('secret.backups'));
  return lines.join('\n');
}

function say(lines: string, code: number): number {
  process.stdout.write(`${lines}\n`);
  return code;
}

try {
  process.exitCode = await run(process.argv.slice(2), process.env);
} catch (error) {
  process.stderr.write(`${describeStartFailure(error)}\n`);
  process.exitCode = 1;
}
