import { parseArgs } from 'node:util';
import { PadesError } from '../errors.ts';
import { CliError, Options, exitCodes, usageError } from './command.ts';
import type { Command, CommandInput, ExitCode } from './command.ts';
import { commands } from './commands.ts';
import { type Texts, textsFor } from './texts.ts';

export interface Terminal extends Omit<CommandInput, 'options' | 'positionals'> {
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
}

/** Runs one command line (without program and script) and answers how the process ends. Never throws. */
export async function run(line: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const json = line.includes('--json');
  const [name = '', ...rest] = line;
  const texts = textsFor(terminal.environment);
  try {
    const command = commands.find((one) => one.name === name);
    if (command === undefined) return overview(name, terminal, texts);
    if (rest.includes('--help')) {
      terminal.out(`${texts.commands[command.name].usage}\n`);
      return exitCodes.done;
    }
    const result = await command.run({ ...terminal, ...parse(command, rest) });
    terminal.out(
      json
        ? `${JSON.stringify({ command: name, ok: true, ...result.data }, bytesAsBase64)}\n`
        : `${result.lines(texts).map(printable).join('\n')}\n`,
    );
    return result.exitCode ?? exitCodes.done;
  } catch (error) {
    const fault = describe(error, texts);
    if (json) terminal.out(`${JSON.stringify({ command: name, ok: false, ...fault.data })}\n`);
    else terminal.error(`${fault.text.split('\n').map(printable).join('\n')}\n`);
    return fault.exitCode;
  }
}

/**
 * Names come out of files that others wrote: what would move the cursor, begin a line or turn the writing around could
 * forge a verdict on the terminal.
 */
function printable(line: string): string {
  return line.replaceAll(/[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu, '\ufffd');
}

/** DER in JSON. */
function bytesAsBase64(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
}

function parse(command: Command, line: string[]): { options: Options; positionals: string[] } {
  try {
    const config = { ...command.options, json: { type: 'boolean' as const } };
    const { values, positionals } = parseArgs({ args: line, options: config, allowPositionals: true, strict: true });
    return { options: new Options(values), positionals };
  } catch (error) {
    throw usageError(() => (error instanceof Error ? error.message : String(error)));
  }
}

function overview(name: string, terminal: Terminal, texts: Texts): ExitCode {
  const width = Math.max(...commands.map((one) => one.name.length));
  const list = commands.map((one) => `  ${one.name.padEnd(width)}  ${texts.commands[one.name].summary}`).join('\n');
  const text = texts.program.overview(list);
  if (name === '--help' || name === 'help') {
    terminal.out(text);
    return exitCodes.done;
  }
  terminal.error(name === '' ? text : `${texts.program.unknown(name)}\n\n${text}`);
  return exitCodes.usage;
}

function describe(error: unknown, texts: Texts): { exitCode: ExitCode; text: string; data: Record<string, unknown> } {
  if (error instanceof CliError) {
    const said = error.says(texts);
    return { exitCode: error.exitCode, text: said, data: { code: error.code, message: said } };
  }
  if (error instanceof PadesError) {
    // The engine wraps what a timestamp source throws; ours knows better what happened.
    if (error.code === 'TIMESTAMP_UNAVAILABLE' && error.cause instanceof CliError) return describe(error.cause, texts);
    const { code, message, details } = error;
    return {
      exitCode: exitCodes.refused,
      text: printable(texts.program.refused(texts.refusals[code], message)),
      data: { code, message, details },
    };
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { exitCode: exitCodes.internal, text: texts.program.internal(message), data: { code: 'INTERNAL', message } };
}
