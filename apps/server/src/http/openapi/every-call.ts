import * as api from '@lavra/api';

function isCall(value: unknown): value is api.Call {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value;
}

const named = Object.entries(api).flatMap(([name, value]): [string, api.Call][] => (isCall(value) ? [[name, value]] : []));
const ownNames = new Set<unknown>(named.map(([, call]) => call));

/** Every call of the wire by its name in `packages/api`; those of an entity as `contractTypes.list`, unless they have a name of their own. */
export const everyCall: ReadonlyMap<string, api.Call> = new Map([
  ...named,
  ...Object.entries(api).flatMap(([name, value]): [string, api.Call][] => {
    if (typeof value !== 'object' || !('sorts' in value)) return [];
    return Object.entries(value).flatMap(([part, inner]): [string, api.Call][] =>
      isCall(inner) && !ownNames.has(inner) ? [[`${name}.${part}`, inner]] : [],
    );
  }),
]);
