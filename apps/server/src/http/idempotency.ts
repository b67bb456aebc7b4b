import { createHash } from 'node:crypto';
import { type Call, type Reply } from '@lavra/api';
import { DomainError } from '@lavra/domain';
import type { FastifyRequest } from 'fastify';
import type { Ctx } from '../context.ts';
import { claimKey, readKey, releaseKey, storeReply } from './idempotency.store.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/**
 * With an `Idempotency-Key` header a repeated request acts once and gets the first answer again. The key is
 * claimed before the act; a failed act gives it back. Without the header the call acts each time.
 * @throws DomainError request.idempotencyMismatch (same key, other request), request.conflict (first one still runs)
 */
export async function onceForKey<C extends Call>(ctx: Ctx, request: FastifyRequest, caller: string, call: C, act: () => Promise<Reply<C>>): Promise<Reply<C>> {
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string' || key === '') return act();
  const id = sha256(`${caller}\n${call.method} ${call.path}\n${key}`);
  // A multipart body is not in memory; there the key alone identifies the request.
  const requestHash = sha256(JSON.stringify([request.params, request.body ?? null]));
  if (!(await claimKey(ctx, id, requestHash))) return replay(ctx, id, requestHash);
  try {
    const answer = await act();
    await storeReply(ctx, id, answer);
    return answer;
  } catch (error) {
    await releaseKey(ctx, id);
    throw error;
  }
}

async function replay<C extends Call>(ctx: Ctx, id: string, requestHash: string): Promise<Reply<C>> {
  const known = await readKey(ctx, id);
  if (known && known.request_hash !== requestHash) throw new DomainError('request.idempotencyMismatch');
  if (!known?.reply) throw new DomainError('request.conflict');
  return known.reply.body as Reply<C>;
}
