import type { Command } from './command.ts';
import { extendCommand } from './extend-command.ts';
import { inspectCommand } from './inspect-command.ts';
import { signCommand } from './sign-command.ts';
import { verifyCommand } from './verify-command.ts';

/** Everything `lavra-pades` can do, in the order of its overview. */
export const commands: readonly Command[] = [signCommand, extendCommand, inspectCommand, verifyCommand];
