import type { ConfiguredPsc } from './configure.ts';
import { PscError } from './errors.ts';
import type { PscOutside } from './network.ts';
import type { PscId } from './providers.ts';

/** How long one call may take. */
export interface PscDeadlines {
  /** Each provider's answer while certificates are looked for: a person waits for the slowest. */
  readonly discoveryMs: number;
  readonly callMs: number;
}

/** Well within the 60 s that the web application waits for an answer of ours. */
export const defaultDeadlines: PscDeadlines = { discoveryMs: 6_000, callMs: 20_000 };

/** What every call needs. */
export interface PscContext {
  readonly pscs: readonly ConfiguredPsc[];
  readonly outside: PscOutside;
  readonly deadlines: PscDeadlines;
}

export function pscOf({ pscs }: PscContext, id: PscId): ConfiguredPsc {
  const psc = pscs.find((one) => one.id === id);
  if (psc === undefined) throw new PscError('PSC_NOT_CONFIGURED', id);
  return psc;
}

/** DOC-ICP-17.01 §6.4: `v0` is the version of the norm's own interface. */
export function endpoint({ baseUrl }: { baseUrl: string }, name: string): string {
  return `${baseUrl}/v0/oauth/${name}`;
}
