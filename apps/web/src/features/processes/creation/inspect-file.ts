import type { DocumentNotice } from '@lavra/domain';

/** Looks at a chosen PDF in a worker, before it is sent anywhere: what preparing it for signing will do to it. */
export async function inspectFile(file: File): Promise<DocumentNotice[]> {
  const worker = new Worker(new URL('./inspect-file.worker.ts', import.meta.url), { type: 'module' });
  try {
    return await new Promise((resolve) => {
      worker.onmessage = ({ data }: MessageEvent<DocumentNotice[]>) => resolve(data);
      // Without a word to say beforehand: the server inspects the file anyway.
      worker.onerror = () => resolve([]);
      worker.postMessage(file);
    });
  } finally {
    worker.terminate();
  }
}
