import { AsyncLocalStorage } from 'node:async_hooks';
import type { OpenSpan } from './tracer.ts';

/** What the program is doing where this is asked: a request or a job, and the process that it is about. */
export interface UnderWay {
  /** Of one request, ours: told in the answer's `X-Request-Id`, and in each line of the log that comes of it. */
  readonly request?: string;
  /** A kind of job, and its id in the queue. */
  readonly job?: string;
  readonly jobId?: string;
  /** One for the whole of it, however deep it is asked: the signature process, once that is known. */
  readonly about: { process?: string };
  readonly span?: OpenSpan | null;
}

const current = new AsyncLocalStorage<UnderWay>();

export const underWay = (): UnderWay | undefined => current.getStore();

/** Runs with this under way, and all that comes of it. */
export function during<T>(what: UnderWay, run: () => T): T {
  return current.run(what, run);
}

/** The process that the rest of this request or job is about. */
export function isAbout(signatureProcessId: string): void {
  const store = current.getStore();
  if (store) store.about.process = signatureProcessId;
}

/** What each line of the log says beside its own words. Ids alone: nobody's name, address or number. */
export function underWayInLog(): object {
  const store = current.getStore();
  if (!store) return {};
  const { request, job, jobId, span } = store;
  const { process } = store.about;
  return { ...(request && { request }), ...(job && { job, jobId }), ...(process && { process }), ...(span && { trace: span.traceId }) };
}
