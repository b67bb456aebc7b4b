import { fileURLToPath } from 'node:url';
import type { Call } from '@lavra/api';
import type { Plugin } from 'vite';

const isWord = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

/**
 * What stands for a value of the wire where pages need no schema of it, as source: of a call where it goes and whether and how an answer
 * comes; words and numbers. Undefined for what they need as it is: an entity, or a schema by which they judge themselves.
 */
export function withoutSchemas(value: unknown): string | undefined {
  if (isWord(value) || (Array.isArray(value) && value.every(isWord))) return JSON.stringify(value);
  if (typeof value !== 'object' || value === null || !('method' in value && 'path' in value)) return undefined;
  const { method, path, kind, reply } = value as Call;
  return JSON.stringify({ method, path, kind, ...(reply ? { reply: {} } : {}) });
}

/**
 * The wire as the pages get it: each thing with the pages that name it. The schemas are the server's to hold requests to; the pages have
 * their types, and zod comes with the few parts alone that judge by a schema.
 */
export function callsWithoutSchemas(): Plugin {
  const real = fileURLToPath(import.meta.resolve('@lavra/api'));
  const all = '\0wire';
  const one = '\0wire:';
  return {
    name: 'calls-without-schemas',
    apply: 'build',
    enforce: 'pre',
    resolveId: (source) => (source === '@lavra/api' ? all : source.startsWith(one) ? source : null),
    async load(id) {
      if (id !== all && !id.startsWith(one)) return null;
      const wire: Readonly<Record<string, unknown>> = await import('@lavra/api');
      const from = (name: string) => JSON.stringify(withoutSchemas(wire[name]) ? one + name : real);
      const name = id.slice(one.length);
      const code =
        id === all
          ? Object.keys(wire).map((each) => `export { ${each} } from ${from(each)};`)
          : [`export const ${name} = ${withoutSchemas(wire[name])};`];
      return { code: code.join('\n'), moduleSideEffects: false };
    },
  };
}
