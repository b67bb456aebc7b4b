import { checkUsageAlert, type Reply } from '@lavra/api';
import { callApi } from '../../../lib/api-client.ts';
import { logInBrowser } from '../../../lib/browser-log.ts';

export type UsageAlert = Reply<typeof checkUsageAlert>;

/** How much of the plan is used, where that is worth a word. A check that fails must not look like a failed creation: it is only logged. */
export async function findUsageAlert(): Promise<UsageAlert | null> {
  try {
    const usage = await callApi(checkUsageAlert, {});
    return usage.shouldAlert ? usage : null;
  } catch (error) {
    logInBrowser('usage not checked', error);
    return null;
  }
}
