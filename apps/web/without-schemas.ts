import { parseAst, type Plugin } from 'vite';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

interface Property extends Node {
  readonly key?: { readonly name?: string };
}

interface Written extends Node {
  readonly properties: readonly Property[];
}

interface Called extends Node {
  readonly callee?: Called;
  readonly object?: Called & { readonly name?: string };
}

interface Statement extends Node {
  readonly declaration?: Statement | null;
  readonly declarations?: readonly { readonly init: Node | null }[];
}

interface Module extends Node {
  readonly body: readonly Statement[];
}

interface Change {
  readonly at: number;
  readonly end: number;
  readonly text: string;
}

/** What a call says beside its schemas. */
const CALLS = new Set(['method', 'path', 'access', 'kind', 'limits']);
const SCHEMAS = new Set(['params', 'query', 'body', 'reply']);

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}

/** Whether a node is `z.something(…)`, with whatever it is followed by. */
function isSchema({ callee, object }: Called): boolean {
  return isNode(callee) ? isSchema(callee) : isNode(object) && (object.name === 'z' || isSchema(object));
}

/** Every node of a kind at or below this one, but for those of which schemas are made. */
function nodesOf(type: string, node: Node): Node[] {
  if (isSchema(node)) return type === 'CallExpression' ? [node] : [];
  const below = Object.values(node)
    .flat()
    .filter(isNode)
    .flatMap((one) => nodesOf(type, one));
  return node.type === type ? [node, ...below] : below;
}

/** The schemas of a call, or of what several calls have in common, replaced by whether anything comes back. */
function emptied(tree: Node): Change[] {
  return (nodesOf('ObjectExpression', tree) as Written[])
    .filter(({ properties }) => properties.some(({ type, key }) => type === 'SpreadElement' || CALLS.has(key?.name ?? '')))
    .flatMap(({ properties }) => properties)
    .filter(({ key }) => SCHEMAS.has(key?.name ?? ''))
    .map(({ start, end, key }) => ({ at: start, end, text: `${key?.name}: ${key?.name === 'reply'}` }));
}

/** What a module makes when it is loaded, marked as made for its name alone: where nobody asks for the name, nobody gets it. */
function markedPure(tree: Module): Change[] {
  return tree.body
    .flatMap((statement) => (statement.declaration ?? statement).declarations ?? [])
    .flatMap(({ init }) => (init && nodesOf('CallExpression', init).length > 0 ? [init] : []))
    .flatMap(({ start, end }) => [
      { at: start, end: start, text: '/* @__PURE__ */ (() => (' },
      { at: end, end, text: '))()' },
    ]);
}

/**
 * The declared calls as the pages need them: where they go, and whether anything comes back. The schemas are the server's to hold requests
 * to; the pages have their types, and zod comes with the few parts alone that judge by a schema themselves.
 */
export function withoutSchemas(code: string): string {
  const tree = parseAst(code, { lang: 'ts' }) as unknown as Module;
  const changes = [...emptied(tree), ...markedPure(tree)].toSorted((one, other) => other.at - one.at);
  return changes.reduce((rest, { at, end, text }) => `${rest.slice(0, at)}${text}${rest.slice(end)}`, code);
}

/** Makes them so in what is built. */
export function callsWithoutSchemas(): Plugin {
  return {
    name: 'calls-without-schemas',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\/packages\/api\/src\/[\w-]+\.ts$/ },
      handler: (code) => ({ code: withoutSchemas(code), map: null }),
    },
  };
}
