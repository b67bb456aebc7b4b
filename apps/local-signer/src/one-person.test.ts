import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { textsIn } from './window/texts.ts';
import { openIdentity } from './identity.ts';
import { openingFolder } from './open-browser.ts';
import { endsOf, ownerByLsof, ownerCheckOf, ownerInTable } from './socket-owner.ts';
import { ask, greet, meet } from './testing/page.ts';
import { Person } from './testing/person.ts';
import { startProgram } from './testing/program.ts';
import type { Program } from './testing/program.ts';
import { startSite } from './testing/site.ts';
import type { Site } from './testing/site.ts';

/** Debian's `nobody`: another user of this computer. Only root may act as one. */
const nobody = 65_534;
const skip = process.getuid?.() === 0 ? false : 'needs root, to act as another user';
const asNobody = ['--reuid', String(nobody), '--regid', String(nobody), '--clear-groups'];

/** What a call of another user's program gets: status and body. */
async function callAsNobody(url: string, origin: string, body?: object): Promise<{ status: number; text: string }> {
  const script = `
    const [url, origin, body] = process.argv.slice(1);
    const headers = { origin, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
    const answer = await fetch(url, body === undefined ? { headers } : { method: 'POST', headers, body });
    process.stdout.write(JSON.stringify({ status: answer.status, text: await answer.text() }));`;
  const args = [...asNobody, process.execPath, '--input-type=module', '-e', script, url, origin];
  if (body !== undefined) args.push(JSON.stringify(body));
  const output = await new Promise<string>((resolve, reject) => {
    execFile('setpriv', args, (error, stdout) => (error === null ? resolve(stdout) : reject(error)));
  });
  return JSON.parse(output) as { status: number; text: string };
}

/** A connection, both ends of it. */
async function connected(server: Server, host: string): Promise<{ mine: Socket; theirs: Socket }> {
  const accepted = new Promise<Socket>((resolve) => void server.once('connection', resolve));
  const mine = connect({ port: (server.address() as AddressInfo).port, host });
  return { mine, theirs: await accepted };
}

describe('LAVRA_SIGNER belongs to one person', () => {
  let program: Program;
  let site: Site;

  before(async () => {
    program = await startProgram();
    site = await startSite();
  });

  after(async () => {
    await site?.[Symbol.asyncDispose]();
    await program?.[Symbol.asyncDispose]();
  });

  test('a connection of another user of the computer is refused, whatever it asks for and by whatever address', { skip }, async () => {
    const met = await meet(program, site.origin, true);
    assert.ok('session' in met);
    const window = await program.nextWindow();
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]']) {
      const { status, text } = await callAsNobody(`http://${host}:${program.port}/v1/version`, site.origin);
      if (host === '[::ffff:127.0.0.1]') assert.equal(status, 403, 'no name of ours');
      else assert.deepEqual([status, text], [403, '{"code":"OTHER_USER"}'], host);
    }
    const before = program.windows();
    const calls = `http://127.0.0.1:${program.port}/v2/sessions`;
    assert.equal((await callAsNobody(calls, site.origin, { commitment: 'a'.repeat(43) })).status, 403);
    assert.equal((await callAsNobody(`${calls}/${met.session}`, site.origin)).status, 403);
    assert.equal((await callAsNobody(window, site.origin)).status, 403);
    assert.equal((await callAsNobody(`${window}/allow`, `http://127.0.0.1:${program.port}`, {})).status, 403);
    assert.equal((await callAsNobody(`http://127.0.0.1:${program.port}/window.js`, site.origin)).status, 403);
    assert.equal(program.windows(), before);
    assert.match(await new Person(window).look(), /Confira o código/, 'the address is still there for its person');
    assert.equal((await program.call(site.origin, 'GET', '/v1/version')).status, 200);
    await program.call(site.origin, 'DELETE', `/v2/sessions/${met.session}`);
  });

  test('another user’s connections do not stay', { skip }, async () => {
    const script = `const s=require('net').connect(${program.port},'127.0.0.1');s.on('close',()=>process.stdout.write('closed'));s.on('error',()=>{})`;
    assert.equal(execFileSync('setpriv', [...asNobody, process.execPath, '-e', script], { encoding: 'utf8', timeout: 20_000 }), 'closed');
  });

  test('however many connections another user’s program holds and opens anew, its own user is answered', { skip }, async () => {
    const script = `
      const hold = () => {
        const socket = require('net').connect(${program.port}, '127.0.0.1', () => socket.write('GET /v1/version HTTP/1.1\\r\\nHo'));
        socket.on('error', () => {}).on('close', () => setTimeout(hold, 20));
      };
      for (let count = 0; count < 500; count += 1) hold();
      setTimeout(() => process.stdout.write('held'), 300);`;
    const theirs = spawn('setpriv', [...asNobody, process.execPath, '-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
    try {
      await new Promise((resolve) => theirs.stdout.once('data', resolve));
      for (let call = 0; call < 8; call += 1) {
        const answer = await program.call(site.origin, 'GET', '/v1/version', undefined, { connection: 'close' });
        assert.equal(answer.status, 200);
      }
    } finally {
      theirs.kill();
    }
  });

  test('the program of another user tells a page so, root’s too, and hears nothing', { skip }, async () => {
    await using theirs = await startProgram([], {}, undefined, nobody);
    const version = await theirs.call(site.origin, 'GET', '/v1/version');
    assert.deepEqual([version.status, version.json.code], [403, 'OTHER_USER']);
    assert.equal(version.headers.get('access-control-allow-origin'), site.origin, 'the page may read why, and goes on to the next port');
    assert.deepEqual([(await greet(theirs, site.origin)).status, theirs.windows()], [403, 0]);
    assert.equal((await callAsNobody(`http://127.0.0.1:${theirs.port}/v1/version`, site.origin)).status, 200, 'its own user it answers');
  });

  test('a caller that has closed its end, and so reads as root’s, is not taken for the user', { skip }, async () => {
    await using here = await startProgram();
    const met = await meet(here, site.origin, true);
    assert.ok('session' in met);
    // Sent and gone before the answer: the row of the socket has no owner any more.
    const script = `const s=require('net').connect(${here.port},'127.0.0.1',()=>{s.write(process.argv[1]);s.destroy()})`;
    const call = (what: string, body: string) => {
      const head = `${what} HTTP/1.1\r\nHost: 127.0.0.1:${here.port}\r\nOrigin: ${site.origin}\r\nContent-Type: application/json\r\n`;
      execFileSync('setpriv', [...asNobody, process.execPath, '-e', script, `${head}Content-Length: ${body.length}\r\n\r\n${body}`]);
    };
    for (let time = 0; time < 5; time++) call('POST /v2/sessions', JSON.stringify({ commitment: 'a'.repeat(43) }));
    for (let time = 0; time < 5; time++) call(`DELETE /v2/sessions/${met.session}`, '');
    await pause(300);
    assert.deepEqual(await here.state(site.origin, met.session), { state: 'waiting' });
    assert.equal((await greet(here, site.origin)).status, 201, 'the second place of the site is free');
    assert.equal((await greet(here, site.origin)).status, 429);
  });

  test('the owner is found among thousands of connections, by IPv4, IPv6 and IPv4 in IPv6', async () => {
    const check = ownerCheckOf();
    const other = ownerCheckOf(process.platform, 12_345);
    assert.ok(check && other);
    await using many = await startCrowd(1000);
    for (const [listening, host] of [
      ['127.0.0.1', '127.0.0.1'],
      ['127.0.0.1', '::ffff:127.0.0.1'],
      ['127.0.0.1', '127.0.0.9'],
      ['::1', '::1'],
      ['::', '127.0.0.1'],
    ] as const) {
      const server = createServer().listen(0, listening === '127.0.0.1' && host === '127.0.0.9' ? '127.0.0.9' : listening);
      await new Promise((resolve) => server.once('listening', resolve));
      const { mine, theirs } = await connected(server, host);
      const ends = endsOf(theirs);
      assert.ok(ends);
      assert.deepEqual(await Promise.all([check(ends), check(ends), other(ends)]), [true, true, false], `${listening} ${host}`);
      assert.equal(await check({ ...ends, remotePort: ends.remotePort === 1 ? 2 : 1 }), false, 'no such row');
      mine.destroy();
      server.close();
    }
    assert.ok(many.size >= 1000);
  });

  test('a row counts only while its connection lives and has an inode', () => {
    const ends = { remoteAddress: '127.0.0.1', remotePort: 0x84ca, localAddress: '127.0.0.1', localPort: 0x82c5 };
    const row = (state: string, uid: string, inode: string) =>
      `   3: 0100007F:84CA 0100007F:82C5 ${state} 00000000:00000000 00:00000000 00000000  ${uid}        0 ${inode} 2 0000 20 0 0 10 -1\n`;
    const reversed = '   2: 0100007F:82C5 0100007F:84CA 01 00000000:00000000 00:00000000 00000000  1000  0 22482 1 0000 20 0 0 10 -1\n';
    assert.equal(ownerInTable(reversed + row('01', '1000', '22481'), ends), 1000);
    assert.equal(ownerInTable(row('01', '0', '0'), ends), null, 'closed by its process');
    assert.equal(ownerInTable(row('06', '0', '0'), ends), null, 'TIME_WAIT');
    assert.equal(ownerInTable(row('05', '1000', '22481'), ends), null, 'FIN_WAIT2');
    assert.equal(ownerInTable(reversed, ends), null, 'our own end');
    assert.equal(ownerInTable(row('01', '1000', '22481') + row('01', '0', '0'), ends), null, 'two that differ');
    assert.equal(ownerInTable('', ends), null);
  });

  test('lsof, which macOS has, finds the same', { skip: !hasLsof() && 'needs lsof' }, async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { mine, theirs } = await connected(server, '127.0.0.1');
    const ends = endsOf(theirs);
    assert.ok(ends);
    assert.equal(await ownerByLsof(process.getuid?.() ?? -1)(ends), true);
    assert.equal(await ownerByLsof(nobody)(ends), false);
    assert.equal(await ownerByLsof(process.getuid?.() ?? -1, '/nowhere/lsof')(ends), false);
    mine.destroy();
    server.close();
  });

  test('the window’s secret stands in no command line, and the file that leads to it is nobody else’s and goes', { skip }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lavra-opener-'));
    chmodSync(folder, 0o755);
    // A browser that takes its time: what it was started with stays to be read.
    writeFileSync(join(folder, 'xdg-open'), '#!/bin/sh\nsleep 2\n', { mode: 0o755 });
    await using here = await startProgram(['--open', 'browser'], { PATH: `${folder}:${process.env['PATH'] ?? ''}` });
    const watching = commandLinesAsNobody(1500);
    await pause(300);
    const answer = await ask(here, site.origin, site.ask());
    assert.equal(answer.status, 201);
    const url = new URL(await here.nextWindow());
    const secret = url.pathname.split('/').at(-1) ?? '';
    const seen = await watching;
    const [file = ''] = /\/\S*lavra-signer-[\w-]{22}\.html/.exec(seen) ?? [];
    assert.ok(file !== '', 'what opens the browser was seen');
    assert.ok(secret.length === 43 && !seen.includes(secret), 'the secret was not');
    assert.doesNotMatch(seen, /\/window\//);
    assert.throws(() => execFileSync('setpriv', [...asNobody, 'cat', file], { stdio: 'pipe' }));
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.match(readFileSync(file, 'utf8'), new RegExp(`0; url=${url.href}"`));
    assert.match(await new Person(url.href).look(), new RegExp(site.origin));
    assert.deepEqual(
      readdirSync(here.config).filter((name) => name.endsWith('.html')),
      [],
      'gone once the window is there',
    );
    rmSync(folder, { recursive: true });
  });

  test('where browsers come as snaps the file lies where they see it', () => {
    assert.equal(openingFolder('/home/ana/.config/lavra-signer', false), '/home/ana/.config/lavra-signer');
    assert.doesNotMatch(openingFolder('/home/ana/.config/lavra-signer', true), /\/\./);
  });

  test('the program proves one key, its own, over both nonces, the page’s origin and its port', async () => {
    await using here = await startProgram();
    const first = await meet(here, site.origin);
    const again = await meet(here, site.origin);
    assert.ok('session' in first && 'session' in again);
    assert.deepEqual([first.holds, again.holds], [true, true]);
    assert.equal(first.key, again.key);
    assert.notEqual(first.code, again.code);
    // What another port passes on does not hold: the signature names the port that the page called.
    const relayed = await meet({ ...here, port: here.port - 1 }, site.origin);
    const third = 'session' in relayed ? relayed : null;
    for (const met of [first, again, third]) if (met) await here.call(site.origin, 'DELETE', `/v2/sessions/${met.session}`);
    assert.equal(third?.holds ?? false, false);
    await using other = await startProgram();
    const stranger = await meet(other, site.origin);
    assert.ok('session' in stranger && stranger.holds);
    assert.notEqual(stranger.key, first.key);
  });

  test('the key is made once, for this user only, and one that others may read is not used', () => {
    const folder = mkdtempSync(join(tmpdir(), 'lavra-identity-'));
    const { key } = openIdentity(folder, textsIn('pt-BR'));
    assert.equal(openIdentity(folder, textsIn('pt-BR')).key, key);
    assert.equal(statSync(join(folder, 'key.pem')).mode & 0o777, 0o600);
    chmodSync(join(folder, 'key.pem'), 0o644);
    assert.throws(() => openIdentity(folder, textsIn('pt-BR')), /outros usuários podem ler/);
    chmodSync(join(folder, 'key.pem'), 0o600);
    chmodSync(folder, 0o777);
    assert.throws(() => openIdentity(folder, textsIn('pt-BR')), /outros usuários podem ler ou trocar/);
    rmSync(folder, { recursive: true });
  });

  test('nothing of a process is taken before the meeting; the nonce is the one the page had chosen, once', async () => {
    await using here = await startProgram();
    await using fresh = await startSite();
    const { json } = await greet(here, fresh.origin);
    const path = `/v2/sessions/${json.session ?? ''}`;
    const before = here.windows();
    const refused = async (step: string, body: object) => {
      const answer = await here.call(fresh.origin, 'POST', `${path}/${step}`, body);
      assert.deepEqual([answer.status, answer.json.code], [400, 'REQUEST_INVALID'], step);
    };
    await refused('certificate', { request: fresh.ask() });
    await refused('sign', { request: fresh.ask() });
    await refused('meeting', { nonce: 'a'.repeat(43), show: true });
    await refused('meeting', { nonce: 'short', show: true });
    assert.equal(here.windows(), before);
    const asBefore = await here.call(fresh.origin, 'POST', '/v1/sessions', { request: fresh.ask() });
    assert.equal(asBefore.json.code, 'REQUEST_INVALID', 'as pages of before did');
    const met = await meet(here, fresh.origin);
    assert.ok('session' in met);
    const again = await here.call(fresh.origin, 'POST', `/v2/sessions/${met.session}/meeting`, { nonce: 'a'.repeat(43), show: true });
    assert.equal(again.status, 400, 'met already');
  });

  test('at the first use the window shows the code of the page and nothing else; the request goes on in the same window', async () => {
    await using here = await startProgram();
    await using fresh = await startSite();
    const met = await meet(here, fresh.origin, true);
    assert.ok('session' in met);
    const person = new Person(await here.nextWindow());
    const page = await person.look();
    assert.ok(page.includes(met.code));
    assert.doesNotMatch(page, /contrato\.pdf|Ana Beatriz/);
    assert.equal(await person.press('allow'), 303);
    assert.match(await person.look(), /Confira o código/, 'there is nothing to allow yet');
    const before = here.windows();
    const asked = await here.call(fresh.origin, 'POST', `/v2/sessions/${met.session}/certificate`, { request: fresh.ask() });
    assert.equal(asked.status, 202);
    const consent = await person.look();
    assert.match(consent, /Permitir que este site peça assinaturas\?/);
    assert.ok(consent.includes(met.code), 'still there to be compared');
    assert.equal(here.windows(), before);
    await person.press('refuse');
    assert.equal((await greet(here, fresh.origin)).json.code, 'ORIGIN_REFUSED');
  });
});

/** All command lines that another user sees within a time. */
async function commandLinesAsNobody(milliseconds: number): Promise<string> {
  const script = `
    const fs = require('fs'); const seen = new Set(); const end = Date.now() + ${milliseconds};
    while (Date.now() < end) for (const id of fs.readdirSync('/proc')) {
      try { if (/^\\d+$/.test(id)) seen.add(fs.readFileSync('/proc/' + id + '/cmdline', 'utf8').replaceAll('\\0', ' ')); } catch {}
    }
    process.stdout.write([...seen].join('\\n'));`;
  const child = spawn('setpriv', [...asNobody, process.execPath, '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) output += chunk.toString();
  return output;
}

/** Connections of this process to itself, as many as are asked for. */
async function startCrowd(size: number): Promise<{ size: number; [Symbol.asyncDispose](): Promise<void> }> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const sockets: Socket[] = [];
  for (let made = 0; made < size; made++) {
    const { mine, theirs } = await connected(server, '127.0.0.1');
    sockets.push(mine, theirs);
  }
  return {
    size: sockets.length,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function hasLsof(): boolean {
  try {
    execFileSync('lsof', ['-v'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
