import type { PageGeometry } from '@lavra/domain';
import {
  getDocument,
  GlobalWorkerOptions,
  type PDFDocumentLoadingTask,
  type PDFDocumentProxy,
  type PDFPageProxy,
  PDFWorker,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import workerUrl from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url';
import { useEffect, useState } from 'react';
import type { RemoteSource } from './remote-bytes.ts';
import { GRAIN, openRemote } from './remote-file.ts';

GlobalWorkerOptions.workerSrc = workerUrl;

export type PdfViewSource = { file: File } | RemoteSource;

let spare: PDFWorker | null = null;

/** Starts what reads files, while the first one is still on its way; done when it can read. */
export async function startReader(): Promise<void> {
  spare ??= new PDFWorker();
  await spare.promise;
}

/** What was started ahead reads one file, and ends with it as any other does. */
function endingWith(task: PDFDocumentLoadingTask, reader: PDFWorker | null): PDFDocumentLoadingTask {
  const destroy = task.destroy.bind(task);
  task.destroy = async () => {
    await destroy();
    reader?.destroy();
  };
  return task;
}

export interface OpenedPdf {
  document: PDFDocumentProxy;
  pageCount: number;
  /** Of the first page: what the others are taken for until they are known. */
  first: PageGeometry;
  /** Of its text, as the file says (BCP 47); null: it does not. */
  language: string | null;
}

export function geometryOf(page: PDFPageProxy): PageGeometry {
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = page.view;
  const rotate = (((page.rotate % 360) + 360) % 360) as PageGeometry['rotate'];
  return { box: [Math.min(x0, x1), Math.min(y0, y1), Math.max(x0, x1), Math.max(y0, y1)], rotate, userUnit: page.userUnit };
}

/**
 * Opens a PDF for drawing; whoever opens it closes it. `onFault`: a file that comes over the network stopped coming, while it was opened or
 * later.
 */
export async function openDocument(source: PdfViewSource, onFault: () => void = () => {}): Promise<PDFDocumentProxy> {
  const assets = {
    cMapUrl: '/pdf/cmaps/',
    cMapPacked: true,
    standardFontDataUrl: '/pdf/standard_fonts/',
    wasmUrl: '/pdf/wasm/',
    enableXfa: false,
  };
  if ('file' in source) return getDocument({ ...assets, data: new Uint8Array(await source.file.arrayBuffer()) }).promise;
  let fail: (fault: unknown) => void = () => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const remote = await openRemote(source, (fault) => {
    fail(fault);
    onFault();
  });
  // What is shown is asked for and nothing else: beside a stream the whole file would come first.
  const asked = { ...assets, ...remote, disableAutoFetch: true, disableStream: true, rangeChunkSize: GRAIN };
  const reader = spare;
  spare = null;
  const task = endingWith(getDocument(reader ? { ...asked, worker: reader } : asked), reader);
  try {
    return await Promise.race([task.promise, failed]);
  } catch (error) {
    void task.destroy();
    throw error;
  }
}

export type PdfState =
  | { state: 'loading' }
  | { state: 'failed'; reason: 'password' | 'damaged' | 'unavailable' }
  | { state: 'open'; pdf: OpenedPdf };

/** A file that the server did not hand over is no fault of the file: whoever reads cannot mend it. */
function reasonOf(source: PdfViewSource, fault: string | undefined): 'password' | 'damaged' | 'unavailable' {
  if (fault === 'PasswordException') return 'password';
  return 'file' in source || fault === 'InvalidPDFException' ? 'damaged' : 'unavailable';
}

async function languageOf(document: PDFDocumentProxy): Promise<string | null> {
  const { info } = await document.getMetadata().catch(() => ({ info: {} }));
  const { Language: language } = info as { Language?: unknown };
  return typeof language === 'string' && /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(language) ? language : null;
}

/** Opens a PDF for viewing and closes it with the component. `key` names the source: a new one opens anew. */
export function usePdf(source: PdfViewSource, key: string): PdfState {
  const [state, setState] = useState<PdfState>({ state: 'loading' });
  // biome-ignore lint: the key stands for the source
  useEffect(() => {
    let current = true;
    let opened: PDFDocumentProxy | null = null;
    setState({ state: 'loading' });
    const fail = () => {
      if (current) setState({ state: 'failed', reason: 'unavailable' });
    };
    openDocument(source, fail)
      .then(async (document) => {
        opened = document;
        const [page, language] = await Promise.all([document.getPage(1), languageOf(document)]);
        if (current) setState({ state: 'open', pdf: { document, pageCount: document.numPages, first: geometryOf(page), language } });
        else await document.loadingTask.destroy();
      })
      .catch((error: { name?: string }) => {
        if (current) setState({ state: 'failed', reason: reasonOf(source, error.name) });
      });
    return () => {
      current = false;
      void opened?.loadingTask.destroy();
    };
  }, [key]);
  return state;
}
