import * as z from 'zod/mini';
import { type Call, defineCall, type SignedIn } from './call.ts';
import { listOf } from './list-of.ts';

type Shape = Record<string, z.ZodMiniType>;

/** What a list takes (section 7). `sort` is `field,asc` or `field,desc`; `cacheBuster` only makes the address a new one. */
const listQuery = {
  page: z.optional(z.coerce.number().check(z.int(), z.gte(0), z.lte(1_000_000))), // zero-based
  size: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(200))),
  sort: z.optional(z.string()),
  cacheBuster: z.optional(z.string()),
};

/** The specification's own addresses, where it names them. A change is then a POST with its id in the body. */
interface NamedAddresses {
  readonly list: string;
  readonly get: string;
  readonly create: string;
  readonly update: string;
  readonly remove: string;
}

interface EntityPlan<
  Id extends 'integer' | 'uuid',
  Written extends Shape,
  Read extends Shape,
  Sort extends Extract<keyof Written | keyof Read, string> | 'id',
  Named extends NamedAddresses | undefined,
> {
  /** The last part of the calls' path: `contract-types`. */
  readonly path: string;
  readonly id: Id;
  readonly access: SignedIn;
  /** What is written and answered. */
  readonly written: Written;
  /** What is answered beside it. */
  readonly read: Read;
  /** Fields that a list can be sorted by; by the first where nobody says otherwise. */
  readonly sorts: readonly Sort[];
  readonly named?: Named;
  /** True where the list without a `size` is whole: something is chosen from it. */
  readonly whole?: true;
  /** True where clients send a record back as they read it: what is only read may come along, and is refused where it was changed. */
  readonly sentBack?: true;
}

/** Another record: its id, and on the way out what names it. */
export const reference = z.object({ id: z.string(), name: z.optional(z.nullable(z.string())) });

const mapped = (read: Shape) => Object.fromEntries(Object.keys(read).map((field) => [field, z.optional(z.unknown())]));

/** The key of the record's state: sent back with a change, it refuses what overwrites another's (optimistic locking). */
const version = z.int();
const ids = { integer: z.int(), uuid: z.string() };
type IdSchema<Id> = Id extends 'integer' ? typeof ids.integer : typeof ids.uuid;
/** What is answered: a field that is read as something else than it is written is what it is read as. */
type Answered<Id, Written extends Shape, Read extends Shape> = { id: IdSchema<Id>; version: typeof version } & Omit<Written, keyof Read> &
  Read;

/**
 * The six calls of a generic entity (sections 2 and 7): list with page, sort and X-Total-Count, its search, read, create,
 * change, delete. A client that knows no `version` leaves it out, and the last one to save wins.
 */
export function defineEntity<
  Id extends 'integer' | 'uuid',
  Written extends Shape,
  Read extends Shape,
  Sort extends Extract<keyof Written | keyof Read, string> | 'id',
  Named extends NamedAddresses | undefined = undefined,
>(plan: EntityPlan<Id, Written, Read, Sort, Named>) {
  const { path, access, named } = plan;
  const at = named ?? { list: path, get: path, create: path, update: `${path}/:id`, remove: path };
  const id = ids[plan.id] as IdSchema<Id>;
  const item = z.object({ id, ...plan.written, ...plan.read, version } as Answered<Id, Written, Read>);
  const params = z.object({ id: plan.id === 'integer' ? z.coerce.number().check(z.int(), z.gte(1), z.lte(2_147_483_647)) : z.string() });
  const written = z.object({ ...plan.written, id: z.optional(z.nullable(id)), version: z.optional(z.nullable(version)) });
  const sentBack = z.object({ ...(plan.sentBack ? mapped(plan.read) : {}), ...written.shape });
  const changed = z.object({ ...plan.written, id, version: z.optional(z.nullable(version)) });
  const listed = listOf(item);
  return {
    ...plan,
    item,
    list: defineCall({ method: 'GET', path: `api/${at.list}`, access, query: z.object(listQuery), kind: 'list', reply: listed }),
    search: defineCall({
      method: 'GET',
      path: `api/_search/${path}`,
      access,
      query: z.object({ ...listQuery, query: z.optional(z.string().check(z.maxLength(200))) }),
      kind: 'list',
      reply: listed,
    }),
    get: defineCall({ method: 'GET', path: `api/${at.get}/:id`, access, params, reply: item }),
    create: defineCall({ method: 'POST', path: `api/${at.create}`, access, body: written, reply: item, idempotent: true }),
    update: defineCall({
      method: named ? 'POST' : 'PUT',
      path: `api/${at.update}`,
      access,
      params: (named ? undefined : params) as Named extends undefined ? typeof params : undefined,
      body: (named ? changed : sentBack) as Named extends undefined ? typeof written : typeof changed,
      reply: item,
    }),
    remove: defineCall({ method: 'DELETE', path: `api/${at.remove}/:id`, access, params, kind: 'empty' }),
  };
}

/** Any entity of the wire, for what serves or shows them all. */
export type Entity = Omit<AnyEntity, 'create'> & { readonly create: Call<undefined, undefined, z.ZodMiniType, z.ZodMiniType, SignedIn> };
type AnyEntity = ReturnType<typeof defineEntity<'integer' | 'uuid', Shape, Shape, string, NamedAddresses | undefined>>;
/** One record as it is answered. */
export type EntityItem<E extends { readonly item: z.ZodMiniType }> = z.infer<E['item']>;
