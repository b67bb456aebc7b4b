import { compose } from '../compose.ts';
import { readConfig } from '../config.ts';
import type { Ctx } from '../context.ts';
import { describeStartFailure } from '../start-failure.ts';
import { assertSomethingThere, withDatabase } from './existing-installation.ts';

type Run = (ctx: Ctx, args: readonly string[], write: (line: string) => void) => Promise<number>;

/** Runs a command that needs the product whole, beside a running installation or without one. It answers the exit code; 2: it could not begin. */
export async function asProductCommand(run: Run): Promise<void> {
  try {
    process.exitCode = await withProduct((ctx) => run(ctx, process.argv.slice(2), (line) => void process.stdout.write(`${line}\n`)));
  } catch (error) {
    process.stderr.write(`${describeStartFailure(error)}\n`);
    process.exitCode = 2;
  }
}

/** The product as it runs, which takes no jobs and answers nobody. */
async function withProduct(act: (ctx: Ctx) => Promise<number>): Promise<number> {
  const config = { ...readConfig(process.env), logLevel: 'silent' as const };
  await assertSomethingThere(config);
  return withDatabase(config, async (connection) => {
    const publicUrl = config.publicUrl ?? `http://localhost:${config.port}`;
    const { ctx, close } = await compose({ config, connection, publicUrl, timestamps: null, mailboxUrl: null, background: false });
    try {
      return await act(ctx);
    } finally {
      await close();
    }
  });
}
