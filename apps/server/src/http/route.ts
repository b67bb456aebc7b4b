import { createHash } from 'node:crypto';
import { type Body, type Call, type Params, type Query, rateLimits, type Reply } from '@lavra/api';
import { DomainError } from '@lavra/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { $ZodIssue, $ZodType } from 'zod/v4/core';
import { safeParse } from 'zod/v4/core';
import type { Ctx } from '../context.ts';
import { DatabaseAwayError } from '../db/database-away.ts';
import type { Person, SignerLink, Visitor } from '../access/actor.ts';
import type { Ahead } from '../access/first-reading.store.ts';
import { limitAtDoor } from '../access/limits.store.ts';
import { actorOf, admit, type Caller, callerOf, isOpen } from './auth.ts';
import { bodyKind } from './body-kind.ts';
import { onceForKey } from './idempotency.ts';
import { InvalidRequestError } from './problem.ts';
import { refusedAccess } from './refused-access.ts';

/** Who acts, by what a call asks for. */
type ActorFor<A> = A extends 'public'
  ? Visitor
  : A extends { or: 'session' | 'ownSession' }
    ? SignerLink | Person
    : A extends { or: 'anyone' }
      ? SignerLink | Visitor
      : A extends { link: string }
        ? SignerLink
        : Person;

export interface Input<C extends Call> {
  params: Params<C>;
  query: Query<C>;
  body: Body<C>;
  actor: ActorFor<C['access']>;
  request: FastifyRequest;
  /** For files and headers; JSON replies are returned. */
  reply: FastifyReply;
}

/** Whether an upload, which is read for it, is the one that was answered so. */
export type IsAnswerTo<C extends Call> = (ctx: Ctx, input: Input<C>, answer: Reply<C>) => Promise<boolean>;

export type Handler<C extends Call> = (ctx: Ctx, input: Input<C>) => Promise<Reply<C>>;

/** A server that shuts down ends one connection after the other: the second one may be its last. */
const READS = 4;

/**
 * Binds a call of the wire to a use case: who may, validation both ways, its limits, the idempotency key.
 * The handler runs only when access and schemas hold; its answer passes the reply's schema, so that no
 * field leaks which the wire does not name. `ahead`: what the handler reads first, asked with who makes the call; `isAnswerTo`: whether
 * an upload is the one that was answered so, where its key was used before. Throws for a call that
 * declares what nobody keeps.
 */
export function route<C extends Call>(
  app: FastifyInstance,
  ctx: Ctx,
  call: C,
  handler: Handler<C>,
  ahead?: Ahead,
  isAnswerTo?: IsAnswerTo<C>,
): void {
  assertKept(call);
  app.route({
    method: call.method,
    ...(call.maxBody === undefined ? {} : { bodyLimit: call.maxBody }),
    url: `/${call.path}`,
    ...(call.onlyJson ? { constraints: { [bodyKind]: 'json' } } : {}),
    handler: async (request, reply) => {
      for (let tries = 1; ; tries += 1) {
        try {
          return await attempt(request, reply);
        } catch (error) {
          if (tries === READS || !isToBeReadAgain(request, reply, error)) throw error;
        }
      }
    },
  });
  async function attempt(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const caller = await callerOf(ctx, request, call.access, ahead);
    try {
      return await answer(request, reply, caller);
    } catch (error) {
      throw await refusedAccess(ctx, request, call, caller, error);
    }
  }
  async function answer(request: FastifyRequest, reply: FastifyReply, caller: Caller): Promise<unknown> {
    if (call.ownAccounts && ctx.config.sso) throw new DomainError('account.singleSignOn');
    admit(caller, call);
    const sent = {
      params: parse(call.params, request.params, 'params'),
      query: parse(call.query, request.query, 'query'),
      body: parse(call.body, request.body, 'body'),
    };
    const actor = await actorOf(ctx, caller, request, call.access, sent);
    const input = { ...sent, actor, request, reply } as Input<C>;
    await limitAtDoor(ctx, call.limits ?? [], { ip: actor.from.ip, accountId: caller.person?.userId ?? null });
    const own = caller.first ? { ...ctx, readFirst: caller.first } : ctx;
    const act = (within: Ctx) => handler(within, input);
    const isAnswer = async (first: Reply<C>) => (isAnswerTo ? isAnswerTo(own, input, first) : true);
    const result = call.idempotent
      ? await onceForKey(own, { request, reply }, caller.person?.userId ?? 'public', call, act, isAnswer)
      : await act(own);
    if (reply.sent || call.kind === 'file' || call.kind === 'events') return reply;
    if (!call.reply) return reply.code(call.status ?? 204).send();
    // It has no content (RFC 9110 §15.3.6).
    if (call.mayReset && reply.statusCode === 205) return reply.send();
    if (call.kind === 'list') tellTotal(reply, result as { total: number; isTotalExact?: boolean });
    const json = serialize(call, result);
    if (call.mayBeUnchanged && isUnchanged(request, reply, json)) return reply.code(304).send();
    return reply.type('application/json; charset=utf-8').send(json);
  }
}

/**
 * What only reads, and lost its connection in the middle, is asked again, over another one: that waits for a database that is started
 * again. Where something may have been written, or the answer is on its way, whoever asks is told.
 */
function isToBeReadAgain({ method }: FastifyRequest, reply: FastifyReply, error: unknown): boolean {
  const isReading = method === 'GET' && !reply.sent && !reply.raw.headersSent;
  return isReading && error instanceof DatabaseAwayError && !error.outcomeUnknown;
}

/**
 * Whether whoever asks has this answer already. It is made of the answer itself, which is asked anew each time: nothing that changes,
 * the passing of a deadline among it, can hide behind a 304. The answer stays private (no-store): a page keeps it itself.
 */
function isUnchanged(request: FastifyRequest, reply: FastifyReply, json: string): boolean {
  const etag = `"${createHash('sha256').update(json).digest('base64url').slice(0, 20)}"`;
  void reply.header('etag', etag);
  // A proxy that packs what it hands on makes the tag a weak one (RFC 9110 §8.8.3).
  const known = (request.headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return known.includes(etag);
}

function tellTotal(reply: FastifyReply, { total, isTotalExact = true }: { total: number; isTotalExact?: boolean }): void {
  void reply.header('X-Total-Count', total);
  if (!isTotalExact) void reply.header('X-Total-Exact', 'false');
}

/** What a call declares and nobody would hold it to is a fault of the program: it does not start, instead of letting everybody in. */
function assertKept({ method, path, access, company, idempotent, limits = [] }: Call): void {
  const isUnkept =
    (isOpen(access) && company !== undefined) || // nobody in particular belongs to none
    (isOpen(access) && idempotent === true) || // strangers would share their keys
    (isOpen(access) && limits.some((name) => rateLimits[name].at === 'door' && rateLimits[name].by === 'account'));
  if (isUnkept) throw new Error(`${method} ${path} declares what is not kept`);
}

function parse(schema: $ZodType | undefined, value: unknown, where: string): unknown {
  if (!schema) return undefined;
  const parsed = safeParse(schema, value);
  if (parsed.success) return parsed.data;
  throw new InvalidRequestError(
    parsed.error.issues
      .flatMap(nearestIssues)
      .map((issue) => ({ field: issue.path.join('.') || where, message: fieldFault(issue, value) })),
  );
}

/** Of what fits none of several shapes, the faults under the one that it comes nearest to. */
function nearestIssues(issue: $ZodIssue): $ZodIssue[] {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue];
  const [nearest = []] = issue.errors.toSorted((one, other) => one.length - other.length);
  // A plain value of the wrong type is at fault itself.
  if (nearest.every(({ path }) => path.length === 0)) return [issue];
  return nearest.flatMap((inner) => nearestIssues({ ...inner, path: [...issue.path, ...inner.path] }));
}

/** The kind of a field's fault, as the specification's catalogue groups them (section 8). */
function fieldFault(issue: $ZodIssue, value: unknown): 'NotNull' | 'Size' | 'Pattern' {
  if (issue.code === 'too_small' || issue.code === 'too_big') return 'Size';
  const given = issue.path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[key], value);
  return given === undefined || given === null ? 'NotNull' : 'Pattern';
}

/** The answer as it is sent: only what the wire names. */
export function serialize(call: Call, answer: unknown): string {
  const parsed = safeParse(call.reply as $ZodType, answer);
  if (!parsed.success) throw new Error(`${call.method} ${call.path} answered outside its schema: ${parsed.error.message}`);
  return JSON.stringify(call.kind === 'list' ? (parsed.data as { items: unknown }).items : parsed.data);
}
