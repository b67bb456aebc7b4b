import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import type { Ctx } from '../../context.ts';
import { BlobFault } from '../../storage/blob-store.ts';
import { type DocumentFile, type FilePart, hashDocumentFile } from './document-file.ts';

const sha256 = (...bytes: Uint8Array[]) => createHash('sha256').update(Buffer.concat(bytes)).digest('hex');

/** A storage that tells what of it was read. */
function storing(...blobs: Uint8Array[]) {
  const kept = new Map(blobs.map((bytes) => [sha256(bytes), bytes]));
  const read: string[] = [];
  const storage = {
    async *read(hash: string) {
      read.push(hash);
      yield kept.get(hash) ?? new Uint8Array();
    },
  };
  return { ctx: { storage } as unknown as Ctx, read };
}

function fileOf(...parts: readonly { bytes: Uint8Array; fileHash: string | null }[]): DocumentFile {
  return { parts: parts.map(({ bytes, fileHash }) => ({ blobHash: sha256(bytes), fileHash }) as FilePart) } as DocumentFile;
}

describe('the hash of a file that grows by revisions', () => {
  it('is of all its bytes, and reads none again that were hashed for the revision before', async () => {
    const [upload, prepared, signed] = [randomBytes(1000), randomBytes(100), randomBytes(50)];
    const { ctx, read } = storing(upload, prepared, signed);
    const first = { bytes: upload, fileHash: sha256(upload) };
    const second = { bytes: prepared, fileHash: sha256(upload, prepared) };
    assert.equal(await hashDocumentFile(ctx, fileOf(first), { bytes: prepared, blobHash: sha256(prepared) }), second.fileHash);
    assert.deepEqual(read, [sha256(upload)]);
    const whole = sha256(upload, prepared, signed);
    // Twice, as a job that runs twice does.
    for (let run = 0; run < 2; run += 1)
      assert.equal(await hashDocumentFile(ctx, fileOf(first, second), { bytes: signed, blobHash: sha256(signed) }), whole);
    assert.equal(await hashDocumentFile(ctx, fileOf(first, second, { bytes: signed, fileHash: null })), whole);
    assert.deepEqual(read, [sha256(upload)]);
  });

  it('is refused where another was recorded, also of what was hashed before', async () => {
    const [upload, prepared] = [randomBytes(1000), randomBytes(100)];
    const { ctx } = storing(upload, prepared);
    const first = { bytes: upload, fileHash: sha256(upload) };
    const other = { bytes: prepared, fileHash: sha256(randomBytes(10)) };
    await assert.rejects(hashDocumentFile(ctx, fileOf(first, other)), BlobFault);
    await hashDocumentFile(ctx, fileOf(first), { bytes: prepared, blobHash: sha256(prepared) });
    await assert.rejects(hashDocumentFile(ctx, fileOf(first, other)), BlobFault);
  });

  it('is of the blobs that are named, in their order: others are read', async () => {
    const [one, two, more] = [randomBytes(100), randomBytes(100), randomBytes(10)];
    const { ctx, read } = storing(one, two);
    await hashDocumentFile(ctx, fileOf({ bytes: one, fileHash: null }), { bytes: two, blobHash: sha256(two) });
    read.length = 0;
    const turned = fileOf({ bytes: two, fileHash: null }, { bytes: one, fileHash: null });
    assert.equal(await hashDocumentFile(ctx, turned, { bytes: more }), sha256(two, one, more));
    assert.deepEqual(read, [sha256(two), sha256(one)]);
  });
});
