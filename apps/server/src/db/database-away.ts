/**
 * The database cannot be asked now: it restarts, is away, or ended the connection. Nobody is at fault, and the same may go well
 * in a moment. Made only where the database is asked (client.ts, presence.ts), so that no other network's `ECONNREFUSED` is ever taken for it.
 */
export class DatabaseAwayError extends Error {
  override readonly name = 'DatabaseAwayError';
  /** True when the connection ended before the answer to what would have made it last: it may be there, or not. */
  readonly outcomeUnknown: boolean;

  constructor(cause: Error, outcomeUnknown = false) {
    super(`the database is away: ${cause.message}`, { cause });
    this.outcomeUnknown = outcomeUnknown;
  }
}

/** SQLSTATE: connection exceptions (class 08), too many connections, shutdowns, crash of another session, not yet up. */
const AWAY_STATES = /^(08...|53300|57P0[1235])$/;
const AWAY_SYSTEM_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** Faults of the driver's own, which carry no code. */
const AWAY_WORDS =
  /^Connection terminated|^timeout exceeded when trying to connect|^timeout expired|is not queryable$|^Cannot use a pool after|^Query read timeout/;

/** For errors of PostgreSQL's driver only: the codes of the system mean other things elsewhere. */
export function isConnectionFault(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: string };
  return code === undefined ? AWAY_WORDS.test(error.message) : AWAY_STATES.test(code) || AWAY_SYSTEM_CODES.has(code);
}

/** The driver knew that the connection had ended, and did not even send the statement. */
export function wasNeverSent(error: unknown): boolean {
  return error instanceof Error && error.message.endsWith('is not queryable');
}
