import type { Ctx } from '../context.ts';

/** What Prometheus reads beside requests and jobs: the pool of connections and the lanes of worker processes. */
export function watchProgram({ metrics, workers }: Pick<Ctx, 'metrics' | 'workers'>): void {
  metrics.gauge('lavra_database_connections', 'Connections to the database', () => Object.entries(metrics.pool()), 'state');
  const lanes = (value: 'working' | 'waiting') =>
    Object.entries(workers.state()).map(([lane, state]): [string, number] => [lane, state[value]]);
  metrics.gauge('lavra_workers_working', 'Tasks at work in worker processes', () => lanes('working'), 'lane');
  metrics.gauge('lavra_workers_waiting', 'Tasks that wait for their turn', () => lanes('waiting'), 'lane');
}
