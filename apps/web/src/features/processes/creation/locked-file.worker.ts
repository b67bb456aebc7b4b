import { openPdf, PadesError, withoutPassword } from '@lavra/pades';

/** What the page asks for: a copy of a file of this computer that needs no password. */
export interface LockedFileRequest {
  file: File;
  password: string;
}

/** The copy, and SHA-256 of the file it is of; or why there is none. */
export type LockedFileAnswer = { copy: Blob; hash: string } | { code: string };

const answer = (message: LockedFileAnswer) => postMessage(message);

async function open({ file, password }: LockedFileRequest): Promise<LockedFileAnswer> {
  const read = async (offset: number, length: number) => new Uint8Array(await file.slice(offset, offset + length).arrayBuffer());
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of withoutPassword(await openPdf({ size: file.size, read }, { password })))
    pieces.push(piece as Uint8Array<ArrayBuffer>);
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  const hash = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return { copy: new Blob(pieces, { type: 'application/pdf' }), hash };
}

onmessage = async ({ data }: MessageEvent<LockedFileRequest>) => {
  try {
    answer(await open(data));
  } catch (error) {
    answer({ code: error instanceof PadesError ? error.code : 'UNEXPECTED' });
  }
};
