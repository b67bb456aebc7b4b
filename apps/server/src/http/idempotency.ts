import { createHash } from 'node:crypto';
import type { Call, Reply } from '@lavra/api';
import { DomainError } from '@lavra/domain';
import type { FastifyRequest } from 'fastify';
import type { Ctx } from '../context.ts';
import { claimKey, readKey, releaseKey, storeReply } from './idempotency.store.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/**
 * Idempotency key: with an `Idempotency-Key` header a repeated request acts once and gets the first answer again. Key, act and
 * answer are one transaction: there is no moment at which a crash leaves one without the others, and a
 * second request waits for the first. A failed act gives the key back. Without the header the call acts each time.
 * @throws DomainError request.idempotencyMismatch (same key, other request)
 */
export async function onceForKey<C extends Call>(
  ctx: Ctx,
  request: FastifyRequest,
  caller: string,
  call: C,
  act: (within: Ctx) => Promise<Reply<C>>,
): Promise<Reply<C>> {
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string' || key === '') return act(ctx);
  const id = sha256(`${caller}\n${call.method} ${call.path}\n${key}`);
  const requestHash = sha256(JSON.stringify([request.params, request.body ?? null]));
  if (request.isMultipart()) return onceForUpload(ctx, id, requestHash, act);
  return ctx.transaction(async (tx) => {
    if (!(await claimKey(tx, id, requestHash))) return replay(tx, id, requestHash);
    const answer = await act(tx);
    await storeReply(tx, id, answer);
    return answer;
  });
}

/**
 * A slow upload must not hold a transaction: the key is claimed before and the answer noted after it. Its body
 * is not in memory, so the key alone identifies the request.
 * @throws DomainError request.conflict while the first one still runs
 */
async function onceForUpload<R>(ctx: Ctx, id: string, requestHash: string, act: (within: Ctx) => Promise<R>): Promise<R> {
  if (!(await claimKey(ctx, id, requestHash))) return replay(ctx, id, requestHash);
  try {
    const answer = await act(ctx);
    await storeReply(ctx, id, answer);
    return answer;
  } catch (error) {
    await releaseKey(ctx, id);
    throw error;
  }
}

async function replay<R>(ctx: Ctx, id: string, requestHash: string): Promise<R> {
  const known = await readKey(ctx, id);
  if (known && known.requestHash !== requestHash) throw new DomainError('request.idempotencyMismatch');
  if (!known?.reply) throw new DomainError('request.conflict');
  return known.reply.body as R;
}
