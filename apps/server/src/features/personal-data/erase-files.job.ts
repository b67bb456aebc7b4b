import { system } from '../../access/actor.ts';
import { defineJob } from '../../jobs/queue.ts';
import { everyUnsuccessful } from '../processes/life/personal-processes.ts';
import { removeFiles } from '../retention/remove-files.ts';

/** Of an account whose data were erased: the files of what ended without success, which are evidence of nothing. Those that are gone stay gone. */
export const eraseFilesJob = defineJob<{ accountId: string }>({
  name: 'erase-files',
  exclusive: true,
  // Days: nobody else would ever do it.
  retryLimit: 500,
  expireInSeconds: 3600,
  async run(ctx, { accountId }) {
    for await (const signatureProcessId of everyUnsuccessful(ctx, accountId))
      await removeFiles(ctx, system, { signatureProcessId, reason: 'erasure' });
  },
});
