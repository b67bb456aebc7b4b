import type { Logger } from 'pino';

export type HealthStatus = 'UP' | 'DEGRADED' | 'DOWN' | 'UNKNOWN';

export interface ComponentHealth {
  status: HealthStatus;
  /** A short code for machines; never an address, a name or a message from elsewhere. */
  reason?: string;
}

/** A part of the installation whose state is told; docs/decisions/012. */
export interface HealthComponent {
  name: string;
  /** Without it this node serves nobody and is to be taken out of rotation. What is not needed is told, and is never waited for. */
  needed: boolean;
  /** How long an answer counts: a probe costs something at the other end. */
  keepMs: number;
  /** A rejection is DOWN, `unavailable`. */
  check(): Promise<ComponentHealth>;
}

export interface HealthReport {
  status: 'UP' | 'DOWN';
  components: Readonly<Record<string, ComponentHealth>>;
}

/** Longer than this is DOWN, `timeout`. */
const CHECK_MS = 3000;

/** Probes when somebody asks, at most one of each component at a time; however many ask, they share it. */
export function createHealth(components: readonly HealthComponent[], log: Pick<Logger, 'warn' | 'info'>): () => Promise<HealthReport> {
  const probes = components.map((component) => ({ component, current: createProbe(component, log) }));
  return async () => {
    const known = await Promise.all(probes.map(async ({ component, current }) => ({ component, health: await current() })));
    const isDown = known.some(({ component, health }) => component.needed && health.status === 'DOWN');
    return {
      status: isDown ? 'DOWN' : 'UP',
      components: Object.fromEntries(known.map(({ component, health }) => [component.name, health])),
    };
  };
}

function createProbe(component: HealthComponent, log: Pick<Logger, 'warn' | 'info'>): () => ComponentHealth | Promise<ComponentHealth> {
  let known: ComponentHealth = { status: 'UNKNOWN' };
  let until = 0;
  let isRunning = false;
  let answer: Promise<ComponentHealth> | null = null;
  const settle = (health: ComponentHealth): ComponentHealth => {
    if (health.status !== known.status && !(known.status === 'UNKNOWN' && health.status === 'UP'))
      log[health.status === 'UP' ? 'info' : 'warn']({ component: component.name, ...health }, 'health changed');
    known = health;
    until = performance.now() + component.keepMs;
    answer = null;
    return health;
  };
  const ask = async (): Promise<ComponentHealth> => {
    isRunning = true;
    const checked = component
      .check()
      .catch((): ComponentHealth => ({ status: 'DOWN', reason: 'unavailable' }))
      .finally(() => (isRunning = false));
    return settle(await Promise.race([checked, late()]));
  };
  return () => {
    // A probe that hangs is not joined by a second one: what it hangs on has trouble enough.
    if (performance.now() >= until && !answer && !isRunning) answer = ask();
    return component.needed && answer ? answer : known;
  };
}

function late(): Promise<ComponentHealth> {
  return new Promise((resolve) => setTimeout(() => resolve({ status: 'DOWN', reason: 'timeout' }), CHECK_MS).unref());
}
