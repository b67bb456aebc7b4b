import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { sql } from 'kysely';
import type { Ctx } from '../context.ts';
import { createTranslator, locales } from '../language/translator.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';
import { outdated } from '../features.ts';
import { removeOutdated } from '../features/management/sweep-foundation.job.ts';
import { dropJobs } from '../testing/jobs.ts';
import { committedDuring } from '../testing/statements.ts';
import { deliver, deliverNow, endDelivery } from './deliver.ts';
import { renderMail } from './layout.ts';
import { withoutLinks } from './without-links.ts';
import { queueMail, resumeMailJob, sendMailJob, tellByMail } from './send-mail.job.ts';

const content = {
  subject: 'Ação: título',
  heading: 'Olá',
  paragraphs: ['Um parágrafo.'],
  button: { label: 'Abrir', url: 'http://lavra.test/abrir?a=1&b=2' },
};

/** An SMTP server that gives one answer to every recipient, or to other commands. */
function refusingServer(answer: string, command = /^RCPT/): Promise<Server> {
  const server = createServer((socket: Socket) => {
    socket.on('error', () => {});
    socket.write('220 test\r\n');
    socket.on('data', (data) => {
      const line = data.toString();
      const usual = line.startsWith('QUIT') ? '221 bye' : line.startsWith('EHLO') ? '250-test\r\n250 AUTH PLAIN' : '250 ok';
      socket.write(`${command.test(line) ? answer : line.startsWith('AUTH') ? '235 ok' : usual}\r\n`);
      if (line.startsWith('QUIT')) socket.end();
    });
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

/** An SMTP server that takes what it is sent; `answering`: what it does with a whole mail, the nth, in place of taking it. */
async function takingServer(answering: (n: number, socket: Socket) => string | null = () => '250 taken') {
  const seen = { connections: 0, mails: [] as string[], open: new Set<Socket>() };
  const server = createServer((socket) => {
    seen.connections += 1;
    seen.open.add(socket.on('error', () => {}).on('close', () => seen.open.delete(socket)));
    socket.write('220 test\r\n');
    let heard = '';
    let isData = false;
    socket.on('data', (data) => {
      heard += data.toString();
      for (let end = -1; (end = heard.indexOf(isData ? '\r\n.\r\n' : '\r\n')) >= 0;) {
        const said = heard.slice(0, end);
        heard = heard.slice(end + (isData ? 5 : 2));
        if (isData) seen.mails.push(/^Message-ID: (.*)$/im.exec(said)?.[1] ?? '');
        const answer = isData ? answering(seen.mails.length, socket) : said === 'DATA' ? '354 go on' : '250 ok';
        isData = said === 'DATA';
        if (answer !== null) socket.write(`${answer}\r\n`);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  return { seen, server, smtpUrl: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe('a mail', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp();
  });
  after(() => app.close());

  const outbox = (to: string) => app.ctx.db.selectFrom('mail').selectAll().where('to_address', '=', to).executeTakeFirstOrThrow();

  it('goes out only when the act that it tells about commits', async () => {
    await assert.rejects(
      app.ctx.transaction(async (tx) => {
        await queueMail(tx, 'nunca@exemplo.com.br', 'pt-br', content);
        throw new Error('rolled back');
      }),
    );
    await app.ctx.transaction((tx) => queueMail(tx, 'sempre@exemplo.com.br', 'pt-br', content));
    await app.runJobs();
    assert.deepEqual(
      (await app.mailbox.list()).map(({ to, subject }) => [to, subject]),
      [['sempre@exemplo.com.br', 'Ação: título']],
    );
  });

  it('has the same in HTML and in text, with one button and its address', async () => {
    const [mail] = await app.mailbox.list();
    assert.ok(mail?.text.includes('http://lavra.test/abrir?a=1&b=2'));
    assert.ok(mail?.html.includes('href="http://lavra.test/abrir?a=1&amp;b=2"'));
    assert.ok(mail?.html.includes('lang="pt-BR"'));
  });

  it('carries its picture with it and asks nobody for one', async () => {
    const [mail] = await app.mailbox.list();
    assert.match(mail?.html ?? '', /<img src="data:image\/png;base64,iVBOR/);
    assert.doesNotMatch(mail?.html ?? '', /src="(http|cid)/);
  });

  it('is sent once although its job runs twice', async () => {
    const { id } = await outbox('sempre@exemplo.com.br');
    await sendMailJob.run(app.ctx, { mailId: id });
    assert.equal((await app.mailbox.list()).length, 1);
  });

  describe('that a job has to tell', () => {
    const tell = (ctx: Ctx, to: readonly string[]) =>
      tellByMail(
        ctx,
        to.map((one) => ({ to: one, locale: 'pt-br', content, once: `told ${one}` })),
      );
    const arrived = async (to: string) => (await app.mailbox.list()).filter((mail) => mail.to === to).length;
    const waiting = async () => {
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from pgboss.job where name = 'send-mail' and state < 'active'`.execute(app.ctx.db);
      return rows[0]?.n ?? 0;
    };

    const hurry = () => sql`update pgboss.job set start_after = now() where name = 'send-mail' and state < 'active'`.execute(app.ctx.db);

    it('is sent by that job, and once although it runs twice', async () => {
      await app.runJobs();
      await tell(app.ctx, ['um@exemplo.com.br', 'dois@exemplo.com.br']);
      assert.deepEqual([await arrived('um@exemplo.com.br'), await arrived('dois@exemplo.com.br'), await waiting()], [1, 1, 0]);
      assert.ok((await outbox('um@exemplo.com.br')).sent_at);
      await Promise.all([1, 2].map(() => tell(app.ctx, ['um@exemplo.com.br', 'tres@exemplo.com.br'])));
      await hurry();
      await app.runJobs();
      assert.deepEqual([await arrived('um@exemplo.com.br'), await arrived('tres@exemplo.com.br')], [1, 1]);
    });

    it('waits in the queue where the mail server is away, and where there are many', async () => {
      const away = { ...app.ctx, config: { ...app.ctx.config, smtpUrl: 'smtp://127.0.0.1:1' } };
      await tell(away, ['fora@exemplo.com.br']);
      const many = Array.from({ length: 9 }, (_, n) => `muitos-${n}@exemplo.com.br`);
      await tell(app.ctx, many);
      assert.deepEqual([await arrived('fora@exemplo.com.br'), await arrived(many[0] ?? ''), await waiting()], [0, 0, 10]);
      await hurry();
      await app.runJobs();
      for (const to of ['fora@exemplo.com.br', ...many]) assert.equal(await arrived(to), 1, to);
    });

    it('is sent by the queue when the program died before it had sent, whatever the job would tell by then', async () => {
      const db = app.ctx.db.withPlugin({
        transformQuery: ({ node }) => node,
        transformResult: () => Promise.reject(new Error('the program died')),
      });
      await assert.rejects(tell({ ...app.ctx, db }, ['depois@exemplo.com.br']), /died/);
      await tell(app.ctx, []);
      assert.deepEqual([await arrived('depois@exemplo.com.br'), await waiting()], [0, 1]);
      await hurry();
      await app.runJobs();
      assert.equal(await arrived('depois@exemplo.com.br'), 1);
    });
  });

  it('that somebody has asked for comes in their name from the installation’s address, and is answered to them', async () => {
    const sender = { name: 'Ana Beatriz', email: 'ana@exemplo.com.br', isNew: false };
    const why = { as: 'signer', sender } as const;
    await app.ctx.transaction((tx) => queueMail(tx, 'pedida@exemplo.com.br', 'pt-br', { ...content, why }));
    await app.runJobs();
    const mail = (await app.mailbox.list()).find(({ to }) => to === 'pedida@exemplo.com.br');
    const own = (await app.mailbox.list()).find(({ to }) => to === 'sempre@exemplo.com.br');
    const address = /[^\s<]+@[^\s>]+/.exec(own?.from ?? '')?.[0] ?? 'none';
    assert.equal(mail?.from, `"Ana Beatriz pelo Lavra" <${address}>`);
    assert.equal(mail?.replyTo, 'ana@exemplo.com.br');
  });

  it('is tried again when the server says later, and is dead when it says never', async () => {
    for (const [answer, retried] of [
      ['451 try later', true],
      ['550 no such mailbox', false],
    ] as const) {
      const server = await refusingServer(answer);
      const ctx = { ...app.ctx, config: { ...app.ctx.config, smtpUrl: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}` } };
      await app.ctx.transaction((tx) => queueMail(tx, `${retried}@exemplo.com.br`, 'pt-br', content));
      const { id } = await outbox(`${retried}@exemplo.com.br`);
      const sent = sendMailJob.run(ctx, { mailId: id });
      await (retried ? assert.rejects(sent, /451/) : sent).finally(() => server.close());
      const row = await outbox(`${retried}@exemplo.com.br`);
      assert.deepEqual([row.failed_at !== null, row.sent_at], [!retried, null]);
    }
  });

  for (const [what, command, answer] of [
    ['our sign-in', /^AUTH/, '535 5.7.8 authentication failed'],
    ['our address', /^MAIL/, '550 5.7.1 relaying denied'],
    ['us when it hears of a recipient', /^RCPT/, '554 5.7.1 <x@exemplo.com.br>: Relay access denied'],
    ['the connection', /^(EHLO|HELO)/, '554 5.7.1 no service here'],
  ] as const) {
    it(`waits where the server refuses ${what}, and not the mail: it is sent when that was set right`, async () => {
      const to = `${what.replaceAll(' ', '.')}@exemplo.com.br`;
      const server = await refusingServer(answer, command);
      const { port } = server.address() as AddressInfo;
      const ctx = { ...app.ctx, config: { ...app.ctx.config, smtpUrl: `smtp://lavra:secret@127.0.0.1:${port}` } };
      await app.ctx.transaction((tx) => queueMail(tx, to, 'pt-br', content));
      const { id } = await outbox(to);
      await assert.rejects(Promise.resolve(sendMailJob.run(ctx, { mailId: id })), new RegExp(answer.slice(0, 3)));
      endDelivery(ctx.config);
      server.close();
      assert.deepEqual([(await outbox(to)).failed_at, (await outbox(to)).sent_at], [null, null]);
      await sendMailJob.run(app.ctx, { mailId: id });
      assert.notEqual((await outbox(to)).sent_at, null);
    });
  }

  describe('over a connection that is kept', () => {
    const words = { subject: 'Olá', html: '<p>Olá</p>', text: 'Olá' };
    const mail = (id: string) => ({ id, to: `${id}@exemplo.com.br`, ...words });
    async function over(smtpUrl: string, act: (ctx: Ctx) => Promise<void>) {
      const ctx = { ...app.ctx, config: { ...app.ctx.config, smtpUrl } };
      await act(ctx).finally(() => endDelivery(ctx.config));
    }

    it('follows another, and whoever wants to know whether a connection can be had makes one', async () => {
      const { seen, server, smtpUrl } = await takingServer();
      await over(smtpUrl, async (ctx) => {
        for (const id of ['a', 'b', 'c']) await deliver(ctx, mail(id));
        assert.deepEqual([seen.connections, seen.mails.length], [1, 3]);
        assert.equal(await deliverNow(ctx, 'd@exemplo.com.br', words), null);
        assert.deepEqual([seen.connections, seen.mails.length], [2, 4]);
      });
      server.close();
      await once(server, 'close');
    });

    for (const [how, end] of [
      ['ended', (socket: Socket) => socket.end()],
      ['cut', (socket: Socket) => socket.resetAndDestroy()],
    ] as const) {
      it(`goes out at once, and once, where the server has ${how} that meanwhile`, async () => {
        const { seen, server, smtpUrl } = await takingServer();
        await over(smtpUrl, async (ctx) => {
          await deliver(ctx, mail('a'));
          const began = performance.now();
          // In the same turn: this side has not seen it yet.
          for (const socket of seen.open) end(socket);
          await deliver(ctx, mail('b'));
          assert.ok(performance.now() - began < 1500, `${performance.now() - began} ms`);
          assert.deepEqual([seen.connections, seen.mails.length, new Set(seen.mails).size], [2, 2, 2]);
        });
        server.close();
      });
    }

    it('is not sent again by the same try where that was cut before the server’s answer: nobody knows whether it was taken', async () => {
      const { seen, server, smtpUrl } = await takingServer((n, socket) => {
        if (n !== 2) return '250 taken';
        socket.destroy();
        return null;
      });
      await over(smtpUrl, async (ctx) => {
        await deliver(ctx, mail('a'));
        await assert.rejects(deliver(ctx, mail('b')));
        await sleep(1000);
        assert.equal(seen.mails.length, 2);
        await deliver(ctx, mail('b'));
        assert.deepEqual([seen.mails.length, seen.mails[1]], [3, seen.mails[2]]);
      });
      server.close();
    });
  });

  it('of an act is noted with the others that were taken, and waits for none that the server keeps hanging', async () => {
    const answers: (() => void)[] = [];
    const { server, smtpUrl } = await takingServer((n, socket) => {
      if (n <= 2) return '250 taken';
      answers.push(() => socket.write('250 taken at last\r\n'));
      return answers.length === 1 ? '250 taken' : null;
    });
    const ctx = { ...app.ctx, config: { ...app.ctx.config, smtpUrl } };
    const tell = (to: readonly string[]) =>
      tellByMail(
        ctx,
        to.map((one) => ({ to: `${one}@noted.example`, locale: 'pt-br', content })),
      );
    const noting = async (act: () => Promise<unknown>) => {
      const asked: string[] = [];
      await committedDuring(act, (text) => asked.push(text));
      return asked.filter((text) => /update "mail"/.test(text)).length;
    };
    assert.equal(await noting(() => tell(['um', 'dois'])), 1);
    const hanging = tell(['tres', 'quatro']);
    const sent = () =>
      app.ctx.db.selectFrom('mail').select('id').where('to_address', 'like', '%@noted.example').where('sent_at', 'is not', null).execute();
    for (let looks = 0; looks < 100 && (await sent()).length < 3; looks += 1) await sleep(20);
    assert.equal((await sent()).length, 3, 'three are noted while the fourth hangs');
    answers[1]?.();
    await hanging;
    assert.equal((await sent()).length, 4);
    endDelivery(ctx.config);
    server.close();
  });

  it('that is refused names its recipient in no line of the log', async () => {
    const server = await refusingServer('451 4.7.1 <espera@exemplo.com.br>: greylisted, come back as espera');
    const ctx = { ...app.ctx, config: { ...app.ctx.config, smtpUrl: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}` } };
    await app.ctx.transaction((tx) => queueMail(tx, 'espera@exemplo.com.br', 'pt-br', content));
    const { id } = await outbox('espera@exemplo.com.br');
    const fault: unknown = await sendMailJob.run(ctx, { mailId: id }).then(
      () => null,
      (error: unknown) => error,
    );
    server.close();
    await dropJobs(app, 'send-mail');
    assert.match(inspect(fault, { depth: 9 }), /451 4\.7\.1/);
    assert.doesNotMatch(inspect(fault, { depth: 9 }), /espera/);
  });

  it('is sent when a mail server comes back that was away for hours, and is given up after five days', async () => {
    const ctx = { ...app.ctx, config: { ...app.ctx.config, smtpUrl: 'smtp://127.0.0.1:1' } };
    await app.ctx.transaction((tx) => queueMail(tx, 'tarde@exemplo.com.br', 'pt-br', content));
    const { id } = await outbox('tarde@exemplo.com.br');
    await assert.rejects(sendMailJob.run(ctx, { mailId: id }));
    await dropJobs(app, 'send-mail');
    app.clock.advance({ hours: 6 });
    await resumeMailJob.run(app.ctx, {});
    await resumeMailJob.run(app.ctx, {});
    await app.runJobs();
    const sent = (await app.mailbox.list()).filter(({ to }) => to === 'tarde@exemplo.com.br');
    assert.equal(sent.length, 1);
    await app.ctx.transaction((tx) => queueMail(tx, 'perdida@exemplo.com.br', 'pt-br', content));
    await dropJobs(app, 'send-mail');
    app.clock.advance({ days: 6 });
    await resumeMailJob.run(app.ctx, {});
    assert.ok((await outbox('perdida@exemplo.com.br')).failed_at);
  });

  it('stands in the outbox under the installation’s secret, and not at all when it is delivered or given up', async () => {
    await app.ctx.transaction((tx) => queueMail(tx, 'chave@exemplo.com.br', 'pt-br', content));
    const waiting = await outbox('chave@exemplo.com.br');
    assert.deepEqual([waiting.subject, waiting.html, waiting.text], ['', '', '']);
    assert.ok(waiting.sealed && !waiting.sealed.includes('abrir') && !waiting.sealed.includes('título'));
    await app.runJobs();
    for (const to of ['chave@exemplo.com.br', 'false@exemplo.com.br', 'perdida@exemplo.com.br']) {
      const { sent_at, failed_at, subject, html, text, sealed } = await outbox(to);
      assert.ok(sent_at ?? failed_at, to);
      assert.deepEqual([subject, html, text, sealed], ['', '', '', null], to);
    }
    app.clock.advance({ days: 31 });
    await removeOutdated(app.ctx, outdated);
    assert.equal((await app.ctx.db.selectFrom('mail').select('id').where('sent_at', 'is not', null).execute()).length, 0);
  });

  it('that an older version left waiting in clear is sealed, and sent', async () => {
    const id = '6d0f1bd5-4f3a-4d2e-9a53-0d8f2f0a7c11';
    const words = { subject: 'De antes', html: '<p>antes</p>', text: 'http://lavra.test/abrir?key=segredo' };
    const row = { id, to_address: 'antes@exemplo.com.br', ...words, sealed: null, created_at: app.clock.now(), error: null };
    await app.ctx.db.insertInto('mail').values(row).execute();
    await resumeMailJob.run(app.ctx, {});
    const sealed = await outbox('antes@exemplo.com.br');
    assert.deepEqual([sealed.text, sealed.sealed !== null], ['', true]);
    await sendMailJob.run(app.ctx, { mailId: id });
    const sent = (await app.mailbox.list()).find(({ to }) => to === 'antes@exemplo.com.br');
    assert.deepEqual([sent?.subject, sent?.text.trim()], [words.subject, words.text]);
  });
});

describe('what a mail looks like', () => {
  const publicUrl = 'https://assina.exemplo.com.br';
  const ctx = { translate: createTranslator(fileURLToPath(new URL('../../../../locales', import.meta.url))), publicUrl };
  const ana = { name: 'Ana Beatriz', email: 'ana@exemplo.com.br', isNew: false };
  const asked = { ...content, facts: [{ label: 'Prazo', value: '30/11/2026' }], why: { as: 'signer', sender: ana } } as const;

  it('names who sent it, in its text, in both twins and to the mail program, and where its links lead', () => {
    for (const locale of locales) {
      const mail = renderMail(asked, locale, ctx);
      for (const twin of [mail.text, mail.html]) {
        assert.ok(twin.replaceAll('\u2060', '').includes('Ana Beatriz (ana@exemplo.com.br)'), locale);
        assert.ok(twin.includes('assina.exemplo.com.br'), locale);
      }
      assert.match(mail.fromName ?? '', /^Ana Beatriz \p{L}+ Lavra$/u);
      assert.equal(mail.replyTo, ana.email);
      assert.doesNotMatch(mail.text, /algu[eé]m usou|somebody used|alguien us/i);
    }
  });

  it('of a sender without history has no word of theirs where a mail program shows who writes, nor a link of theirs anywhere', () => {
    const stranger = { name: 'Banco evil.example', email: 'x@evil.example', isNew: true };
    const mail = renderMail({ ...asked, why: { as: 'signer', sender: stranger } }, 'pt-br', ctx);
    assert.deepEqual([mail.fromName, mail.replyTo], [undefined, undefined]);
    assert.doesNotMatch(mail.text, /evil\.example/);
    assert.doesNotMatch(mail.html, /evil\.example/);
    const known = renderMail({ ...asked, why: { as: 'signer', sender: { ...stranger, isNew: false } } }, 'pt-br', ctx);
    assert.doesNotMatch(known.fromName ?? '', /evil\.example/);
  });

  it('says in each why it came: to an account, an administrator, an owner, a person who is only told', () => {
    const said = (['account', 'address', 'administrator', 'owner', 'process'] as const).map(
      (why) => renderMail({ ...content, why }, 'pt-br', ctx).text,
    );
    assert.equal(new Set(said).size, 5);
    for (const text of said) assert.match(text, /Você recebeu esta mensagem porque .* assina\.exemplo\.com\.br\./);
    const told = renderMail({ ...content, why: { as: 'interested', sender: ana } }, 'pt-br', ctx).text;
    assert.match(told, /Ana Beatriz/);
    assert.doesNotMatch(told, /sem abrir o link/);
  });

  it('warns of its link where it has one, and of none where it has none', () => {
    const why = { as: 'signer' as const, sender: ana };
    const button = { label: 'Ler e assinar', url: 'https://assina.exemplo.com.br/signer/1' };
    assert.match(renderMail({ ...content, button, why }, 'pt-br', ctx).text, /sem abrir o link/);
    const { button: _button, ...withoutButton } = content;
    assert.doesNotMatch(renderMail({ ...withoutButton, why }, 'pt-br', ctx).text, /sem abrir o link/);
  });

  it('is the same in text as in HTML, word for word', () => {
    const { text, html } = renderMail({ ...asked, notes: ['Uma nota.'] }, 'pt-br', ctx);
    const shown = html
      .replace(/<style>.*<\/style>/s, '')
      .replace(/<[^>]+>/g, ' ')
      .replace(/&amp;/g, '&')
      .replace(/\s+/g, ' ');
    for (const line of text.split(/\n+|(?<=Prazo):/).filter((one) => one !== '--' && one !== 'Abrir:'))
      assert.ok(shown.includes(line.trim()), line);
  });

  it('has the product’s mark, or the company’s, and a dark theme for programs that know one', () => {
    const { html } = renderMail(asked, 'pt-br', ctx);
    assert.match(html, /<img src="cid:lavra-mark" alt=""/);
    assert.match(html, /<meta name="color-scheme" content="light dark">/);
    assert.match(html, /@media \(prefers-color-scheme:dark\)/);
    const brand = { name: 'Obras Ltda', color: '#123456', accent: null, logoUrl: 'https://assina.exemplo.com.br/api/company-logo/1' };
    const branded = renderMail({ ...asked, brand }, 'pt-br', ctx).html;
    assert.match(branded, /company-logo\/1/);
    assert.doesNotMatch(branded, /cid:/);
  });
});

describe('a text in a mail', () => {
  it('reads the same and holds nothing that a mail program would make a link of', () => {
    for (const address of [
      'https://evil.example/agora',
      'www.evil.example',
      'evil.example',
      'ana@evil.example',
      'x.zip',
      '//evil.example',
      'evil.example?x.pdf',
      'evil.example,x.pdf',
    ])
      for (const text of [address, `Conta bloqueada: acesse ${address} agora`]) {
        const shown = withoutLinks(text);
        assert.equal(shown.replaceAll('\u2060', ''), text);
        assert.doesNotMatch(shown, /:\/\/|@\p{L}|\p{L}\.\p{L}/u, text);
      }
    for (const text of ['Contrato de aluguel (contrato.pdf, anexo.pdf). Leia com calma.', 'R$ 1.000,00 em 01/02/2026, 10:30'])
      assert.equal(withoutLinks(text), text);
  });
});
