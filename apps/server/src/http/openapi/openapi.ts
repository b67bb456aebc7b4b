import type { Access, Call } from '@lavra/api';
import { toJSONSchema, type $ZodType } from 'zod/v4/core';
import { callWords } from './call-words.ts';

/** A node of the description; JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type Part = { readonly [key: string]: Json };

/** The JSON Schema (2020-12, as OpenAPI 3.1 has it) of what is sent or answered. */
export function schemaOf(schema: $ZodType, direction: 'input' | 'output'): Part {
  const { $schema: _, ...rest } = toJSONSchema(schema, { io: direction, unrepresentable: 'any' });
  return rest as Part;
}

function whoMay(access: Access): { security: Json; says: string } {
  const session = [{ session: [] }];
  if (access === 'public') return { security: [], says: 'Anyone.' };
  if (access === 'session') return { security: session, says: 'Whoever is signed in.' };
  if (access === 'authenticated') return { security: session, says: 'Whoever is signed in and holds an authority.' };
  if (!('link' in access)) return { security: session, says: `Accounts with ${access.join(' or ')}.` };
  const link = `The holder of a signer’s link (the signer’s id in \`${access.link}\`)`;
  if (access.or === 'anyone') return { security: [], says: `${link}, or anyone.` };
  if (access.or === 'ownSession') return { security: [{ session: [] }, {}], says: `${link}, or whoever is signed in as that signer.` };
  if (access.or === 'session') return { security: [{ session: [] }, {}], says: `${link}, or whoever is signed in.` };
  return { security: [], says: `${link}.` };
}

function parametersOf({ params, query, idempotent }: Call): Part[] {
  const fields = (schema: $ZodType | undefined, place: 'path' | 'query'): Part[] => {
    if (!schema) return [];
    const { properties = {}, required = [] } = schemaOf(schema, 'input') as { properties?: Part; required?: readonly string[] };
    return Object.entries(properties).map(([name, field]) => ({
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      schema: field,
    }));
  };
  const key = { name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string', maxLength: 100 } };
  return [...fields(params, 'path'), ...fields(query, 'query'), ...(idempotent ? [key] : [])];
}

const files: Part = {
  'multipart/form-data': {
    schema: {
      type: 'object',
      properties: {
        files: { type: 'array', items: { type: 'string', format: 'binary' } },
        openedFrom: { type: 'string' },
        continues: { type: 'string' },
        from: { type: 'string' },
      },
      required: ['files'],
    },
  },
};

function bodyOf(name: string, { body }: Call): Part {
  if (name === 'uploadDocuments' || name === 'sendUploadPart' || name === 'uploadIcpBrasil')
    return { requestBody: { required: true, content: files } };
  if (!body) return {};
  const schema = schemaOf(body, 'input');
  const type = schema['type'] === 'string' ? 'text/plain' : 'application/json';
  return { requestBody: { required: true, content: { [type]: { schema } } } };
}

function answerOf(call: Call): Part {
  if (call.kind === 'file')
    return { '2XX': { description: 'The file.', content: { '*/*': { schema: { type: 'string', format: 'binary' } } } } };
  if (call.kind === 'events')
    return { '2XX': { description: 'Events without an end.', content: { 'text/event-stream': { schema: { type: 'string' } } } } };
  if (!call.reply) return { [call.status ?? 204]: { description: 'Done.' } };
  const schema = schemaOf(call.reply, 'output');
  if (call.kind !== 'list') return { '2XX': { description: 'Done.', content: { 'application/json': { schema } } } };
  const items = (schema['properties'] as Part)['items'] ?? {};
  const headers = {
    'X-Total-Count': { description: 'How many there are in all.', schema: { type: 'integer', minimum: 0 } },
    'X-Total-Exact': { description: 'Where there are more than that.', schema: { type: 'string', enum: ['false'] } },
  };
  return { '2XX': { description: 'A page of the list.', headers, content: { 'application/json': { schema: items } } } };
}

function operation(name: string, call: Call): Part {
  const { room, says } = callWords[name] ?? { room: 'other', says: '' };
  const { security, says: who } = whoMay(call.access);
  const limits = (call.limits ?? []).length > 0 ? ' Bounded in how often (429).' : '';
  const company = call.company ? ` In their company: ${call.company}.` : '';
  return {
    operationId: name.replace('.', '_'),
    tags: [room],
    summary: firstSentence(says) || name,
    description: [says, `${who}${company}${limits}`].filter((part) => part !== '').join('\n\n'),
    security,
    parameters: parametersOf(call),
    ...bodyOf(name, call),
    responses: {
      ...answerOf(call),
      ...(call.mayBeUnchanged ? { '304': { description: 'The answer is the one whose ETag was sent in If-None-Match.' } } : {}),
      ...(call.mayReset ? { '205': { description: 'Done, and nothing is left to show.' } } : {}),
      '4XX': { $ref: '#/components/responses/Problem' },
      '503': { $ref: '#/components/responses/Problem' },
    },
  };
}

/** Two calls of one address: the body's type says which it is. */
function eitherOf(one: Part, other: Part): Part {
  const bodyTypes = (part: Part) => (part['requestBody'] as Part)['content'] as Part;
  const done = (part: Part) => (part['responses'] as Part)['2XX'] as Part;
  const reply = (part: Part) => ((done(part)['content'] as Part)['application/json'] as Part)['schema'] ?? {};
  return {
    ...one,
    description: `${String(one['description'])}\n\n${String(other['description'])}`,
    requestBody: { required: true, content: { ...bodyTypes(one), ...bodyTypes(other) } },
    responses: {
      ...(one['responses'] as Part),
      '2XX': { ...done(one), content: { 'application/json': { schema: { anyOf: [reply(one), reply(other)] } } } },
    },
  };
}

function firstSentence(text: string): string {
  // “Ours:” says that the specification does not name the call, not what it does.
  const told = text.replace(/^Ours: /, '');
  return (/^.*?[.:;](?=\s|$)/.exec(told)?.[0] ?? told).slice(0, 160).replace(/[.:;]$/, '');
}

const problem: Part = {
  type: 'object',
  description: 'RFC 9457. `errorKey` is the code that X-app-error has too; `detail` its sentence in the language of Accept-Language.',
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    errorKey: { type: 'string' },
    message: { type: 'string' },
    params: { type: 'object' },
    entityName: { type: 'string' },
    fieldErrors: {
      type: 'array',
      items: {
        type: 'object',
        properties: { objectName: { type: 'string' }, field: { type: 'string' }, message: { type: 'string' } },
        required: ['objectName', 'field', 'message'],
      },
    },
  },
  required: ['type', 'title', 'status', 'detail', 'errorKey', 'message', 'entityName', 'fieldErrors'],
};

/** The description of the wire as OpenAPI 3.1: every call by its name, as `packages/api` declares it. */
export function describeWire(calls: ReadonlyMap<string, Call>, server: { url: string; version: string }): Part {
  const paths: Record<string, Record<string, Json>> = {};
  for (const [name, call] of [...calls].toSorted(([, a], [, b]) => a.path.localeCompare(b.path))) {
    const path = `/${call.path.replaceAll(/:(\w+)/g, '{$1}')}`;
    const method = call.method.toLowerCase();
    const other = paths[path]?.[method] as Part | undefined;
    paths[path] = { ...paths[path], [method]: other ? eitherOf(other, operation(name, call)) : operation(name, call) };
  }
  const rooms = [...new Set([...calls.keys()].map((name) => callWords[name]?.room ?? 'other'))].toSorted();
  return {
    openapi: '3.1.1',
    info: {
      title: 'Lavra',
      version: server.version,
      description: 'Document signing for Brazil: every signer their own PAdES signature in an append-only file.',
      license: { name: 'UNLICENSED', url: server.url },
    },
    servers: [{ url: server.url }],
    tags: rooms.map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        session: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'From POST api/authenticate.' },
      },
      responses: {
        Problem: {
          description: 'Refused, with a code and a sentence.',
          headers: { 'X-app-error': { description: 'The code.', schema: { type: 'string' } } },
          content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
        },
      },
      schemas: { Problem: problem },
    },
  };
}
