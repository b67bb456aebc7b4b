import { createHash } from 'node:crypto';
import type { UploadedDocument } from '@lavra/api';
import type { Person } from '../../access/actor.ts';
import { limitRate } from '../../access/limits.store.ts';
import type { Ctx } from '../../context.ts';
import type { IncomingFile } from './upload-documents.ts';

interface RepeatedUpload {
  files: AsyncIterable<Pick<IncomingFile, 'continues' | 'bytes'>>;
  answered: readonly Pick<UploadedDocument, 'hash' | 'size'>[];
}

/**
 * Whether these files are those that were answered for; of one that came in pieces only its last piece is here. Each is read for it and
 * counts as an upload; of one that is longer no more is read than shows that.
 * @throws DomainError request.tooMany
 */
export async function answersUpload(ctx: Ctx, actor: Person, { files, answered }: RepeatedUpload): Promise<boolean> {
  let count = 0;
  for await (const { continues, bytes } of files) {
    await limitRate(ctx, 'upload', actor.userId);
    const first = answered[count];
    if (!first) return false;
    const hash = createHash('sha256');
    let size = 0;
    for await (const chunk of bytes) {
      size += chunk.length;
      if (size > first.size) return false;
      hash.update(chunk);
    }
    if (!continues && hash.digest('hex') !== first.hash) return false;
    count += 1;
  }
  return count === answered.length;
}
