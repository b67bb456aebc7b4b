import fc, { type Arbitrary } from 'fast-check';
import type { Call } from '@lavra/api';
import { schemaOf } from '../http/openapi/openapi.ts';

interface Schema {
  type?: string | readonly string[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
  anyOf?: readonly Schema[];
  enum?: readonly unknown[];
  const?: unknown;
}

/** What has broken programs before: nothing, zeros, halves of letters, other alphabets, paths, markup, very much of it. */
const strings = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.uuid(),
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '\ud800',
    '𝔄',
    'é',
    '%00',
    '../../etc/passwd',
    '<script>',
    "' or 1=1 --",
    '0',
    '-1',
    '1e999',
    'null',
  ),
  fc.constantFrom('529.982.247-25', 'ana@exemplo.com.br', '2026-11-22T10:00:00Z', '9999999999999', 'id,asc', 'true', 'A'.repeat(5000)),
);
const numbers = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(0, -1, -0, 2 ** 31, 2 ** 53, 1e308, 0.1));
const anything: Arbitrary<unknown> = fc.oneof(strings, numbers, fc.boolean(), fc.constant(null), fc.jsonValue({ maxDepth: 2 }));

/** Mostly what the schema asks for, and now and then something else, or nothing. */
function valueOf(schema: Schema): Arbitrary<unknown> {
  const fitting = (): Arbitrary<unknown> => {
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum) return fc.constantFrom(...schema.enum);
    if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valueOf));
    const types = [schema.type ?? 'string'].flat();
    return fc.oneof(...types.map((type) => ofType(type, schema)));
  };
  return fc.oneof({ arbitrary: fitting(), weight: 9 }, { arbitrary: anything, weight: 1 });
}

function ofType(type: string, schema: Schema): Arbitrary<unknown> {
  switch (type) {
    case 'object':
      return objectOf(schema);
    case 'array':
      return fc.array(valueOf(schema.items ?? {}), { maxLength: 3 });
    case 'number':
    case 'integer':
      return numbers;
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return strings;
  }
}

function objectOf({ properties = {}, required = [] }: Schema): Arbitrary<Record<string, unknown>> {
  const fields = Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, valueOf(field)]));
  return fc.record(fields, { requiredKeys: required.filter((name) => name in fields && name !== '') });
}

export interface AnyInput {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: unknown;
}

/** What somebody may send to a call who knows its schemas and does not care for them. */
export function anyInput(call: Call): Arbitrary<AnyInput> {
  const fields = (schema: Call['query']) => (schema ? objectOf(schemaOf(schema, 'input') as Schema) : fc.constant({}));
  return fc.record({
    params: fields(call.params),
    query: fields(call.query),
    body: call.body ? valueOf(schemaOf(call.body, 'input') as Schema) : fc.constant(undefined),
  });
}
