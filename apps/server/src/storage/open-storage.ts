import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { BlobPlace } from './blob-place.ts';
import type { BlobStore } from './blob-store.ts';
import { openDiskPlace } from './disk-place.ts';
import { type StorageLedger, verifiedStore } from './verified-store.ts';

export type StorageSettings = Pick<Config, 'dataDir' | 's3'>;

/** The place that the configuration names. The bucket's client is large: it is loaded only where a bucket is configured. */
export async function openPlace(settings: StorageSettings): Promise<BlobPlace> {
  if (!settings.s3) return openDiskPlace(join(settings.dataDir, 'blobs'));
  const { openS3Place } = await import('./s3-place.ts');
  return openS3Place(settings.s3);
}

/** The store that the configuration names. Without a ledger it is for reading only: see `StorageLedger.stored`. */
export async function openStorage(settings: StorageSettings, ledger?: StorageLedger): Promise<BlobStore> {
  return verifiedStore(await openPlace(settings), ledger);
}
