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

/** A file of this computer, judged. */
export interface VerifiedFile {
  file: File;
  report: VerificationReport;
  at: Date;
  /** Its SHA-256 in hexadecimal, once it is made; null where it could not be. */
  hash: Promise<string | null>;
}

/** Verifies a file of this computer in a worker; `onProgress` hears from 0 to 1. @throws UnreadableFile and what calls throw */
export async function verifyFile(file: File, onProgress: (part: number) => void): Promise<VerifiedFile> {
  const { anchors, intermediates, crls, lists } = await callApi(getTrust, {});
  const at = new Date();
  const request: VerifyRequest = {
    file,
    trust: {
      anchors: anchors.map(({ certificate, name, uses }) => ({ certificate: bytes(certificate), name, uses })),
      intermediates: intermediates.map(bytes),
    },
    crls: crls.map(bytes),
    lists: lists.map((key) => ({ key, address: callAddress(getRevocationList, { key }) })),
    at,
  };
  const worker = new Worker(new URL('./verify-file.worker.ts', import.meta.url), { type: 'module' });
  const hash = Promise.withResolvers<string | null>();
  const report = await new Promise<VerificationReport>((resolve, reject) => {
    const fail = (code: string) => {
      hash.resolve(null);
      worker.terminate();
      // Of what has been told already this changes nothing.
      reject(new UnreadableFile(code));
    };
    worker.onmessage = ({ data }: MessageEvent<VerifyAnswer>) => {
      if ('progress' in data) onProgress(data.progress);
      else if ('report' in data) resolve(data.report);
      else if ('hash' in data) {
        hash.resolve(data.hash);
        worker.terminate();
      } else fail(data.code);
    };
    worker.onerror = () => fail('UNEXPECTED');
    worker.postMessage(request);
  });
  return { file, report, at, hash: hash.promise };
}

function bytes(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
}
