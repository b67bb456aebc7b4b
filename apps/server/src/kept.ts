import type { Ctx } from './context.ts';

/**
 * Makes something once and gives it to everybody for `lifetimeMs`, once for all who ask meanwhile. Per program: what another
 * node changed shows when the time is up.
 */
export function kept<T>(lifetimeMs: number, make: (ctx: Ctx) => Promise<T>): (ctx: Ctx) => Promise<T> {
  const made = new WeakMap<Ctx['config'], { until: number; value: Promise<T> }>();
  return (ctx) => {
    const now = ctx.clock.now().getTime();
    const known = made.get(ctx.config);
    // A clock that went back makes anew, too.
    if (known && now < known.until && now >= known.until - lifetimeMs) return known.value;
    const value = make(ctx);
    made.set(ctx.config, { until: now + lifetimeMs, value });
    value.catch(() => made.delete(ctx.config));
    return value;
  };
}
