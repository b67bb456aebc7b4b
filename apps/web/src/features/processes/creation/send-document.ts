import { findUpload, sendUploadPart, type UploadedDocument, uploadDocuments } from '@lavra/api';
import { ApiError, callApi } from '../../../lib/api-client.ts';
import { uploadFile } from '../../../lib/upload-file.ts';
import { goesInParts, untilLineIsBack, uploadInParts } from '../../../lib/upload-in-parts.ts';
import type { DraftFile } from './process-draft.ts';

interface Sending {
  idempotencyKey: string;
  signal: AbortSignal;
  /** Of the file, 0 to 1. */
  onProgress(part: number): void;
  /** Nobody answers: it goes on as soon as the line is back. */
  onWaiting(): void;
}

/** Brings a chosen file to the server. A large one goes in pieces under the id that it has in its draft: wherever it breaks off, also by a closed page, it goes on. */
export async function sendDocument(chosen: DraftFile, sending: Sending): Promise<UploadedDocument | undefined> {
  const { file } = chosen;
  const { signal } = sending;
  const fields = chosen.openedFrom ? { openedFrom: chosen.openedFrom } : {};
  if (!goesInParts(file.size)) return (await uploadFile<UploadedDocument[]>(uploadDocuments, file, { ...sending, fields }))[0];
  const params = { uploadId: chosen.id };
  const piece = (from: number, end = file.size) => new File([file.slice(from, end)], file.name, { type: file.type });
  const progressFrom = (from: number, end: number) => (part: number) => sending.onProgress((from + part * (end - from)) / file.size);
  return uploadInParts(file.size, {
    received: async () => (await callApi(findUpload, { params, signal })).received,
    send: async (from, end) => {
      const onProgress = progressFrom(from, end);
      const options = { params, query: { from }, signal, onProgress };
      return (await uploadFile<{ received: number }>(sendUploadPart, piece(from, end), options)).received;
    },
    finish: async (from) => {
      const onProgress = progressFrom(from, file.size);
      const named = { ...fields, continues: chosen.id, from: String(from) };
      const { idempotencyKey } = sending;
      return (await uploadFile<UploadedDocument[]>(uploadDocuments, piece(from), { idempotencyKey, fields: named, signal, onProgress }))[0];
    },
    passes: (error) => !signal.aborted && isOfTheLine(error),
    rest(time) {
      sending.onWaiting();
      return untilLineIsBack(time);
    },
  });
}

/** Nobody answered, or said to come again; 409: the first try of the same key is still at work. */
function isOfTheLine(error: unknown): boolean {
  return error instanceof ApiError && [0, 409, 502, 503, 504].includes(error.status);
}
