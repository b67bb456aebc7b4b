import type { infer as Infer, ZodMiniType } from 'zod/mini';
import type { LimitName } from './rate-limits.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Anyone signed in who holds an authority, or a holder of one of the named ones. */
export type SignedIn = 'authenticated' | readonly ('ROLE_USER' | 'ROLE_ADMIN')[];

/**
 * The holder of a signer's link: `link` is where the request carries its key. Without one the request is refused, unless a session,
 * that of an account which is a signer of the process, or anyone will do as well. `beforeCode`: also through a link that the sender handed over, before the code that we mail for it.
 */
export interface ByLink {
  readonly link: 'params.signerId' | 'query.user' | 'query.signerId' | 'body.signerId';
  readonly or?: 'session' | 'ownSession' | 'anyone';
  readonly beforeCode?: true;
}

/** Who may make a call. `session`: whoever is signed in, also without any authority: they learn so, and sign out. */
export type Access = 'public' | 'session' | SignedIn | ByLink;

/**
 * What comes back: JSON by schema, nothing, a file, a list (`listOf`): on the wire an array and X-Total-Count, in the schema `items` and `total`;
 * or server-sent events without an end, which say that something changed and never what.
 */
export type ReplyKind = 'json' | 'empty' | 'file' | 'list' | 'events';

type Schema = ZodMiniType;

/**
 * One HTTP call of the wire. `path` is the specification's, with `:name` parameters, without the
 * leading slash (`api/account`). Server routes bind a use case to it; the web's client calls it.
 */
export interface Call<
  P extends Schema | undefined = Schema | undefined,
  Q extends Schema | undefined = Schema | undefined,
  B extends Schema | undefined = Schema | undefined,
  R extends Schema | undefined = Schema | undefined,
  A extends Access = Access,
> {
  readonly method: Method;
  readonly path: string;
  readonly access: A;
  /** The role in the caller's own company that it takes besides: without a company 404 `company.none`, without the role 403. */
  readonly company?: 'member' | 'admin';
  /** What keeps it from being made too often. */
  readonly limits?: readonly LimitName[];
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** Schema of a JSON reply; absent when `kind` says there is none. */
  readonly reply?: R;
  readonly kind?: ReplyKind;
  /** Of an answer without content, where it is not 204. */
  readonly status?: 200;
  /** True where one outcome is 205 without content: the page has nothing to show any more. */
  readonly mayReset?: true;
  /** True for what pages ask again and again: it bears an ETag, and whoever has the answer already (If-None-Match) gets 304. */
  readonly mayBeUnchanged?: true;
  /** Largest body in bytes, where it is more than `usualBodyBytes`. */
  readonly maxBody?: number;
  /** True where another call has the same address, for bodies that are no JSON. */
  readonly onlyJson?: true;
  /** True where a repeated request with the same Idempotency-Key must act once. */
  readonly idempotent?: boolean;
  /** True for accounts and passwords of our own, and for the other providers: refused in single sign-on mode. */
  readonly ownAccounts?: true;
}

/** What a JSON body may take, unless its call says more. */
export const usualBodyBytes = 64 * 1024;
/** For calls that carry a signature's picture: 2 MB of it in Base64, and some more, so that a larger one is told as such. */
export const pictureBodyBytes = 4 * 1024 * 1024;

type InferOr<T, Else> = T extends Schema ? Infer<T> : Else;

export type Params<C> = C extends Call<infer P, infer _Q, infer _B, infer _R> ? InferOr<P, undefined> : never;
export type Query<C> = C extends Call<infer _P, infer Q, infer _B, infer _R> ? InferOr<Q, undefined> : never;
export type Body<C> = C extends Call<infer _P, infer _Q, infer B, infer _R> ? InferOr<B, undefined> : never;
export type Reply<C> = C extends Call<infer _P, infer _Q, infer _B, infer R> ? InferOr<R, void> : never;

/** Declares a call; exists only so that its schemas keep their exact types. */
export function defineCall<
  P extends Schema | undefined = undefined,
  Q extends Schema | undefined = undefined,
  B extends Schema | undefined = undefined,
  R extends Schema | undefined = undefined,
  const A extends Access = Access,
>(call: Call<P, Q, B, R, A>): Call<P, Q, B, R, A> {
  return call;
}
