import type { LockedFileAnswer, LockedFileRequest } from './locked-file.worker.ts';

/** A file that was opened: the copy that needs no password, and SHA-256 of the one that does. */
export interface OpenedFile {
  file: File;
  openedFrom: string;
}

/** Why a file does not open, as the key of its sentence. */
export class LockedFileFault extends Error {
  readonly key: string;

  constructor(key: string) {
    super(key);
    this.key = key;
  }
}

const sentences: Record<string, string> = {
  ENCRYPTED: 'prepare.locked.wrongPassword',
  OWNER_FORBIDS: 'prepare.locked.ownerForbids',
  CHANGE_NOT_PERMITTED: 'prepare.locked.signed',
};

async function ask(request: LockedFileRequest): Promise<LockedFileAnswer> {
  const worker = new Worker(new URL('./locked-file.worker.ts', import.meta.url), { type: 'module' });
  try {
    return await new Promise((resolve) => {
      worker.onmessage = ({ data }: MessageEvent<LockedFileAnswer>) => resolve(data);
      worker.onerror = () => resolve({ code: 'UNEXPECTED' });
      worker.postMessage(request);
    });
  } finally {
    worker.terminate();
  }
}

/** Opens a file with its password, here: neither leaves this computer, and the password is kept nowhere. @throws LockedFileFault */
export async function openLockedFile(file: File, password: string): Promise<OpenedFile> {
  const answer = await ask({ file, password });
  if ('copy' in answer) return { file: new File([answer.copy], file.name, { type: 'application/pdf' }), openedFrom: answer.hash };
  const code = 'code' in answer ? answer.code : 'UNEXPECTED';
  throw new LockedFileFault(sentences[code] ?? 'prepare.locked.unreadable');
}
