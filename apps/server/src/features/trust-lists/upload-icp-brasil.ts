import type { LoadedAuthorities } from '@lavra/api';
import { DomainError } from '@lavra/domain';
import type { Person } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { LIST_BYTES, loadAuthorities } from './load-authorities.ts';

/** Takes ITI's file as an administrator uploads it. @throws DomainError trust.listUnreadable, trust.listUnproven */
export async function uploadIcpBrasil(
  ctx: Ctx,
  actor: Person,
  files: AsyncIterable<{ bytes: AsyncIterable<Uint8Array> }>,
): Promise<LoadedAuthorities> {
  for await (const { bytes } of files) return loadAuthorities(ctx, actor, { bytes: await wholeOf(bytes), source: 'upload' });
  throw new DomainError('trust.listUnreadable', { field: 'file' });
}

async function wholeOf(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > LIST_BYTES) throw new DomainError('trust.listUnreadable', { field: 'file' });
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}
