import { getRevocationList, getTrust } from '@lavra/api';
import type { VerificationReport } from '@lavra/pades';
import { callAddress, callApi } from '../../lib/api-client.ts';
import type { VerifyAnswer, VerifyRequest } from './verify-file.worker.ts';

/** A file the engine could not even open, by its code. */
export class UnreadableFile extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** Verifies a file of this computer in a worker; `onProgress` hears from 0 to 1. @throws UnreadableFile and what calls throw */
export async function verifyFile(file: File, onProgress: (part: number) => void): Promise<VerificationReport> {
  const { anchors, intermediates, crls, lists } = await callApi(getTrust, {});
  const request: VerifyRequest = {
    file,
    trust: {
      anchors: anchors.map(({ certificate, name, uses }) => ({ certificate: bytes(certificate), name, uses })),
      intermediates: intermediates.map(bytes),
    },
    crls: crls.map(bytes),
    lists: lists.map((key) => ({ key, address: callAddress(getRevocationList, { key }) })),
    at: new Date(),
  };
  const worker = new Worker(new URL('./verify-file.worker.ts', import.meta.url), { type: 'module' });
  try {
    return await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<VerifyAnswer>) => {
        if ('progress' in data) onProgress(data.progress);
        else if ('report' in data) resolve(data.report);
        else reject(new UnreadableFile(data.code));
      };
      worker.onerror = () => reject(new UnreadableFile('UNEXPECTED'));
      worker.postMessage(request);
    });
  } finally {
    worker.terminate();
  }
}

function bytes(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
}
