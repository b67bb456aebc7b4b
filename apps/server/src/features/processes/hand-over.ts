import type { Ctx } from '../../context.ts';
import type { JobHandle } from '../../jobs/queue.ts';
import type { ToPrepare } from './aggregate.store.ts';
import * as store from './processes.store.ts';

interface OfProcess {
  signatureProcessId: string;
}

/** What a process asks of the rooms above it, which run these jobs: its documents' preparation, then, when all have signed, the seal. */
export const prepareDocuments: JobHandle<OfProcess, ToPrepare> = { name: 'prepare-documents', exclusive: true };
export const finalizeProcess: JobHandle<OfProcess> = { name: 'finalize-process', exclusive: true };

/** What is sent for it: the preparation, or the finalisation, of a process once at a time, in the turn of its account. */
const ofProcess = ({ id, ownerId }: Owned) => [{ signatureProcessId: id }, { key: id, turn: ownerId }] as const;

interface Owned {
  id: string;
  ownerId: string;
}

/** Queues the preparation. */
export function sendPreparation(ctx: Ctx, process: Owned): Promise<void> {
  return ctx.jobs.send(prepareDocuments, ...ofProcess(process));
}

/** Queues the finalisation. */
export function sendFinalization(ctx: Ctx, process: Owned): Promise<void> {
  return ctx.jobs.send(finalizeProcess, ...ofProcess(process));
}

/** The same in the statement of an act. */
export function sentPreparation(ctx: Ctx, process: Owned, handed: ToPrepare | undefined) {
  const [data, options] = ofProcess(process);
  return ctx.jobs.written(prepareDocuments, data, { ...options, handed });
}
export const sentFinalization = (ctx: Ctx, process: Owned) => ctx.jobs.written(finalizeProcess, ...ofProcess(process));

/** Started processes whose documents nobody has prepared since then, for want of something that was away. */
export function listUnpreparedProcesses(ctx: Ctx, startedBefore: Date): Promise<string[]> {
  return store.listUnpreparedProcessIds(ctx, startedBefore);
}

/** Processes that everyone has signed and nobody has sealed since then; see the store. */
export function listUnsealedProcesses(ctx: Ctx, signedBefore: Date, withKeptBack: boolean): Promise<{ id: string; ownerId: string }[]> {
  return store.listUnsealedProcesses(ctx, signedBefore, withKeptBack);
}
