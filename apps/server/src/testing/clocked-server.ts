/**
 * The whole server with the built pages as a program whose clock a browser story moves: a line of JSON in, a line out.
 * `{"advanceMinutes": 11}`, `{"mailTo": "…"}` answers the newest mail's text, `{"firstKey": true}` the key that a start prints.
 */
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { issueFirstAccountKey } from '../features/accounts/first-account-key.ts';
import { startTestApp } from './app.ts';
import { frozenClock } from './clock.ts';

interface Command {
  advanceMinutes?: number;
  mailTo?: string;
  firstKey?: boolean;
}

const webDir = join(import.meta.dirname, '../../../web/dist');
const profile = process.argv[2] === 'prod' ? 'prod' : 'dev';
const app = await startTestApp({ clock: frozenClock(new Date()), config: { webDir, profile } });
const say = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`);

async function obey(command: Command): Promise<unknown> {
  if (command.advanceMinutes !== undefined) return app.clock.advance({ minutes: command.advanceMinutes });
  if (command.firstKey) return issueFirstAccountKey(app.ctx);
  await app.runJobs();
  return (await app.mailbox.list()).find(({ to }) => to === command.mailTo)?.text;
}

const address = await app.installation.app.listen({ host: '127.0.0.1', port: 0 });
say(address.replace('127.0.0.1', 'localhost'));
for await (const line of createInterface({ input: process.stdin })) say((await obey(JSON.parse(line) as Command)) ?? null);
await app.close();
process.exit(0);
