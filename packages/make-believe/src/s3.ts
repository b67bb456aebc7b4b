import { createHash, createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How a make-believe bucket misbehaves, for requests that `when` picks (all by default). */
export interface S3Fault {
  /**
   * `hole`: never answers. `cut`: ends the connection after `bytes` of the answer's body. `slow`: pauses for `ms` before each 16 KB. What only
   * looks like success: `lost` keeps nothing, `short` keeps half, `wrong` gives a byte changed, `half` gives half, `whole` knows no ranges,
   * `endless` gives what is asked for and never stops. What only looks like failure: `kept` does it and answers 500, `unseen` answers 404 for
   * what is there. `reset`: ends the connection instead of an answer, before anything is done. `failed`: 500, nothing is done.
   */
  kind:
    | 'hole'
    | 'reset'
    | 'failed'
    | 'unseen'
    | 'slowDown'
    | 'quota'
    | 'cut'
    | 'slow'
    | 'lost'
    | 'short'
    | 'wrong'
    | 'half'
    | 'whole'
    | 'endless'
    | 'kept';
  when?: (method: string, key: string) => boolean;
  bytes?: number;
  ms?: number;
}

export interface MakeBelieveS3 {
  endpoint: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** By key. Tests look and change. */
  objects: Map<string, { bytes: Buffer; modified: Date }>;
  uploads: Map<string, { key: string; begun: Date; parts: Map<number, Buffer> }>;
  fault: S3Fault | null;
  /** `GET aa/bb/…`, in order. */
  asked: string[];
  close(): Promise<void>;
}

const escape = (text: string) => text.replace(/[<&>]/g, (found) => ({ '<': '&lt;', '&': '&amp;', '>': '&gt;' })[found] ?? '');
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
const etagOf = (bytes: Buffer) => `"${createHash('md5').update(bytes).digest('hex')}"`;

class S3Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string) {
    super(code);
    this.status = status;
    this.code = code;
  }
}

/**
 * A bucket over HTTP as a program meets it: objects, copies, ranges, pages of a list, uploads in parts, and signed requests
 * (AWS Signature 4) whose secret is checked. In memory, on loopback.
 */
export async function startMakeBelieveS3(): Promise<MakeBelieveS3> {
  const server = createServer((request, response) => void answer(s3, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const s3: MakeBelieveS3 = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bucket: 'lavra',
    accessKeyId: 'make-believe',
    secretAccessKey: randomUUID(),
    objects: new Map(),
    uploads: new Map(),
    fault: null,
    asked: [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return s3;
}

async function answer(s3: MakeBelieveS3, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', s3.endpoint);
  const [, bucket = '', ...rest] = decodeURIComponent(url.pathname).split('/');
  const key = rest.join('/');
  const method = request.method ?? 'GET';
  s3.asked.push(`${method} ${key}`);
  const fault = s3.fault && (s3.fault.when?.(method, key) ?? true) ? s3.fault : null;
  if (fault?.kind === 'hole') return;
  try {
    const body = await bodyOf(request);
    if (!isSigned(s3, request, url)) throw new S3Refusal(403, 'SignatureDoesNotMatch');
    if (fault?.kind === 'reset') return void request.socket.resetAndDestroy();
    if (fault?.kind === 'unseen') throw new S3Refusal(404, 'NoSuchKey');
    if (fault?.kind === 'failed') throw new S3Refusal(500, 'InternalError');
    if (fault?.kind === 'slowDown') throw new S3Refusal(503, 'SlowDown');
    if (fault?.kind === 'quota' && (method === 'PUT' || method === 'POST')) throw new S3Refusal(507, 'InsufficientStorage');
    if (bucket !== s3.bucket) throw new S3Refusal(404, 'NoSuchBucket');
    if (fault?.kind === 'whole') delete request.headers.range;
    const before = s3.objects.get(key);
    const reply = act(s3, { method, key, query: url.searchParams, headers: request.headers, body });
    if (fault?.kind === 'lost') restore(s3, key, before);
    const kept = s3.objects.get(key);
    if (fault?.kind === 'short' && method === 'PUT' && kept)
      s3.objects.set(key, { ...kept, bytes: kept.bytes.subarray(0, kept.bytes.length >> 1) });
    if (fault?.kind === 'kept') throw new S3Refusal(500, 'InternalError');
    await send(response, method, reply, fault);
  } catch (error) {
    if (!(error instanceof S3Refusal)) return void response.destroy(error as Error);
    const xml = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${error.code}</Code><Message>${error.code}</Message></Error>`;
    response.writeHead(error.status, { 'content-type': 'application/xml' }).end(method === 'HEAD' ? undefined : xml);
  }
}

function restore(s3: MakeBelieveS3, key: string, before: { bytes: Buffer; modified: Date } | undefined): void {
  if (before) s3.objects.set(key, before);
  else s3.objects.delete(key);
}

interface Asked {
  method: string;
  key: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

interface Reply {
  status: number;
  headers?: Record<string, string>;
  body?: Buffer | string;
}

function act(s3: MakeBelieveS3, asked: Asked): Reply {
  const { method, key, query } = asked;
  if (key === '') return query.has('uploads') ? listUploads(s3) : listObjects(s3, query);
  if (query.has('uploads') || query.has('uploadId')) return actOnUpload(s3, asked);
  if (method === 'DELETE') {
    s3.objects.delete(key);
    return { status: 204 };
  }
  if (method === 'PUT') return put(s3, asked);
  return get(s3, asked);
}

function put(s3: MakeBelieveS3, { key, headers, body }: Asked): Reply {
  const source = headers['x-amz-copy-source'];
  let bytes = body;
  if (typeof source === 'string') {
    const found = s3.objects.get(decodeURIComponent(source).replace(/^\/?[^/]+\//, ''));
    if (!found) throw new S3Refusal(404, 'NoSuchKey');
    bytes = found.bytes;
  }
  s3.objects.set(key, { bytes: Buffer.from(bytes), modified: new Date() });
  const copied = `<CopyObjectResult><ETag>${etagOf(bytes)}</ETag></CopyObjectResult>`;
  return { status: 200, headers: { etag: etagOf(bytes) }, ...(source ? { body: copied } : {}) };
}

function get(s3: MakeBelieveS3, { key, headers }: Asked): Reply {
  const found = s3.objects.get(key);
  if (!found) throw new S3Refusal(404, 'NoSuchKey');
  const { bytes, modified } = found;
  const common = { etag: etagOf(bytes), 'last-modified': modified.toUTCString(), 'accept-ranges': 'bytes' };
  const range = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '');
  if (!range) return { status: 200, headers: common, body: bytes };
  const [from, to] = [Number(range[1]), Math.min(Number(range[2]), bytes.length - 1)];
  if (from >= bytes.length) throw new S3Refusal(416, 'InvalidRange');
  return {
    status: 206,
    headers: { ...common, 'content-range': `bytes ${from}-${to}/${bytes.length}` },
    body: bytes.subarray(from, to + 1),
  };
}

/** Pages of three, so that whoever lists has to turn them. */
const PAGE = 3;

function listObjects(s3: MakeBelieveS3, query: URLSearchParams): Reply {
  const prefix = query.get('prefix') ?? '';
  const after = query.get('continuation-token') ?? '';
  const keys = [...s3.objects.keys()].filter((key) => key.startsWith(prefix) && key > after).toSorted();
  const page = keys.slice(0, PAGE);
  const contents = page.map((key) => {
    const { bytes, modified } = s3.objects.get(key) ?? { bytes: Buffer.alloc(0), modified: new Date() };
    return `<Contents><Key>${escape(key)}</Key><Size>${bytes.length}</Size><LastModified>${modified.toISOString()}</LastModified></Contents>`;
  });
  const next = keys.length > PAGE ? `<NextContinuationToken>${escape(page.at(-1) ?? '')}</NextContinuationToken>` : '';
  return {
    status: 200,
    body: `<ListBucketResult><IsTruncated>${keys.length > PAGE}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`,
  };
}

function listUploads(s3: MakeBelieveS3): Reply {
  const uploads = [...s3.uploads].map(
    ([id, { key, begun }]) =>
      `<Upload><Key>${escape(key)}</Key><UploadId>${id}</UploadId><Initiated>${begun.toISOString()}</Initiated></Upload>`,
  );
  return {
    status: 200,
    body: `<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${uploads.join('')}</ListMultipartUploadsResult>`,
  };
}

function actOnUpload(s3: MakeBelieveS3, { method, key, query, body }: Asked): Reply {
  if (query.has('uploads')) {
    const id = randomUUID();
    s3.uploads.set(id, { key, begun: new Date(), parts: new Map() });
    return { status: 200, body: `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>` };
  }
  const id = query.get('uploadId') ?? '';
  const upload = s3.uploads.get(id);
  if (!upload) throw new S3Refusal(404, 'NoSuchUpload');
  if (method === 'PUT') {
    upload.parts.set(Number(query.get('partNumber')), body);
    return { status: 200, headers: { etag: etagOf(body) } };
  }
  s3.uploads.delete(id);
  if (method === 'DELETE') return { status: 204 };
  const bytes = Buffer.concat([...upload.parts].toSorted(([a], [b]) => a - b).map(([, part]) => part));
  s3.objects.set(key, { bytes, modified: new Date() });
  return { status: 200, body: `<CompleteMultipartUploadResult><ETag>${etagOf(bytes)}</ETag></CompleteMultipartUploadResult>` };
}

async function send(
  response: ServerResponse,
  method: string,
  { status, headers = {}, body = '' }: Reply,
  fault: S3Fault | null,
): Promise<void> {
  const bytes = harmed(Buffer.from(body), fault?.kind);
  response.writeHead(status, {
    ...(fault?.kind === 'endless' ? {} : { 'content-length': bytes.length }),
    ...(typeof body === 'string' && body ? { 'content-type': 'application/xml' } : {}),
    ...headers,
  });
  if (method === 'HEAD') return void response.end();
  if (fault?.kind === 'cut') return void response.write(bytes.subarray(0, fault.bytes ?? 0), () => response.destroy());
  while (fault?.kind === 'endless' && !response.destroyed) {
    response.write(bytes);
    await new Promise((resolve) => setImmediate(resolve));
  }
  for (let at = 0; fault?.kind === 'slow' && at < bytes.length; at += 16_384) {
    response.write(bytes.subarray(at, at + 16_384));
    await new Promise((resolve) => setTimeout(resolve, fault.ms ?? 0));
  }
  response.end(fault?.kind === 'slow' ? undefined : bytes);
}

function harmed(bytes: Buffer, kind: S3Fault['kind'] | undefined): Buffer {
  if (kind === 'half') return bytes.subarray(0, bytes.length >> 1);
  const at = bytes.length >> 1;
  if (kind === 'wrong' && bytes.length > 0) bytes[at] = (bytes[at] ?? 0) ^ 1;
  return bytes;
}

/** A body as it was meant: the client may send it in signed chunks. */
async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const raw = Buffer.concat(chunks);
  if (!String(request.headers['content-encoding'] ?? '').includes('aws-chunked')) return raw;
  const parts: Buffer[] = [];
  for (let at = 0; at < raw.length;) {
    const end = raw.indexOf('\r\n', at);
    const size = Number.parseInt(raw.toString('latin1', at, end), 16);
    if (!(size > 0)) break;
    parts.push(raw.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
  return Buffer.concat(parts);
}

/** AWS Signature Version 4 over the headers that the client names. */
function isSigned(s3: MakeBelieveS3, { method = '', headers, url = '' }: IncomingMessage, { searchParams }: URL): boolean {
  const found = /Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, *SignedHeaders=([^,]+), *Signature=([0-9a-f]+)/.exec(
    headers.authorization ?? '',
  );
  if (!found || found[1] !== s3.accessKeyId) return false;
  const [, , day = '', region = '', names = '', signature] = found;
  const encode = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
  const query = [...searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join('&');
  const lines = names.split(';').map(
    (name) =>
      `${name}:${String(headers[name] ?? '')
        .trim()
        .replace(/ +/g, ' ')}\n`,
  );
  const canonical = [method, url.split('?')[0], query, lines.join(''), names, headers['x-amz-content-sha256']].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', headers['x-amz-date'], `${day}/${region}/s3/aws4_request`, sha256(canonical)].join('\n');
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${s3.secretAccessKey}`);
  return hmac(key, toSign).toString('hex') === signature;
}
