import { ConfigError } from './config.ts';
import { DatabaseAwayError } from './db/database-away.ts';
import { StartFault } from './start-fault.ts';

/** Classes and codes of PostgreSQL's answers (its Appendix A) that the operator can mend. */
const databaseRefusals = /^(28\w{3}|3D000|3F000|42501|0A000|58P01|53\w{3}|25006)$/;

/** What an operator reads of a start that failed: one line for each fault, a stack only where the program is at fault. */
export function describeStartFailure(error: unknown): string {
  if (error instanceof ConfigError || error instanceof StartFault) return error.message;
  if (error instanceof DatabaseAwayError) return new StartFault('DATABASE_URL', error.message).message;
  const { code = '', syscall, message } = error as NodeJS.ErrnoException;
  if (databaseRefusals.test(code)) return new StartFault('DATABASE_URL', `PostgreSQL refuses: ${message}`).message;
  if (syscall === 'connect') return new StartFault('DATABASE_URL', `no connection, ${message}`).message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
