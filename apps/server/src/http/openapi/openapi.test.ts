import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { everyCall } from './every-call.ts';
import { WIRE_PATH } from './openapi.routes.ts';

interface Described {
  openapi: string;
  paths: Record<string, Record<string, { operationId: string; description: string; requestBody?: { content: object } }>>;
}

describe('the description of the wire (OpenAPI 3.1)', () => {
  let app: TestApp;
  let source: string;
  before(async () => {
    app = await startTestApp();
    const answer = await app.inject(WIRE_PATH);
    assert.equal(answer.statusCode, 200);
    source = answer.payload;
  });
  after(() => app.close());
  const described = () => JSON.parse(source) as Described;

  it('has every call of packages/api once, each with a sentence, and nothing else', () => {
    const operations = Object.entries(described().paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId, description }]) => ({
        address: `${method.toUpperCase()} ${path}`,
        operationId,
        description,
      })),
    );
    const wanted = [...everyCall].map(([name, call]) => [
      `${call.method} /${call.path.replaceAll(/:(\w+)/g, '{$1}')}`,
      name.replace('.', '_'),
    ]);
    // Where the body's type tells two calls apart, they are one operation with both bodies.
    const second = ['POST /api/documents', 'documents_create'].join();
    const [found, once] = [operations.map(({ address, operationId }) => [address, operationId].join()), wanted.map((one) => one.join())];
    assert.deepEqual(found.toSorted(), once.filter((one) => one !== second).toSorted());
    assert.deepEqual(Object.keys(described().paths['/api/documents']?.['post']?.requestBody?.content ?? {}), [
      'multipart/form-data',
      'application/json',
    ]);
    for (const { operationId, description } of operations) assert.ok(description.length > 20, operationId);
  });

  it('names only addresses that are served', () => {
    for (const { method, path } of everyCall.values()) {
      const url = `/${path.replaceAll(/:\w+/g, 'x')}`;
      assert.ok(app.installation.app.hasRoute({ method, url: `/${path}` }), `${method} ${url}`);
    }
  });

  it('passes the rules of a linter for OpenAPI', async () => {
    const config = await createConfig({
      extends: ['recommended-strict'],
      rules: {
        // Refusals stand under 4XX, which the rule does not count.
        'operation-4xx-response': 'off',
        // Names of the specification: `api/_search/…` beside `api/…/{id}`, `api/InviteCompany` beside `api/inviteCompany`.
        'no-ambiguous-paths': 'off',
        'no-identical-paths': 'error',
        // The server's own address, wherever it stands.
        'no-server-example.com': 'off',
        'info-license': 'off',
        'tag-description': 'off',
        'security-defined': 'error',
      },
    });
    const broken = source.replace('"operationId":"getAccount"', '"operationId":"authenticate"');
    assert.notDeepEqual(await lintFromString({ source: broken, config, absoluteRef: 'broken.json' }), [], 'the linter sees no fault');
    const problems = await lintFromString({ source, config, absoluteRef: 'lavra.json' });
    assert.deepEqual(
      problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`),
      [],
    );
  });
});
