import { canDownload, DomainError } from '@lavra/domain';
import type { LoadedProcess } from '../processes/signature-process.ts';

/** The files of a process can be had: it finished with success, and they are kept. @throws DomainError document.notFinished, document.removed */
export function assertDownloadable(loaded: LoadedProcess): void {
  if (loaded.filesRemovedAt !== null) throw new DomainError('document.removed');
  if (!canDownload(loaded)) throw new DomainError('document.notFinished');
}
