import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { samplePdf } from '../apps/server/src/testing/processes.ts';
import { bundleProgram } from './bundle-program.ts';

const root = resolve(import.meta.dirname, '..');

describe('the program in one file', { skip: process.platform === 'win32' ? 'no embedded PostgreSQL there' : false }, () => {
  let folder: string;
  let data: string;
  before(() => {
    // Where its packages are found.
    mkdirSync(join(root, 'node_modules/.lavra'), { recursive: true });
    folder = mkdtempSync(join(root, 'node_modules/.lavra/bundled-'));
    data = mkdtempSync(join(tmpdir(), 'lavra-bundled-'));
  });
  after(() => {
    for (const path of [folder, data]) rmSync(path, { recursive: true, force: true });
  });

  it('starts over new data, and finds its migrations, sentences, lists and workers where they are', async () => {
    await bundleProgram(folder, { withMakeBelieve: true });
    const environment = {
      ...process.env,
      LAVRA_DATA_DIR: data,
      PORT: '0',
      LAVRA_LOG_LEVEL: 'error',
      LAVRA_PROFILE: 'dev',
      DATABASE_URL: '',
    };
    const child = spawn(process.execPath, [join(folder, 'main.mjs')], { env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = new Promise((done) => child.once('exit', done));
    try {
      let url = '';
      for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
        url = /Lavra: (\S+)/.exec(chunk.toString())?.[1] ?? '';
        if (url) break;
      }
      const post = async (path: string, body: object, token = '') => {
        const isForm = body instanceof FormData;
        const answer = await fetch(`${url}/api/${path}`, {
          method: 'POST',
          headers: { ...(isForm ? {} : { 'content-type': 'application/json' }), ...(token && { authorization: `Bearer ${token}` }) },
          body: isForm ? body : JSON.stringify(body),
        });
        const text = await answer.text();
        assert.ok(answer.ok, `${path}: ${answer.status} ${text}`);
        return text === '' ? null : (JSON.parse(text) as unknown);
      };
      const person = { firstName: 'Ana', login: 'ana@exemplo.com.br', email: 'ana@exemplo.com.br', password: 'Segredo123' };
      await post('register', person);
      const { id_token: token } = (await post('authenticate', { username: person.login, password: person.password })) as {
        id_token: string;
      };
      const form = new FormData();
      form.append('files', new Blob([new Uint8Array(await samplePdf())], { type: 'application/pdf' }), 'contrato.pdf');
      assert.equal(((await post('documents', form, token)) as unknown[]).length, 1);
    } finally {
      child.kill('SIGTERM');
      await ended;
    }
    assert.equal(child.exitCode, 0);
  });

  it('is in letters of one byte alone, and loads a library for metrics from no file of its own', async () => {
    const into = join(folder, 'letters');
    await bundleProgram(into, { withMakeBelieve: true });
    // oxlint-disable-next-line no-control-regex -- ASCII is what is asked for
    for (const name of readdirSync(into)) assert.doesNotMatch(readFileSync(join(into, name), 'utf8'), /[^\x00-\x7f]/, name);
    assert.doesNotMatch(readFileSync(join(into, 'main.mjs'), 'utf8'), /"@opentelemetry\/api"/);
  });

  it('has nothing of the make-believe world where it is not asked for', async () => {
    const into = join(folder, 'without');
    await bundleProgram(into, { withMakeBelieve: false });
    const all = readdirSync(into).map((name) => readFileSync(join(into, name), 'utf8'));
    assert.ok(all.length > 1);
    for (const text of all) assert.doesNotMatch(text, /packages\/make-believe\//);
  });
});
