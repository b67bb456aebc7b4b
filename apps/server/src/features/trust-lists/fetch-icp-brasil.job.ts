import { DomainError } from '@lavra/domain';
import { system } from '../../access/actor.ts';
import { defineJob } from '../../jobs/queue.ts';
import { fetchIcpBrasil } from './fetch-icp-brasil.ts';

/** Every night, where an address is configured. What cannot be had is noted for the administrators, and asked for the next night. */
export const fetchIcpBrasilJob = defineJob<Record<string, never>>({
  name: 'fetch-icp-brasil',
  cron: '29 3 * * *',
  exclusive: true,
  retryLimit: 2,
  async run(ctx) {
    if (ctx.config.icpBrasilListUrl === null) return;
    await fetchIcpBrasil(ctx, system).catch((error: unknown) => {
      if (!(error instanceof DomainError) || error.code === 'server.busy') throw error;
    });
  },
});
