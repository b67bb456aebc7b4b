import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ListedToken, ModuleAnswer, ModuleFault, ModuleRequest } from './pkcs11-messages.ts';

/** What came of asking a module what it has. */
export interface ListedModule {
  readonly path: string;
  readonly tokens: readonly ListedToken[];
  /** Null when it answered. */
  readonly fault: ModuleFault | null;
}

// Packed, this program is JavaScript; in the repository it is TypeScript.
const processFile = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './pkcs11-process.ts' : './pkcs11-process.js', import.meta.url),
);
/** Readers are slow, drivers slower. */
const listMilliseconds = 20_000;
/** Long enough for somebody who types at the reader. */
const signMilliseconds = 180_000;

/** Asks a module in a process of its own. A module that crashes or hangs is told as MODULE_FAILED. Never rejects. */
export function askModule(request: ModuleRequest): Promise<ModuleAnswer> {
  return new Promise((resolve) => {
    const failed = (detail: string): ModuleAnswer => ({ kind: 'fault', fault: 'MODULE_FAILED', detail });
    const child = fork(processFile, [], { serialization: 'advanced', execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    const timer = setTimeout(
      () => {
        child.kill('SIGKILL');
      },
      request.kind === 'list' ? listMilliseconds : signMilliseconds,
    );
    child.once('message', (answer: ModuleAnswer) => resolve(answer));
    child.once('error', (error) => resolve(failed(error.message)));
    child.once('exit', (code, signal) => {
      // Not before: a module may hang when it is let go of, its answer given.
      clearTimeout(timer);
      resolve(failed(`the module's process ended (${signal ?? code})`));
    });
    child.send(request, (error) => {
      if (error) resolve(failed(error.message));
    });
  });
}

/** The tokens of every module, in the order of the modules. */
export async function listModules(paths: readonly string[]): Promise<ListedModule[]> {
  return Promise.all(
    paths.map(async (path) => {
      const answer = await askModule({ kind: 'list', module: path });
      if (answer.kind === 'tokens') return { path, tokens: answer.tokens, fault: null };
      return { path, tokens: [], fault: answer.kind === 'fault' ? answer.fault : 'MODULE_FAILED' };
    }),
  );
}
