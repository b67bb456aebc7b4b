import type { FastifyInstance } from 'fastify';

type Strategy = Parameters<FastifyInstance['addConstraintStrategy']>[0];
type Handlers = ReturnType<Strategy['storage']>;
type Handler = Parameters<Handlers['set']>[1];

/** The constraint of a route that another one shares its address with, for other bodies. */
export const bodyKind = 'bodyKind';

/** Tells requests with a JSON body from others of the same address: one call takes files, the other a record. */
export const byBodyKind: Strategy = {
  name: bodyKind,
  storage(): Handlers {
    const handlers = new Map<unknown, Handler>();
    return {
      get: (kind) => handlers.get(kind) ?? null,
      set: (kind, handler) => void handlers.set(kind, handler),
    };
  },
  deriveConstraint: ({ headers }) => (/^application\/json\b/i.test(headers['content-type'] ?? '') ? 'json' : undefined),
};
