import * as z from 'zod/mini';
import { type Access, defineCall } from './call.ts';

type Shape = Record<string, z.ZodMiniType>;

/** What a list takes (section 7). `sort` is `field,asc` or `field,desc`; `cacheBuster` only makes the address a new one. */
const listQuery = {
  page: z.optional(z.coerce.number().check(z.int(), z.gte(0), z.lte(1_000_000))), // zero-based
  size: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(200))),
  sort: z.optional(z.string()),
  cacheBuster: z.optional(z.string()),
};

interface EntityPlan<Id extends 'integer' | 'uuid', Written extends Shape, Read extends Shape> {
  /** The last part of the calls' path: `contract-types`. */
  readonly path: string;
  readonly id: Id;
  readonly access: Access;
  /** What is written and answered. */
  readonly written: Written;
  /** What is answered beside it. */
  readonly read: Read;
  /** Fields that a list can be sorted by, besides `id`. */
  readonly sorts: readonly (Extract<keyof Written | keyof Read, string> | 'id')[];
}

/** The key of the record's state: sent back with a change, it refuses what overwrites another's (optimistic locking). */
const version = z.int();
const ids = { integer: z.int(), uuid: z.string() };
type IdSchema<Id> = Id extends 'integer' ? typeof ids.integer : typeof ids.uuid;

/**
 * The six calls of a generic entity (sections 2 and 7): list with page, sort and X-Total-Count, its search, read, create,
 * change, delete. A client that knows no `version` leaves it out, and the last one to save wins.
 */
export function defineEntity<Id extends 'integer' | 'uuid', Written extends Shape, Read extends Shape>(
  plan: EntityPlan<Id, Written, Read>,
) {
  const { path, access } = plan;
  const id = ids[plan.id] as IdSchema<Id>;
  const item = z.object({ id, ...plan.written, ...plan.read, version });
  const params = z.object({ id: plan.id === 'integer' ? z.coerce.number().check(z.int(), z.gte(1), z.lte(2_147_483_647)) : z.string() });
  const written = z.object({ ...plan.written, id: z.optional(z.nullable(id)), version: z.optional(z.nullable(version)) });
  const listed = z.object({ items: z.array(item), total: z.number() });
  return {
    ...plan,
    item,
    list: defineCall({ method: 'GET', path: `api/${path}`, access, query: z.object(listQuery), kind: 'list', reply: listed }),
    search: defineCall({
      method: 'GET',
      path: `api/_search/${path}`,
      access,
      query: z.object({ ...listQuery, query: z.optional(z.string().check(z.maxLength(200))) }),
      kind: 'list',
      reply: listed,
    }),
    get: defineCall({ method: 'GET', path: `api/${path}/:id`, access, params, reply: item }),
    create: defineCall({ method: 'POST', path: `api/${path}`, access, body: written, reply: item, idempotent: true }),
    update: defineCall({ method: 'PUT', path: `api/${path}/:id`, access, params, body: written, reply: item }),
    remove: defineCall({ method: 'DELETE', path: `api/${path}/:id`, access, params, kind: 'empty' }),
  };
}

/** Any entity of the wire, for what serves or shows them all. */
export type Entity = ReturnType<typeof defineEntity<'integer' | 'uuid', Shape, Shape>>;
/** One record as it is answered. */
export type EntityItem<E extends { readonly item: z.ZodMiniType }> = z.infer<E['item']>;
