import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { BlobStore } from './blob-store.ts';
import { openDiskStore } from './disk-store.ts';

export type StorageSettings = Pick<Config, 'dataDir' | 's3'>;

/** The store that the configuration names. The bucket's client is large: it is loaded only where a bucket is configured. */
export async function openStorage(settings: StorageSettings): Promise<BlobStore> {
  if (!settings.s3) return openDiskStore(join(settings.dataDir, 'blobs'));
  const { openS3Store } = await import('./s3-store.ts');
  return openS3Store(settings.s3);
}
