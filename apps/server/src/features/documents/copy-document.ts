import { randomUUID } from 'node:crypto';
import { checkedFileName, DomainError } from '@lavra/domain';
import type { Person } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { findUpload } from './document-rows.store.ts';
import { keepInspected } from './keep-document.ts';
import { maxFileBytes, uploadRoom } from './upload-room.ts';

/**
 * One more document of bytes that the actor has uploaded before, by their SHA-256. It takes room as an upload does.
 * @throws DomainError document.nameInvalid, document.notFound: no such bytes of the actor's, document.tooLarge, and what the room refuses
 */
export async function copyDocument(ctx: Ctx, actor: Person, { name, hash }: { name: string; hash: string }): Promise<string> {
  const fileName = checkedFileName(name);
  const upload = await findUpload(ctx, actor.userId, hash.toLowerCase());
  if (!upload) throw new DomainError('document.notFound', { field: 'hash' });
  const maxBytes = maxFileBytes(ctx, actor);
  if (upload.size > maxBytes)
    throw new DomainError('document.tooLarge', { params: { name: fileName.slice(0, 80), megabytes: Math.floor(maxBytes / 1024 / 1024) } });
  await uploadRoom(ctx, actor).take(upload.size, null);
  const id = randomUUID();
  await keepInspected(ctx, { ...upload, id, name: fileName, createdAt: ctx.clock.now() });
  return id;
}
