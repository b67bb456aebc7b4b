import { createReadStream, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import type { ForeignBucket } from '../apps/server/src/testing/foreign-bucket.ts';

/** Where the product keeps files, read by other means than its own. */
export interface StoredFiles {
  read(sha256: string): Promise<AsyncIterable<Buffer>>;
  /** What was under way longer than a day ago and still lies there. */
  oldLeftovers(): Promise<string[]>;
}

const DAY_MS = 86_400_000;
const keyOf = (sha256: string) => `${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`;

export function filesInFolder(root: string): StoredFiles {
  return {
    read: async (sha256) => createReadStream(join(root, keyOf(sha256))),
    oldLeftovers: async () =>
      readdirSync(join(root, 'tmp')).filter((name) => Date.now() - statSync(join(root, 'tmp', name)).mtimeMs > DAY_MS),
  };
}

export function filesInBucket({ endpoint, region, bucket: Bucket, accessKeyId, secretAccessKey }: ForeignBucket): StoredFiles {
  const client = new S3Client({ endpoint, region, forcePathStyle: true, credentials: { accessKeyId, secretAccessKey } });
  return {
    async read(sha256) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: keyOf(sha256) }));
      return Body as AsyncIterable<Buffer>;
    },
    async oldLeftovers() {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket, Prefix: 'tmp/' }));
      return Contents.filter(({ LastModified }) => Date.now() - Number(LastModified) > DAY_MS).map(({ Key = '' }) => Key);
    },
  };
}
