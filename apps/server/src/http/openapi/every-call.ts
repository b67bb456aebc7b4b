import * as api from '@lavra/api';

function isCall(value: unknown): value is api.Call {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value;
}

/** Every call of the wire by its name in `packages/api`; those of an entity as `contractTypes.list`. */
export const everyCall: ReadonlyMap<string, api.Call> = new Map(
  Object.entries(api).flatMap(([name, value]): [string, api.Call][] => {
    if (isCall(value)) return [[name, value]];
    if (typeof value !== 'object' || !('sorts' in value)) return [];
    return Object.entries(value).flatMap(([part, inner]): [string, api.Call][] => (isCall(inner) ? [[`${name}.${part}`, inner]] : []));
  }),
);
