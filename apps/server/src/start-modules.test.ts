import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';

/** Whoever needs one of them waits for it once; every start would wait for all. */
const later = [
  '@aws-sdk/client-s3',
  '@opentelemetry/exporter-trace-otlp-http',
  '@peculiar/x509',
  '@simplewebauthn/server',
  '@embedpdf/pdfium',
  'fontkit',
  'mailparser',
  'nodemailer',
  'node-forge',
  'oidc-provider',
  'pdfkit',
  'qrcode',
];

/** A program that loads what the product is put together from, and says which files that were. */
const program = `
  import { registerHooks } from 'node:module';
  const loaded = [];
  registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
  await import(${JSON.stringify(new URL('./compose.ts', import.meta.url).href)});
  process.stdout.write(loaded.join('\\n'), () => process.exit(0));
`;

test('a start loads no library that only some of what follows needs', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], { maxBuffer: 1e7 });
  const loaded = stdout.split('\n');
  assert.ok(loaded.length > 1000 && loaded.some((url) => url.includes('/node_modules/fastify/')));
  assert.deepEqual(
    later.filter((name) => loaded.some((url) => url.includes(`/node_modules/${name}/`))),
    [],
  );
});
