import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simpleParser } from 'mailparser';
import { MARK_ID, mark } from './mark.ts';
import { type Message, writeMessage } from './message.ts';

const at = new Date('2026-11-25T20:00:07.000Z');
const usual: Message = {
  id: '<1@lavra.test>',
  from: { name: 'Lavra', address: 'nao-responda@exemplo.com.br' },
  to: 'ana@exemplo.com.br',
  replyTo: null,
  subject: 'Um título',
  text: 'Olá',
  html: '<p>Olá</p>',
  at,
};

const linesOf = (message: Buffer) => message.toString('latin1').split('\r\n');

test('a mail reads as it was written, whatever stands in it', async () => {
  const long = 'palavra '.repeat(40);
  const odd = `à = ${'é'.repeat(100)}\n.ponto\n.\n--_=lavra-alternative\nfim de linha \n\tcom tabulação\t\n${'x'.repeat(75)}=\n${'🖋'.repeat(40)}`;
  for (const subject of ['Contrato', 'Ação: título', long.trim(), '🖋'.repeat(50), 'a =?UTF-8?B?eA==?= b', 'aspas "e" \\barra']) {
    for (const body of ['Olá', odd, '']) {
      const message = writeMessage({ ...usual, subject, text: body, html: `<p>${body}</p>`, from: { ...usual.from, name: subject } });
      const read = await simpleParser(message);
      assert.equal(read.subject, subject);
      assert.deepEqual(read.from?.value, [{ name: subject, address: usual.from.address }]);
      assert.equal(read.text?.replace(/\n$/, ''), body);
      assert.equal((read.html || '').replace(/\n$/, ''), `<p>${body}</p>`);
      assert.equal(read.messageId, usual.id);
      assert.deepEqual(read.date, at);
      assert.equal(read.headers.get('auto-submitted'), 'auto-generated');
    }
  }
});

test('the mark travels with a mail that shows it, and with no other', async () => {
  const shown = await simpleParser(writeMessage({ ...usual, html: `<img src="cid:${MARK_ID}">` }), { keepCidLinks: true });
  assert.deepEqual(
    shown.attachments.map(({ contentId, contentType, related, content }) => [contentId, contentType, related, content.equals(mark)]),
    [[`<${MARK_ID}>`, 'image/png', true, true]],
  );
  assert.deepEqual((await simpleParser(writeMessage(usual))).attachments, []);
});

test('no line is longer than 78 signs nor has a letter that a server may change, and no word of a person ends a header', async () => {
  const evil = 'Oi\r\nBcc: outro@exemplo.com.br\r\n\r\ncorpo';
  const message = writeMessage({
    ...usual,
    from: { ...usual.from, name: evil },
    subject: evil,
    replyTo: 'eu@exemplo.com.br\r\nBcc: outro@exemplo.com.br',
    text: 'ç'.repeat(500),
    html: `<p>${'palavra '.repeat(500)}</p><img src="cid:${MARK_ID}">`,
  });
  for (const line of linesOf(message)) assert.match(line, /^[\t -~]{0,78}$/);
  const read = await simpleParser(message);
  assert.deepEqual([read.bcc, read.subject], [undefined, evil]);
});

test('an address keeps its letters, and its domain is told as servers know it', async () => {
  const message = writeMessage({ ...usual, to: 'ana@ação.com.br', replyTo: 'bia@exemplo.com.br' }).toString();
  assert.match(message, /^To: ana@xn--ao-siap\.com\.br\r$/m);
  assert.match(message, /^Reply-To: bia@exemplo\.com\.br\r$/m);
  assert.match(writeMessage({ ...usual, from: { ...usual.from, name: null } }).toString(), /^From: nao-responda@exemplo\.com\.br\r$/m);
});
