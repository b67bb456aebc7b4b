import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  type _Object,
  AbortMultipartUploadCommand,
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { Config } from '../config.ts';
import { lookedAgain, riddenOut } from './ask-again.ts';
import { type BlobPlace, blobKey, isBlobName, type StagedBlob } from './blob-place.ts';
import { BlobFault, type ByteRange, StorageFullError, StorageUnavailableError } from './blob-store.ts';

export interface S3Deadlines {
  connectMs: number;
  /** Without a byte in either direction. */
  idleMs: number;
  /** Of one request in a row, the first included; `riddenOut` begins that anew. */
  attempts: number;
}

const usual: S3Deadlines = { connectMs: 5_000, idleMs: 30_000, attempts: 3 };
const PART = 8 * 1024 * 1024;
/** An answer that breaks off is asked for from there on, so often. */
const RESUMED = 2;

/**
 * Blobs in a bucket. The hash is known only at the end of the stream: the bytes go to `tmp/<uuid>` and are
 * copied inside the bucket to `aa/bb/<sha256>`. Integrity rests on our own hash, never on the server's checks.
 */
export function openS3Place(options: NonNullable<Config['s3']>, deadlines: S3Deadlines = usual): BlobPlace {
  const client = clientFor(options, deadlines);
  const Bucket = options.bucket;
  const at = (Key: string) => ({ Bucket, Key });

  return {
    read: (sha256, range) => read(client, Bucket, sha256, range),
    isBelieved: false,
    setting: { variable: 'S3_BUCKET', value: `${Bucket} (${options.endpoint ?? options.region})` },
    stage: (content, signal) => stage(client, Bucket, content, signal),
    async facts(sha256) {
      if (!isBlobName(sha256)) return null;
      const found = await unlessMissing(client.send(new HeadObjectCommand(at(blobKey(sha256)))));
      return (
        found && { size: found.ContentLength ?? 0, stamp: `${found.ETag}:${found.LastModified?.getTime()}:${found.ContentLength ?? 0}` }
      );
    },
    delete: async (sha256) => void (await client.send(new DeleteObjectCommand(at(blobKey(sha256)))).catch(tell)),
    async *list() {
      for await (const { Key = '', Size = 0 } of objects(client, Bucket)) {
        const sha256 = Key.slice(6);
        if (isBlobName(sha256) && Key === blobKey(sha256)) yield { sha256, size: Size };
      }
    },
    sweepLeftovers: (before) => sweepLeftovers(client, Bucket, before),
    async readNote(name) {
      const found = await unlessMissing(client.send(new GetObjectCommand(at(name))));
      return (await found?.Body?.transformToString().catch(tell)) ?? null;
    },
    writeNote: async (name, text) => void (await client.send(new PutObjectCommand({ ...at(name), Body: text })).catch(tell)),
    deleteNote: async (name) => void (await client.send(new DeleteObjectCommand(at(name))).catch(tell)),
  };
}

async function* read(client: S3Client, Bucket: string, sha256: string, range?: ByteRange): AsyncGenerator<Uint8Array> {
  if (!isBlobName(sha256)) throw new BlobFault(sha256, 'missing');
  if (range?.length === 0) return;
  const get = (part?: ByteRange) => {
    const Range = part ? { Range: `bytes=${part.offset}-${part.offset + part.length - 1}` } : {};
    return lookedAgain(() => unlessMissing(client.send(new GetObjectCommand({ Bucket, Key: blobKey(sha256), ...Range })), 416));
  };
  let answer = await get(range);
  if (!answer) throw new BlobFault(sha256, 'missing');
  const whole = range ?? { offset: 0, length: answer.ContentLength ?? 0 };
  let given = 0;
  for (let resumed = 0; ; resumed += 1) {
    try {
      for await (const chunk of answer.Body as AsyncIterable<Uint8Array>) {
        given += chunk.length;
        yield chunk;
      }
      return;
    } catch (error) {
      const rest = { offset: whole.offset + given, length: whole.length - given };
      // Who waited for a byte in vain has waited long enough.
      if (resumed === RESUMED || (error as S3Fault).name === 'TimeoutError' || rest.length <= 0) throw told(error);
      answer = await get(rest);
      if (!answer?.ContentRange?.startsWith(`bytes ${rest.offset}-`)) throw told(error);
    }
  }
}

function clientFor(options: NonNullable<Config['s3']>, { connectMs, idleMs, attempts }: S3Deadlines): S3Client {
  const client = new S3Client({
    region: options.region,
    forcePathStyle: true,
    maxAttempts: attempts,
    requestHandler: { connectionTimeout: connectMs, socketTimeout: idleMs },
    // Older servers refuse the default CRC trailer.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(options.endpoint ? { endpoint: options.endpoint } : {}),
    ...(options.accessKeyId && options.secretAccessKey
      ? { credentials: { accessKeyId: options.accessKeyId, secretAccessKey: options.secretAccessKey } }
      : {}),
  });
  // Whatever is asked of a bucket may be asked twice: bytes have the name of their content, or one that nobody else has.
  client.middlewareStack.add((next) => (asked) => riddenOut(() => next(asked), mayPass), { step: 'initialize', name: 'rideOut' });
  return client;
}

const cut = ['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN'];

/** The server is started again, or has more to do than it can. */
function mayPass(error: unknown): boolean {
  const { code = '', $metadata } = error as S3Fault & { code?: string };
  const status = $metadata?.httpStatusCode;
  if (isFull(error)) return false;
  return status === undefined ? cut.includes(code) : [429, 500, 502, 503, 504].includes(status);
}

async function* objects(client: S3Client, Bucket: string, Prefix?: string): AsyncGenerator<_Object> {
  let ContinuationToken: string | undefined;
  do {
    const page = await client
      .send(new ListObjectsV2Command({ Bucket, ...(Prefix ? { Prefix } : {}), ...(ContinuationToken ? { ContinuationToken } : {}) }))
      .catch(tell);
    yield* page.Contents ?? [];
    ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined;
  } while (ContinuationToken);
}

async function sweepLeftovers(client: S3Client, Bucket: string, before: Date): Promise<number> {
  let swept = 0;
  for await (const { Key = '', LastModified } of objects(client, Bucket, 'tmp/')) {
    if (!LastModified || LastModified >= before) continue;
    await client.send(new DeleteObjectCommand({ Bucket, Key })).catch(tell);
    swept += 1;
  }
  // The first thousand: the next sweep takes the next.
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: 'tmp/' })).catch(tell);
  for (const { Key = '', UploadId, Initiated } of Uploads) {
    if (!Initiated || Initiated >= before) continue;
    await unlessMissing(client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId })));
    swept += 1;
  }
  return swept;
}

async function stage(
  client: S3Client,
  Bucket: string,
  content: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): Promise<StagedBlob> {
  const Key = `tmp/${randomUUID()}`;
  const discard = async () => void (await client.send(new DeleteObjectCommand({ Bucket, Key })).catch(() => {}));
  let fault: unknown;
  let sent = 0;
  async function* watched() {
    try {
      for await (const chunk of content) {
        sent += chunk.length;
        yield chunk;
      }
    } catch (error) {
      fault = error;
      throw error;
    }
  }
  const upload = new Upload({ client, params: { Bucket, Key, Body: Readable.from(watched()) }, partSize: PART, queueSize: 2 });
  const stop = () => void upload.abort();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    signal?.throwIfAborted();
    await upload.done().catch(async (error: unknown) => {
      // Its last answer was lost and it was asked for again: what had been put together is no upload any more.
      if ((error as S3Fault).name !== 'NoSuchUpload' || (await sizeOf(client, Bucket, Key)) !== sent) throw error;
    });
  } catch (error) {
    await discard();
    // What broke the content tells more than the upload's own clean-up after it.
    throw fault ?? told(error);
  } finally {
    signal?.removeEventListener('abort', stop);
  }
  return {
    async place(sha256) {
      const copy = () => client.send(new CopyObjectCommand({ Bucket, Key: blobKey(sha256), CopySource: `${Bucket}/${Key}` }));
      if (!(await lookedAgain(() => unlessMissing(copy()))))
        throw new StorageUnavailableError(new Error('what was stored is not to be seen'));
    },
    discard,
  };
}

async function sizeOf(client: S3Client, Bucket: string, Key: string): Promise<number | null> {
  return (await unlessMissing(client.send(new HeadObjectCommand({ Bucket, Key }))))?.ContentLength ?? null;
}

interface S3Fault {
  name?: string;
  $metadata?: { httpStatusCode?: number };
}

/** Null for what is not there, or ends before what was asked for. A bucket that is not there is another fault. */
async function unlessMissing<T>(act: Promise<T>, alsoStatus = 404): Promise<T | null> {
  try {
    return await act;
  } catch (error) {
    const { name, $metadata } = error as S3Fault;
    const status = $metadata?.httpStatusCode;
    if (name !== 'NoSuchBucket' && (status === 404 || status === alsoStatus)) return null;
    throw told(error);
  }
}

const full = ['QuotaExceeded', 'QuotaExceededException', 'InsufficientStorage', 'XMinioStorageFull', 'XMinioAdminBucketQuotaExceeded'];

function isFull(error: unknown): boolean {
  const { name = '', $metadata } = error as S3Fault;
  return full.includes(name) || $metadata?.httpStatusCode === 507;
}

/** The bucket's faults in our words. */
function told(error: unknown): unknown {
  return isFull(error) ? new StorageFullError(error) : new StorageUnavailableError(error);
}

function tell(error: unknown): never {
  throw told(error);
}
