import { system } from '../access/actor.ts';
import type { Ctx } from '../context.ts';
import { acceptClock } from '../features/clock/accept-clock.ts';
import { terminalWords } from '../language/terminal.ts';
import { asProductCommand } from './product-command.ts';

/**
 * `lavra accept-clock`, for who runs the server: takes this computer's time for the right one. Answers the exit code: 0 nothing holds acts
 * back any more, 2 the command is not understood.
 */
export async function runAcceptClock(ctx: Ctx, args: readonly string[], write: (line: string) => void): Promise<number> {
  const say = terminalWords(ctx.config.language);
  if (args.length > 0) {
    write(say('clock.usage'));
    return 2;
  }
  const ahead = await acceptClock(ctx, system);
  write(ahead === 0 ? say('clock.right') : say('clock.accepted', { minutes: Math.ceil(ahead / 60_000) }));
  return 0;
}

if (import.meta.main) await asProductCommand(runAcceptClock);
