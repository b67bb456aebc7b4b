import type { RequestListener, ServerResponse } from 'node:http';
import type { CaughtMail, Mailbox } from './mail-catcher.ts';

export const escape = (value: string) =>
  value.replace(/[&<>"']/g, (found) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[found] ?? found);

const style = `:root{color-scheme:light}body{margin:0;background:#F8F5EE;color:#16211F;font:17px/1.5 system-ui,sans-serif}
header{background:#0A3635;color:#F6F2E9;padding:16px 24px}header nav{margin-top:8px;display:flex;flex-wrap:wrap;gap:0 24px}header a{color:#F6F2E9;padding:8px 0}header p{margin:0;font-family:Georgia,serif;font-size:21px;font-weight:600}
main{max-width:860px;margin:24px auto;padding:0 16px}h1{font-family:Georgia,serif;font-size:28px;line-height:1.2}a{color:#0F5A54}
ul{list-style:none;margin:0;padding:0}li{background:#fff;border:1px solid #D5CFC1;border-radius:12px;margin:0 0 12px;padding:16px}
li a{font-weight:600}h2{font-size:19px;margin:0}code{overflow-wrap:anywhere;background:#F8F5EE;padding:2px 6px;border-radius:4px}li ul{margin-top:12px}li li{padding:12px;margin:0 0 8px;border-radius:8px}.meta{color:#51605D;font-size:15px;margin:4px 0 0}iframe{width:100%;height:70vh;border:1px solid #7A857F;border-radius:12px;background:#fff}
button{min-height:44px;padding:0 16px;border:1px solid #7A857F;border-radius:8px;background:#fff;color:#16211F;font:inherit}
:focus-visible{outline:3px solid #B4530A;outline-offset:2px}`;

/** Links in a mail open in the browser's own tab: the frame is sandboxed and may only do that. */
const SANDBOX = 'allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation';

/** A page of the development world. */
export function page(title: string, content: string): string {
  return `<!doctype html><html lang="pt-BR"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title><link rel="stylesheet" href="/style.css"></head><body>
<header><p>Lavra · caixa de correio de desenvolvimento</p>
<nav><a href="/">Mensagens</a><a href="/pessoas">Pessoas de faz de conta</a></nav></header><main><h1>${escape(title)}</h1>${content}</main></body></html>`;
}

function time(mail: CaughtMail): string {
  return new Date(mail.receivedAt)
    .toLocaleString('pt-BR', { timeZone: 'America/Sao_Paulo', dateStyle: 'short', timeStyle: 'medium' })
    .replace(',', '');
}

function listPage(mails: readonly CaughtMail[]): string {
  if (mails.length === 0) return page('Mensagens', '<p>Nenhuma mensagem ainda. Os e-mails que o Lavra enviar aparecem aqui.</p>');
  const items = mails.map(
    (mail) => `<li><a href="/mail/${mail.id}">${escape(mail.subject)}</a><p class="meta">Para ${escape(mail.to)} · ${time(mail)}</p></li>`,
  );
  return page('Mensagens', `<ul>${items.join('')}</ul>`);
}

function mailPage(mail: CaughtMail): string {
  return page(
    mail.subject,
    `<p class="meta">De ${escape(mail.from)}<br>Para ${escape(mail.to)}<br>${time(mail)}</p>
<iframe title="Conteúdo da mensagem" sandbox="${SANDBOX}" src="/mail/${mail.id}/html"></iframe>
<p><a href="/mail/${mail.id}/text">Ver só o texto</a> · <a href="/">Voltar às mensagens</a></p>
<form method="post" action="/mail/${mail.id}/delete"><button>Apagar esta mensagem</button></form>`,
  );
}

/** The mailbox as pages without script. */
export function mailboxPages(mailbox: Mailbox): RequestListener {
  return (request, response) => {
    answer(mailbox, request.method ?? 'GET', request.url ?? '/', response).catch(() => send(response, 500, 'text/plain', 'erro'));
  };
}

async function answer(mailbox: Mailbox, method: string, url: string, response: ServerResponse): Promise<void> {
  if (url === '/style.css') return send(response, 200, 'text/css', style);
  if (url === '/') return send(response, 200, 'text/html', listPage(await mailbox.list()));
  if (url === '/mails.json') return send(response, 200, 'application/json', JSON.stringify(await mailbox.list()));
  const [, id = '', part = ''] = /^\/mail\/([0-9a-f-]{36})(?:\/(html|text|delete))?$/.exec(url) ?? [];
  const mail = id ? await mailbox.get(id) : null;
  if (!mail) return send(response, 404, 'text/html', page('Mensagem não encontrada', '<p><a href="/">Voltar às mensagens</a></p>'));
  if (part === 'delete' && method === 'POST') {
    await mailbox.remove(id);
    response.setHeader('location', '/');
    return send(response, 303, 'text/plain', '');
  }
  if (part === 'html') return send(response, 200, 'text/html', mail.html.replace('<head>', '<head><base target="_blank">'));
  if (part === 'text') return send(response, 200, 'text/plain', mail.text);
  return send(response, 200, 'text/html', mailPage(mail));
}

/** With the headers that every page here has. */
export function send(response: ServerResponse, status: number, type: string, body: string | Uint8Array): void {
  response.writeHead(status, {
    'content-type': typeof body === 'string' ? `${type}; charset=utf-8` : type,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy':
      "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src data:; frame-src 'self'; form-action 'self'; base-uri 'self'",
  });
  response.end(body);
}
