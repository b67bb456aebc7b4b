import { createHash, randomUUID } from 'node:crypto';
import { CopyObjectCommand, DeleteObjectCommand, GetObjectCommand, HeadObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { Readable } from 'node:stream';
import type { Config } from '../config.ts';
import { type BlobStore, BlobMissingError, BlobTooLargeError } from './blob-store.ts';

/**
 * Blobs in a bucket. The hash is known only at the end of the stream: the bytes go to `tmp/<uuid>` and are
 * copied inside the bucket to `aa/bb/<sha256>`. Integrity rests on our own hash, never on the server's checks.
 */
export function openS3Store(options: NonNullable<Config['s3']>): BlobStore {
  const client = new S3Client({
    region: options.region,
    forcePathStyle: true,
    // Older servers refuse the default CRC trailer.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(options.endpoint ? { endpoint: options.endpoint } : {}),
    ...(options.accessKeyId && options.secretAccessKey
      ? { credentials: { accessKeyId: options.accessKeyId, secretAccessKey: options.secretAccessKey } }
      : {}),
  });
  const Bucket = options.bucket;
  const keyOf = (sha256: string) => `${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`;
  const has = (sha256: string) =>
    client.send(new HeadObjectCommand({ Bucket, Key: keyOf(sha256) })).then(
      () => true,
      (error: { $metadata?: { httpStatusCode?: number } }) => {
        if (error.$metadata?.httpStatusCode === 404) return false;
        throw error;
      },
    );

  async function* read(sha256: string, range?: { offset: number; length: number }): AsyncGenerator<Uint8Array> {
    if (range && range.length === 0) return;
    const Range = range ? { Range: `bytes=${range.offset}-${range.offset + range.length - 1}` } : {};
    const answer = await client.send(new GetObjectCommand({ Bucket, Key: keyOf(sha256), ...Range })).catch((error: { name?: string }) => {
      throw error.name === 'NoSuchKey' ? new BlobMissingError(sha256) : error;
    });
    yield* answer.Body as Readable;
  }

  return {
    has,
    read,
    async put(content, { maxBytes = Number.POSITIVE_INFINITY } = {}) {
      const hash = createHash('sha256');
      let size = 0;
      let fault: unknown;
      async function* counted() {
        try {
          for await (const chunk of content) {
            size += chunk.length;
            if (size > maxBytes) throw new BlobTooLargeError();
            hash.update(chunk);
            yield chunk;
          }
        } catch (error) {
          fault = error;
          throw error;
        }
      }
      const Key = `tmp/${randomUUID()}`;
      try {
        await new Upload({
          client,
          params: { Bucket, Key, Body: Readable.from(counted()) },
          partSize: 8 * 1024 * 1024,
          queueSize: 2,
        }).done();
        const sha256 = hash.digest('hex');
        if (!(await has(sha256))) {
          await client.send(new CopyObjectCommand({ Bucket, Key: keyOf(sha256), CopySource: `${Bucket}/${Key}` }));
        }
        return { sha256, size };
      } catch (error) {
        // What broke the content tells more than the upload's own clean-up after it.
        throw fault ?? error;
      } finally {
        await client.send(new DeleteObjectCommand({ Bucket, Key })).catch(() => {});
      }
    },
    async readRange(sha256, range) {
      const chunks: Uint8Array[] = [];
      for await (const chunk of read(sha256, range)) chunks.push(chunk);
      return Buffer.concat(chunks);
    },
    async delete(sha256) {
      await client.send(new DeleteObjectCommand({ Bucket, Key: keyOf(sha256) }));
    },
  };
}
