import { createHash } from 'node:crypto';
import type { Call, Reply } from '@lavra/api';
import { DomainError } from '@lavra/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Ctx } from '../context.ts';
import { claimKey, type KeptReply, readKey, releaseKey, storeReply } from './idempotency.store.ts';

interface Exchange {
  request: FastifyRequest;
  reply: FastifyReply;
}

/** What is done once, and whom the answer goes to. */
interface Once {
  id: string;
  requestHash: string;
  reply: FastifyReply;
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/**
 * Idempotency key: with an `Idempotency-Key` header a repeated request acts once and gets the first answer again. Key, act and
 * answer are one transaction: there is no moment at which a crash leaves one without the others, and a
 * second request waits for the first. A failed act gives the key back. Without the header the call acts each time.
 * @throws DomainError request.idempotencyMismatch (same key, other request)
 */
export async function onceForKey<C extends Call>(
  ctx: Ctx,
  { request, reply }: Exchange,
  caller: string,
  call: C,
  act: (within: Ctx) => Promise<Reply<C>>,
  isAnswer: (answer: Reply<C>) => Promise<boolean>,
): Promise<Reply<C>> {
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string' || key === '') return act(ctx);
  const id = sha256(`${caller}\n${call.method} ${call.path}\n${key}`);
  const requestHash = sha256(JSON.stringify([request.params, request.body ?? null]));
  if (request.isMultipart()) return onceForUpload(ctx, { id, requestHash, reply }, act, isAnswer);
  return ctx.transaction(async (tx) => {
    if (!(await claimKey(tx, id, requestHash))) return replay(tx, { id, requestHash, reply });
    const answer = await act(tx);
    await storeReply(tx, id, keptReply(reply, answer));
    return answer;
  });
}

/**
 * A slow upload must not hold a transaction: the key is claimed before and the answer noted after it. A program that dies between
 * leaves an act without its answer, and who is slow may be taken for dead: the act names what it makes after the key (`onceFor`), so that
 * whoever does it again finds it made. Its body is not in memory: whether the first answer is one to it, `isAnswer` says.
 * @throws DomainError request.conflict while the first one still runs, request.idempotencyMismatch
 */
async function onceForUpload<R>(
  ctx: Ctx,
  once: Once,
  act: (within: Ctx) => Promise<R>,
  isAnswer: (answer: R) => Promise<boolean>,
): Promise<R> {
  const { id, requestHash, reply } = once;
  if (!(await claimKey(ctx, id, requestHash))) {
    const first = await replay<R>(ctx, once);
    if (!(await isAnswer(first))) throw new DomainError('request.idempotencyMismatch');
    return first;
  }
  try {
    const answer = await act({ ...ctx, onceFor: id });
    await storeReply(ctx, id, keptReply(reply, answer));
    return answer;
  } catch (error) {
    await releaseKey(ctx, id);
    throw error;
  }
}

async function replay<R>(ctx: Ctx, { id, requestHash, reply }: Once): Promise<R> {
  const known = await readKey(ctx, id);
  if (known && known.requestHash !== requestHash) throw new DomainError('request.idempotencyMismatch');
  if (!known?.reply) throw new DomainError('request.conflict');
  const { status, headers, body } = known.reply;
  // An older version kept the body alone.
  if (status !== undefined) void reply.code(status).headers(headers ?? {});
  return body as R;
}

/** Beside the body, what the act said of itself: that something was created, and which (section 8). */
function keptReply(reply: FastifyReply, body: unknown): KeptReply {
  const told = ['x-app-alert', 'x-app-params'].flatMap((name) => {
    const value = reply.getHeader(name);
    return value === undefined ? [] : [[name, String(value)] as const];
  });
  return { body: body ?? null, status: reply.statusCode, headers: Object.fromEntries(told) };
}
