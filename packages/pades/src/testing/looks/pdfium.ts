import { Worker } from 'node:worker_threads';
import { openPdf } from '../../open-pdf.ts';
import { PdfRef } from '../../pdf/objects.ts';
import type { PdfDict } from '../../pdf/objects.ts';
import { eachPage } from '../../pdf/pages.ts';
import type { Pdf } from '../../pdf/pdf.ts';
import { memorySource } from '../../source.ts';
import type { Drawer, Drawn } from './picture.ts';
import type { Asked } from './pdfium.worker.ts';

const startPatience = 30_000;

/**
 * What Chromium shows pages with, as WebAssembly in a thread of its own: some files never end it, and nobody else could stop
 * it. Each drawing has `patience` milliseconds; most take a hundredth of it.
 */
export function pdfium(patience = 3000): Drawer {
  let thread = start();
  let turn: Promise<unknown> = Promise.resolve();
  const ask = async (asked: Asked): Promise<Drawn> => {
    await thread.isUp;
    const answer = await answerOf(thread.worker, patience, asked);
    if (answer !== 'ended' && answer !== 'endless') return answer;
    await thread.worker.terminate();
    thread = start();
    return answer === 'ended' ? null : answer;
  };
  const draw: Drawer['draw'] = async (file, medium) => {
    // Known beforehand, it costs nobody the wait.
    if (medium === 'print' && (await haveParentsGoingRound(file))) return 'endless';
    const drawn = turn.then(() => ask({ file, medium }));
    turn = drawn;
    return drawn;
  };
  return { name: 'PDFium', draw, close: () => thread.worker.terminate().then(() => undefined) };
}

interface Thread {
  readonly worker: Worker;
  /** It says so once; how long that takes depends on the machine, not on a file. */
  readonly isUp: Promise<unknown>;
}

function start(): Thread {
  const worker = new Worker(new URL('./pdfium.worker.ts', import.meta.url));
  // One that ends later tells nobody any more.
  worker.on('error', () => undefined);
  return { worker, isUp: answerOf(worker, startPatience) };
}

/** The next thing it says; 'ended': it stumbled over the file. */
function answerOf(worker: Worker, patience: number, asked?: Asked): Promise<Drawn | 'ended'> {
  return new Promise((resolve) => {
    // Listeners are taken away one by one: `removeAllListeners` takes Node's own too, and no second answer arrives.
    const end = (answer: Drawn | 'ended') => {
      clearTimeout(timer);
      worker.off('message', end);
      for (const event of ['error', 'exit']) worker.off(event, fail);
      resolve(answer);
    };
    const fail = () => end('ended');
    const timer = setTimeout(() => end('endless'), patience);
    worker.on('message', end);
    for (const event of ['error', 'exit']) worker.on(event, fail);
    if (asked !== undefined) worker.postMessage(asked);
  });
}

/**
 * For print the pages are taken over into a new document (FPDF_ImportPages), with what they inherit: PDFium climbs from Parent to
 * Parent until it finds it, and climbs for ever where they lead round. Chromium prints such a file as little as this does.
 */
async function haveParentsGoingRound(file: Uint8Array): Promise<boolean> {
  let found = false;
  const climb = async (pdf: Pdf): Promise<void> => eachPage(pdf, async ({ dict }) => !(found = await leadsRound(pdf, dict)));
  // What we cannot read it may still draw: then its patience decides.
  await openPdf(memorySource(file))
    .then(climb, () => undefined)
    .catch(() => undefined);
  return found;
}

async function leadsRound(pdf: Pdf, page: PdfDict): Promise<boolean> {
  const met = new Set<number>();
  let parent = page.get('Parent');
  while (parent instanceof PdfRef) {
    if (met.has(parent.num)) return true;
    met.add(parent.num);
    parent = (await pdf.resolveDict(parent))?.get('Parent');
  }
  return false;
}
