import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { BlobPlace } from './blob-place.ts';
import type { BlobStore } from './blob-store.ts';
import { openDiskPlace } from './disk-place.ts';
import { atOnceReader, type FileReader } from './file-reader.ts';
import { verifiedStore } from './verified-store.ts';

export type StorageSettings = Pick<Config, 'dataDir' | 's3'>;

/** The place that the configuration names. The bucket's client is large: it is loaded only where a bucket is configured. */
export async function openPlace(settings: StorageSettings, reader?: FileReader): Promise<BlobPlace> {
  if (!settings.s3) return openDiskPlace(join(settings.dataDir, 'blobs'), reader);
  const { openS3Place } = await import('./s3-place.ts');
  return openS3Place(settings.s3);
}

/** The store that the configuration names, as a worker process reads it. It keeps no books: see `StorageLedger.stored`. */
export async function openStorage(settings: StorageSettings): Promise<BlobStore> {
  return verifiedStore(await openPlace(settings, atOnceReader));
}
