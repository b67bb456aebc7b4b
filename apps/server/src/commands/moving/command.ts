import { ConfigError } from '../../config.ts';
import { describeStartFailure } from '../../start-failure.ts';
import { StorageError } from '../../storage/blob-store.ts';

export type Write = (line: string) => void;

/** Exit codes: 0 done, 1 done and something is wrong with what was stored, 2 refused or broken off. */
export async function asCommand(run: (args: readonly string[], environment: NodeJS.ProcessEnv, write: Write) => Promise<number>) {
  try {
    process.exitCode = await run(process.argv.slice(2), process.env, (line) => void process.stdout.write(`${line}\n`));
  } catch (error) {
    const words = error instanceof ConfigError || error instanceof StorageError ? error.message : describeStartFailure(error);
    process.stderr.write(`${words}\n`);
    process.exitCode = 2;
  }
}
