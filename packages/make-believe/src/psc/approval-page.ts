import type { PscTransaction } from './state.ts';

const escape = (value: string) =>
  value.replace(/[&<>"']/g, (found) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[found] ?? found);

const style = `body{margin:0;background:#eef1f4;color:#1b2530;font:17px/1.5 system-ui,sans-serif}main{max-width:520px;margin:40px auto;padding:24px;background:#fff;border:1px solid #c5ced8;border-radius:12px}
h1{font-size:24px;margin:0 0 8px}dl{margin:16px 0}dt{color:#4c5a68;font-size:15px}dd{margin:0 0 8px}form{display:flex;gap:12px}
button{min-height:44px;padding:0 20px;border-radius:8px;border:1px solid #1b2530;background:#fff;font:inherit}button[value=approve]{background:#155b8a;color:#fff;border-color:#155b8a}`;

const document = (title: string, content: string) => `<!doctype html><html lang="pt-BR"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${escape(title)}</title><style>${style}</style></head>
<body><main><h1>${escape(title)}</h1>${content}</main></body></html>`;

const scopes: Record<string, string> = {
  single_signature: 'uma assinatura',
  multi_signature: 'várias assinaturas, de uma vez',
  signature_session: 'assinaturas durante uma sessão',
  authentication_session: 'somente identificação',
};

function question(action: string, application: string, { id, number, scope, lifetimeSeconds }: PscTransaction): string {
  return `<dl><dt>Quem pede</dt><dd>${escape(application)}</dd><dt>Titular</dt><dd>***${escape(number.slice(-5))}</dd>
<dt>Para</dt><dd>${escape(scopes[scope] ?? scope)}, por ${lifetimeSeconds} s</dd></dl>
<form method="post" action="${escape(action)}"><input type="hidden" name="transaction" value="${escape(id)}">
<button name="decision" value="approve">Autorizar</button><button name="decision" value="refuse">Recusar</button></form>`;
}

/** One question, two buttons: what a person sees at the provider. */
export function approvalPage(psc: string, action: string, application: string, transaction: PscTransaction): string {
  return document(`${psc} (faz de conta)`, `<p>Autorizar o uso do seu certificado?</p>${question(action, application, transaction)}`);
}

/** The telephone of a provider that pushes: everything that waits for an answer, newest first. */
export function telephonePage(
  psc: string,
  action: string,
  waiting: readonly { application: string; transaction: PscTransaction }[],
): string {
  const questions = waiting.map(({ application, transaction }) => `<section>${question(action, application, transaction)}</section>`);
  return document(`Telefone ${psc} (faz de conta)`, questions.join('') || '<p>Nenhum pedido aguarda resposta.</p>');
}

export function messagePage(title: string, message: string): string {
  return document(title, `<p>${escape(message)}</p>`);
}
