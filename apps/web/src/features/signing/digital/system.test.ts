import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemOf } from './system.ts';

test('the steps of Lavra Signer are those of the computer at hand', () => {
  assert.equal(systemOf('Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/147.0.0.0 Safari/537.36'), 'windows');
  assert.equal(systemOf('Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15'), 'macos');
  assert.equal(systemOf('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'), 'linux');
  assert.equal(systemOf('Mozilla/5.0 (Linux; Android 15; SM-A155M) Chrome/147.0.0.0 Mobile Safari/537.36'), 'phone');
  assert.equal(systemOf('Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Version/18.0 Safari/605.1.15'), 'phone');
});
