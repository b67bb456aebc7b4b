import { Worker } from 'node:worker_threads';
import type { Drawer, Picture } from './picture.ts';
import type { Asked } from './pdfium.worker.ts';

const patience = 10_000;

/** What Chromium shows pages with, as WebAssembly in a thread of its own: with some files it never ends, and nobody else could stop it. */
export function pdfium(): Drawer {
  const start = () => new Worker(new URL('./pdfium.worker.ts', import.meta.url));
  let worker = start();
  let turn: Promise<unknown> = Promise.resolve();
  const ask = async (asked: Asked): Promise<readonly Picture[] | null> => {
    const drawn = await answerOf(worker, asked);
    if (drawn !== 'lost') return drawn;
    await worker.terminate();
    worker = start();
    return null;
  };
  const draw: Drawer['draw'] = (file, medium) => {
    const drawn = turn.then(() => ask({ file, medium }));
    turn = drawn;
    return drawn;
  };
  return { name: 'PDFium', draw, close: () => worker.terminate().then(() => undefined) };
}

/** 'lost': it stumbled over the file, or takes too long. */
function answerOf(worker: Worker, asked: Asked): Promise<readonly Picture[] | null | 'lost'> {
  return new Promise((resolve) => {
    const end = (answer: readonly Picture[] | null | 'lost') => {
      clearTimeout(timer);
      worker.removeAllListeners();
      // A thread that ends later tells nobody any more.
      worker.on('error', () => undefined);
      resolve(answer);
    };
    const timer = setTimeout(() => end('lost'), patience);
    worker.once('message', (pictures: readonly Picture[] | null) => end(pictures));
    worker.once('error', () => end('lost'));
    worker.once('exit', () => end('lost'));
    worker.postMessage(asked);
  });
}
