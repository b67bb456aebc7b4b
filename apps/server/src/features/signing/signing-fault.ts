import type { DomainErrorCode } from '@lavra/domain';
import { PadesError } from '@lavra/pades';
import { StorageError } from '../../storage/blob-store.ts';

export interface SigningFault {
  reason: DomainErrorCode;
  /** Another try with the same data would end the same. */
  permanent: boolean;
}

/** What a failed try means to the signer who waits for it. */
export function signingFault(error: unknown): SigningFault {
  // A storage is mended without the signer: a file given back, room made, a bucket reached again.
  if (error instanceof StorageError) return { reason: error.code, permanent: false };
  if (error instanceof PadesError) {
    if (error.code.startsWith('TIMESTAMP_')) return { reason: 'signing.timestampUnavailable', permanent: false };
    if (error.code.startsWith('IMAGE_')) return { reason: 'evidence.imageDamaged', permanent: true };
  }
  return { reason: 'server.unexpected', permanent: false };
}
