import type { infer as Infer, ZodMiniType } from 'zod/mini';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Who may make a call: anyone, anyone signed in, or a holder of one of the named authorities. */
export type Access = 'public' | 'authenticated' | readonly ('ROLE_USER' | 'ROLE_ADMIN')[];

/** What comes back: JSON by schema, nothing, a file, or a list: on the wire an array and X-Total-Count, in the schema `items` and `total`. */
export type ReplyKind = 'json' | 'empty' | 'file' | 'list';

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
> {
  readonly method: Method;
  readonly path: string;
  readonly access: Access;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  /** Schema of a JSON reply; absent when `kind` says there is none. */
  readonly reply?: R;
  readonly kind?: ReplyKind;
  /** Largest body in bytes, where it is more than `usualBodyBytes`. */
  readonly maxBody?: number;
  /** True where a repeated request with the same Idempotency-Key must act once. */
  readonly idempotent?: boolean;
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
>(call: Call<P, Q, B, R>): Call<P, Q, B, R> {
  return call;
}
