import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { localSignerPorts } from '@lavra/api';

export interface Options {
  /** Tried in order. */
  readonly ports: readonly number[];
  /** Folder of the approved sites. */
  readonly config: string;
  /** PKCS #11 modules beside the well-known ones. */
  readonly modules: readonly string[];
  /** Whether the well-known places are looked at. */
  readonly knownModules: boolean;
  /** How the window opens: by the user's browser, or not at all (its address is printed). */
  readonly open: 'browser' | 'none';
  /** Events as JSON, one a line, on the standard output. */
  readonly json: boolean;
  readonly help: boolean;
}

/** Thrown for a command line that says something else; the message names it. */
export class UsageError extends Error {}

/** Throws UsageError. */
export function readOptions(args: readonly string[], platform: NodeJS.Platform = process.platform): Options {
  const { values } = parse(args);
  const port = values.port === undefined ? null : Number(values.port);
  if (port !== null && !(Number.isInteger(port) && port >= 0 && port <= 65_535)) throw new UsageError('--port');
  if (values.open !== 'browser' && values.open !== 'none') throw new UsageError('--open');
  return {
    ports: port === null ? localSignerPorts : [port],
    config: values.config === undefined ? defaultConfig(platform) : resolve(values.config),
    modules: (values.module ?? []).map((path) => resolve(path)),
    knownModules: !values['no-known-modules'],
    open: values.open,
    json: values.json,
    help: values.help,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        module: { type: 'string', multiple: true },
        'no-known-modules': { type: 'boolean', default: false },
        open: { type: 'string', default: 'browser' },
        config: { type: 'string' },
        port: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** Where each system keeps what programs remember for a user. */
function defaultConfig(platform: NodeJS.Platform): string {
  if (platform === 'win32') return join(process.env['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming'), 'Lavra Signer');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'Lavra Signer');
  return join(process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'lavra-signer');
}
