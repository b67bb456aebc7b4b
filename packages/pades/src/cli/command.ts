import type { ParseArgsOptionsConfig } from 'node:util';
import type { CommandName, Said, Texts } from './texts.ts';

/** How the process ends. Scripts may rely on these. */
export const exitCodes = {
  /** Done; for `inspect`: the file can be signed; for `verify`: every signature is TOTAL-PASSED. */
  done: 0,
  /** Refused: the file, the certificate file or somebody's answer does not do; the error's `code` says why. */
  refused: 1,
  /** The command line makes no sense. */
  usage: 2,
  /** A file cannot be read or written, or the output is there already. */
  files: 3,
  /** A service could not be reached or answered something else. */
  network: 4,
  /** A fault of this program. */
  internal: 5,
  /** `verify`: no signature failed, but one at least is INDETERMINATE. */
  doubtful: 6,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** What went wrong outside the engine. `code` is for machines, what it says for people. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly code: string;
  readonly exitCode: ExitCode;
  readonly says: Said;

  constructor(code: string, exitCode: ExitCode, says: Said, cause?: unknown) {
    super(code, cause === undefined ? undefined : { cause });
    this.says = says;
    this.code = code;
    this.exitCode = exitCode;
  }
}

export function usageError(says: Said): CliError {
  return new CliError('USAGE', exitCodes.usage, says);
}

/** Parsed options: strings, lists of strings (`multiple`) and flags. */
export class Options {
  private readonly values: Readonly<Record<string, unknown>>;

  constructor(values: Readonly<Record<string, unknown>>) {
    this.values = values;
  }

  text(name: string): string | undefined {
    const value = this.values[name];
    return typeof value === 'string' ? value : undefined;
  }

  required(name: string): string {
    const value = this.text(name);
    if (value === undefined) throw usageError(({ faults }) => faults.missing(name));
    return value;
  }

  list(name: string): string[] {
    const value = this.values[name];
    return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
  }

  flag(name: string): boolean {
    return this.values[name] === true;
  }

  /** One of `allowed`, or undefined when it is not given. */
  choice<T extends string>(name: string, allowed: readonly T[]): T | undefined {
    const value = this.text(name);
    const found = allowed.find((one) => one === value);
    if (value !== undefined && found === undefined) throw usageError(({ faults }) => faults.choose(name, allowed));
    return found;
  }
}

export interface CommandInput {
  readonly options: Options;
  readonly positionals: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** All of standard input. */
  readonly readInput: () => Promise<string>;
  readonly now: () => Date;
}

/** What a command says: `lines` to people, `data` with --json. */
export interface CommandResult {
  readonly lines: (texts: Texts) => readonly string[];
  readonly data: Readonly<Record<string, unknown>>;
  /** Default: done. */
  readonly exitCode?: ExitCode;
}

/** One command of `lavra-pades`. To add one: write it in a file of its own, put it into `commands.ts` and its words into `texts-*.ts`. */
export interface Command {
  readonly name: CommandName;
  readonly options: ParseArgsOptionsConfig;
  run(input: CommandInput): Promise<CommandResult>;
}
