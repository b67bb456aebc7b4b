import type { FileLook } from './inspect-file.worker.ts';

/** Looks at a chosen PDF in a worker, before it is sent anywhere: what preparing it for signing will do to it, and whether it opens. */
export async function inspectFile(file: File): Promise<FileLook> {
  const worker = new Worker(new URL('./inspect-file.worker.ts', import.meta.url), { type: 'module' });
  try {
    return await new Promise((resolve) => {
      worker.onmessage = ({ data }: MessageEvent<FileLook>) => resolve(data);
      // Without a word to say beforehand: the server inspects the file anyway.
      worker.onerror = () => resolve({ notices: [], isLocked: false, refusal: null, facts: null });
      worker.postMessage(file);
    });
  } finally {
    worker.terminate();
  }
}
