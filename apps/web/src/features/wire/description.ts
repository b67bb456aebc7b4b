/** A node of JSON Schema, as far as the page shows it. */
export interface Schema {
  type?: string | readonly string[];
  format?: string;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  anyOf?: readonly Schema[];
  enum?: readonly unknown[];
  const?: unknown;
  maxLength?: number;
}

interface Content {
  content?: Readonly<Record<string, { schema: Schema }>>;
}

export interface Operation {
  operationId: string;
  tags: readonly string[];
  summary: string;
  description: string;
  parameters: readonly { name: string; in: string; required: boolean; schema: Schema }[];
  requestBody?: Content;
  responses: Readonly<Record<string, Content>>;
}

export interface Description {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

export interface DescribedCall extends Operation {
  method: string;
  path: string;
}

/** The calls in which all words are found, by their room; rooms and addresses in order. */
export function roomsOf({ paths }: Description, words: string): readonly (readonly [room: string, calls: readonly DescribedCall[]])[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
  );
  const found = calls.filter(({ path, method, operationId, description }) => {
    const text = `${method} ${path} ${operationId} ${description}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
  return Object.entries(Object.groupBy(found, ({ tags }) => tags[0] ?? ''))
    .map(([room, some]) => [room, some ?? []] as const)
    .toSorted(([a], [b]) => a.localeCompare(b));
}

/** In one line what a value is: `string`, `number or null`, `one of A, B`, `list of object`. */
export function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ');
  if (schema.items) return `${typeOf(schema.items)}[]`;
  return [schema.type ?? 'any'].flat().join(' | ') + (schema.format ? ` (${schema.format})` : '');
}

/** The fields inside of a value, whatever it is wrapped in. */
export function fieldsOf(schema: Schema): readonly (readonly [name: string, field: Schema, isRequired: boolean])[] {
  if (schema.items) return fieldsOf(schema.items);
  if (schema.anyOf) return schema.anyOf.flatMap(fieldsOf);
  return Object.entries(schema.properties ?? {}).map(([name, field]) => [name, field, schema.required?.includes(name) ?? false] as const);
}
