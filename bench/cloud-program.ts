/**
 * The product as `main.ts` starts it, over a make-believe ICP-Brasil that is a program of its own: its roots are pinned, and a development start, which
 * believes others, has the outside world inside of itself, where it would be measured. BENCH_CLOUD is a `CloudWorld`.
 */
import { compose } from '../apps/server/src/compose.ts';
import { readConfig } from '../apps/server/src/config.ts';
import { prepareDataDir } from '../apps/server/src/data-dir.ts';
import { httpTimestampAuthority } from '../apps/server/src/http-timestamp-authority.ts';
import { choosePort, listenAt } from '../apps/server/src/listen.ts';
import { readAllowedHost } from '../apps/server/src/outside/allowed-target.ts';
import type { CompositionOptions } from '../apps/server/src/compose.ts';
import { BACK, type CloudWorld } from './cloud-world.ts';

const { host, timestampsUrl, roots, intermediates, settings } = JSON.parse(process.env['BENCH_CLOUD'] ?? '{}') as CloudWorld;
const config = readConfig(process.env);
await prepareDataDir(config);
const port = await choosePort(config);
const der = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'));
const allowed = readAllowedHost(host);
const installation = await compose({
  config: { ...config, allowedPrivateHosts: [...config.allowedPrivateHosts, ...(allowed ? [allowed] : [])] },
  connection: { connectionString: config.databaseUrl ?? '' },
  publicUrl: BACK,
  timestamps: config.tsaUrl ? httpTimestampAuthority({ url: config.tsaUrl }, config.tsaRoots, null) : null,
  icpBrasilTimestamps: httpTimestampAuthority({ url: timestampsUrl }, [], null),
  icpBrasil: {
    anchors: Object.entries(roots).map(([name, root]) => ({ certificate: der(root), name, uses: ['signature', 'timestamp'] })),
    intermediates: intermediates.map(der),
  },
  pscs: settings as NonNullable<CompositionOptions['pscs']>,
  mailboxUrl: null,
});
if (!(await listenAt(installation.app, config, port))) throw new Error('the port is taken');
await installation.queue.work(installation.ctx);
process.once('SIGTERM', () => void installation.close().then(() => process.exit(0)));
process.stdout.write(`Lavra: http://localhost:${port}\n`);
