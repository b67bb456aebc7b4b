import type { System } from '../../access/actor.ts';
import { recordAudit } from '../../audit/audit.store.ts';
import type { Ctx } from '../../context.ts';
import { readMark, setMark } from './clock.store.ts';

/**
 * This computer's clock is right, whatever the database has seen: for who runs the server, after a clock that was ahead. What was recorded
 * meanwhile keeps its time, and the processes that it stands in wait until then. Answers how far ahead the mark was, milliseconds; 0: it was not.
 */
export async function acceptClock(ctx: Ctx, _actor: System): Promise<number> {
  return ctx.transaction(async (tx) => {
    const ahead = (await readMark(tx)).getTime() - tx.clock.now().getTime();
    if (ahead <= 0) return 0;
    await setMark(tx, tx.clock.now());
    await recordAudit(tx, { kind: 'clock.accepted', outcome: 'success', reason: 'command' });
    return ahead;
  });
}
