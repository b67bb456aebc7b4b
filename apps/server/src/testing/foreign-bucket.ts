import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';

const START_MS = 60_000;

/** A bucket of a server that another maker wrote, in the words of `Config['s3']`. */
export interface ForeignBucket {
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  stop(): Promise<void>;
}

/** Makes the bucket as soon as its server answers. `programs`: what the server consists of. */
export async function makeBucket(
  { endpoint, region, ...credentials }: Pick<ForeignBucket, 'endpoint' | 'region' | 'accessKeyId' | 'secretAccessKey'>,
  Bucket: string,
  programs: readonly ChildProcess[],
): Promise<void> {
  const client = new S3Client({ endpoint, region, forcePathStyle: true, maxAttempts: 1, credentials });
  const until = performance.now() + START_MS;
  for (let fault: unknown; ; await sleep(200)) {
    const ended = programs.find(({ exitCode }) => exitCode !== null);
    if (ended) throw new Error(`a program of the bucket's server ended with ${ended.exitCode}`, { cause: fault });
    if (performance.now() > until) throw new Error('its server made no bucket in a minute', { cause: fault });
    try {
      await client.send(new CreateBucketCommand({ Bucket }));
      return client.destroy();
    } catch (error) {
      // Its answer may have been lost on the way while the last of the servers started.
      if ((error as Error).name === 'BucketAlreadyOwnedByYou') return client.destroy();
      fault = error;
    }
  }
}
