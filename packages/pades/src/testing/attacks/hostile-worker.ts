import { parentPort } from 'node:worker_threads';
import { PadesError } from '../../errors.ts';
import { openPdf } from '../../open-pdf.ts';
import { inspectPdf } from '../../inspect/inspect-pdf.ts';
import { memorySource } from '../../source.ts';
import type { PdfSource } from '../../source.ts';
import { verifyPdf } from '../../verify/verify-pdf.ts';
import { threadWorkOf, unitOfWork } from '../work.ts';
import { makeBases } from './bases.ts';
import { hostile } from './hostile.ts';
import { hostileDocuments } from './hostile-documents.ts';
import { attackWorld } from './world.ts';

/** What the costlier of verifying and inspecting a hostile file took. */
export interface HostileCost {
  readonly name: string;
  /** Of this thread's work, as a multiple of `unitOfWork` beside it: a machine that is slow or busy is so for both. */
  readonly work: number;
  /** More than before. */
  readonly megabytes: number;
}

/** Verifies and inspects every hostile file in a thread of its own: the test runner's watch over promises costs ten times the work. */
async function main(): Promise<void> {
  const world = await attackWorld();
  const bases = await makeBases(world);
  const verified = async (source: PdfSource) => verifyPdf(await openPdf(source), world.options);
  const inspected = async (source: PdfSource) => inspectPdf(await openPdf(source));
  const all = [
    ...Object.entries(hostile).map(([name, make]) => [name, () => Promise.resolve(make(bases))] as const),
    ...Object.entries(hostileDocuments).map(([name, make]) => [name, () => make(world)] as const),
  ];
  for (const [name, make] of all) {
    const bytes = await make();
    const costs = [await costOf(bytes, verified), await costOf(bytes, inspected)];
    const most = (key: 'work' | 'megabytes') => Math.max(...costs.map((cost) => cost[key]));
    parentPort?.postMessage({ name, work: most('work'), megabytes: most('megabytes') } satisfies HostileCost);
  }
}

async function costOf(bytes: Uint8Array, act: (source: PdfSource) => Promise<unknown>): Promise<Omit<HostileCost, 'name'>> {
  const before = process.memoryUsage.rss();
  let most = before;
  const source = memorySource(bytes);
  const look = () => (most = Math.max(most, process.memoryUsage.rss()));
  // At every read: a timer is not called while the engine is busy.
  const read: PdfSource['read'] = (offset, length) => {
    look();
    return source.read(offset, length);
  };
  const unit = await threadWorkOf(unitOfWork);
  const milliseconds = await threadWorkOf(async () => {
    await act({ size: source.size, read }).catch((error: unknown) => {
      if (!(error instanceof PadesError)) throw error;
    });
  });
  look();
  return { work: milliseconds / unit, megabytes: (most - before) / 1e6 };
}

await main();
