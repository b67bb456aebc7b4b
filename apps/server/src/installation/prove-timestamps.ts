import { PadesError, tryTimestamps } from '@lavra/pades';
import type { Ctx } from '../context.ts';
import { TimestampStatusError } from '../http-timestamp-authority.ts';
import { inWords, StartFault } from '../start-fault.ts';
import { readPolicyArtifacts } from './policy-artifacts.ts';

const variable = 'TSA_ICP_BRASIL_URL';

/**
 * Asks the configured ICP-Brasil authority for one timestamp, so that a wrong one is told by the start and not by a document that
 * waits: it must know us, and its token be below a root of ICP-Brasil. One that is away is none of its faults: documents wait
 * for it as they do later. @throws StartFault
 */
export async function proveTimestamps(ctx: Pick<Ctx, 'icpBrasilTimestamps' | 'config' | 'log'>): Promise<void> {
  const { config, icpBrasilTimestamps } = ctx;
  if (config.policiesDir !== null) await readPolicyArtifacts(config.policiesDir);
  if (config.icpBrasilTsa === null || icpBrasilTimestamps === null) return;
  try {
    await tryTimestamps(icpBrasilTimestamps);
  } catch (error) {
    const fault = faultOf(error);
    if (fault !== null) throw new StartFault(variable, fault, { cause: error });
    ctx.log.warn({ err: error }, `${variable}: does not answer now; documents signed with certificates wait for it`);
  }
}

/** What the operator can mend; null: it may be there in a moment. */
function faultOf(error: unknown): string | null {
  if (!(error instanceof PadesError)) return inWords(error);
  if (error.code === 'TIMESTAMP_REFUSED') return `the authority refuses (status ${String(error.details['status'])})`;
  if (error.code === 'TIMESTAMP_INVALID') return `its timestamp cannot be used: ${error.message}`;
  const { cause } = error;
  if (!(cause instanceof TimestampStatusError) || cause.status >= 500 || cause.status === 429) return null;
  return [401, 403].includes(cause.status) ? 'the authority does not know us: user and password, or TSA_ICP_BRASIL_CLIENT' : cause.message;
}
