import type { Ctx } from '../context.ts';
import { describeProgram, readCommit } from '../program.ts';

/** What Prometheus reads beside requests and jobs: the version, the pool of connections and the lanes of worker processes. */
export function watchProgram({ metrics, workers, config }: Pick<Ctx, 'metrics' | 'workers' | 'config'>): void {
  const { version } = describeProgram(config);
  metrics.gauge('lavra_info', 'What runs here', () => [[`${version} ${readCommit() ?? ''}`.trim(), 1]], 'version');
  metrics.gauge('lavra_database_connections', 'Connections to the database', () => Object.entries(metrics.pool()), 'state');
  const lanes = (value: 'working' | 'waiting') =>
    Object.entries(workers.state()).map(([lane, state]): [string, number] => [lane, state[value]]);
  metrics.gauge('lavra_workers_working', 'Tasks at work in worker processes', () => lanes('working'), 'lane');
  metrics.gauge('lavra_workers_waiting', 'Tasks that wait for their turn', () => lanes('waiting'), 'lane');
}
