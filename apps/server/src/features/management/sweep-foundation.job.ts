import type { Ctx } from '../../context.ts';
import { defineJob, type Job } from '../../jobs/queue.ts';

/** What runs out in a room, whose own statement removes it. */
export interface Outdated {
  /** For so long it is kept after it has done its work. */
  readonly days: number;
  remove(ctx: Ctx, before: Date): Promise<void>;
}

const DAY_MS = 24 * 3_600_000;

export async function removeOutdated(ctx: Ctx, kinds: readonly Outdated[]): Promise<void> {
  for (const { days, remove } of kinds) await remove(ctx, new Date(ctx.clock.now().getTime() - days * DAY_MS));
}

/** Once a night: what has done its work, by whoever keeps it. */
export function sweepFoundationJob(kinds: readonly Outdated[]): Job<Record<string, never>> {
  return defineJob<Record<string, never>>({ name: 'sweep-foundation', cron: '17 4 * * *', run: (ctx) => removeOutdated(ctx, kinds) });
}
