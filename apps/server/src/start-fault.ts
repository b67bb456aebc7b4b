/**
 * Why this installation cannot start, in one line for the operator: the variable to look at and the cause in words. Neither may
 * hold a secret. Everything else that ends a start is a fault of the program and keeps its stack.
 */
export class StartFault extends Error {
  override readonly name = 'StartFault';
  /** The environment's name for what has to be mended, e.g. `DATABASE_URL`. */
  readonly variable: string;

  constructor(variable: string, cause: string, options?: ErrorOptions) {
    super(`${variable}: ${inOneLine(cause)}`, options);
    this.variable = variable;
  }
}

/** A cause that comes from elsewhere may have more lines; the operator is promised one. */
function inOneLine(text: string): string {
  return text.trim().replace(/\s*[\r\n]+\s*/g, ' ');
}

const words: Readonly<Record<string, string>> = {
  EACCES: 'the user that runs Lavra may not',
  EPERM: 'the user that runs Lavra may not',
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of the path is no folder',
  EEXIST: 'there is a file in its place',
  EISDIR: 'it is a folder',
  EROFS: 'it can only be read',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
};

/** What the operating system says of a file, in words; of other errors their own. */
export function inWords(error: unknown): string {
  const { code = '', path, syscall } = error as NodeJS.ErrnoException;
  // Of a socket the same codes mean other things.
  const known = syscall === 'connect' ? undefined : words[code];
  if (known) return path ? `${known}: ${path}` : known;
  return inOneLine(error instanceof Error ? error.message : String(error));
}
