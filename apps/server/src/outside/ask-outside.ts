import type { Ctx } from '../context.ts';
import { findAnswer, keepAnswer } from './outside-answers.store.ts';
import { OutsideFault, type OutsideRequest } from './outside.ts';
import { questionKey } from './spare-the-silent.ts';

/** A kept answer is asked for again after this long, since an authority may revoke before it had announced to speak again. */
const FRESH_MS = 24 * 3_600_000;

export interface Question<T> extends OutsideRequest {
  /** How old a kept answer may be without asking again; a day unless said. */
  freshMs?: number;
  /** What the bytes say and until when they may be kept (null: not at all); null when they are no answer to this. */
  read(bytes: Uint8Array): Promise<{ value: T; until: Date | null } | null>;
}

export interface Answer<T> {
  bytes: Uint8Array;
  value: T;
}

/**
 * Read-through cache: asks the kept answers first, then the address. Only what `read` took is believed or kept; what cannot be had is null, and
 * told in the log.
 */
export async function askOutside<T>(ctx: Ctx, question: Question<T>): Promise<Answer<T> | null> {
  const key = questionKey(question);
  const kept = await findAnswer(ctx, key);
  const known = kept && (await question.read(kept.body));
  const old = kept && known ? { bytes: kept.body, value: known.value } : null;
  // An answer from the future was fetched by a clock that has been set right since: how old it is nobody knows.
  if (kept && old && Math.abs(ctx.clock.now().getTime() - kept.fetchedAt.getTime()) < (question.freshMs ?? FRESH_MS)) return old;
  let bytes: Uint8Array;
  try {
    bytes = await ctx.outside.fetch(question);
  } catch (error) {
    if (!(error instanceof OutsideFault)) throw error;
    ctx.log.warn({ err: error, url: question.url }, 'an address named in a certificate did not answer');
    return old;
  }
  const answer = await question.read(bytes);
  if (!answer) {
    ctx.log.warn({ url: question.url, size: bytes.length }, 'an address named in a certificate answered with something unusable');
    return old;
  }
  if (answer.until && answer.until > ctx.clock.now())
    await keepAnswer(ctx, { key, url: question.url, body: bytes, expiresAt: answer.until });
  return { bytes, value: answer.value };
}
