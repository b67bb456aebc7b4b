/**
 * Why this installation cannot start, in one line for the operator: the variable to look at and the cause in words. Neither may
 * hold a secret. Everything else that ends a start is a fault of the program and keeps its stack.
 */
export class StartFault extends Error {
  override readonly name = 'StartFault';
  /** The environment's name for what has to be mended, e.g. `DATABASE_URL`. */
  readonly variable: string;

  constructor(variable: string, cause: string, options?: ErrorOptions) {
    // A cause that comes from elsewhere may have more lines: the operator is promised one.
    super(`${variable}: ${cause.replace(/\s*[\r\n]+\s*/g, ' ')}`, options);
    this.variable = variable;
  }
}

/** What an operator reads of a start that failed: one line for each fault, a stack only where the program is at fault. */
export function describeStartFailure(error: unknown): string {
  if (error instanceof StartFault) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
