import { DomainError } from '@lavra/domain';
import { system } from '../access/actor.ts';
import type { Ctx } from '../context.ts';
import { resetFactorsOfEmail } from '../features/accounts/second-factor/reset-factors-of-email.ts';
import { terminalWords } from '../language/terminal.ts';
import { asProductCommand } from './product-command.ts';

/**
 * `npm run reset-factors -- EMAIL`, for who runs the server, beside a running installation or without one. Answers the exit code:
 * 0 there is no second factor any more, 1 there is no such account, 2 the command is not understood.
 */
export async function runResetFactors(ctx: Ctx, args: readonly string[], write: (line: string) => void): Promise<number> {
  const say = terminalWords(ctx.config.language);
  const [email] = args;
  if (email === undefined || args.length > 1 || email.startsWith('-')) {
    write(say('factors.usage'));
    return 2;
  }
  try {
    const wasReset = await resetFactorsOfEmail(ctx, system, email);
    write(say(wasReset ? 'factors.done' : 'factors.none'));
    return 0;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    write(say('factors.noAccount'));
    return 1;
  }
}

if (import.meta.main) await asProductCommand(runResetFactors);
