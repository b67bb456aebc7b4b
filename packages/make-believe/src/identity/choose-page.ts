import { escape } from '../mailbox-pages.ts';
import type { IdentityPerson } from './people.ts';

const style = `body{margin:0;background:#eef1f4;color:#1b2530;font:17px/1.5 system-ui,sans-serif}main{max-width:520px;margin:24px auto;padding:24px;background:#fff;border:1px solid #c5ced8;border-radius:12px}
h1{font-size:24px;margin:0 0 8px}ul{list-style:none;margin:16px 0;padding:0}li{margin:0 0 8px}small{display:block;color:#4c5a68;font-size:15px}
button{width:100%;min-height:44px;padding:8px 16px;border-radius:8px;border:1px solid #1b2530;background:#fff;color:inherit;font:inherit;text-align:left}:focus-visible{outline:3px solid #155b8a;outline-offset:2px}
@media (max-width:560px){main{margin:0;border:0;border-radius:0}}`;

/** Who one may be at a provider: what stands in for its password page. */
export function choosePage(provider: string, action: string, people: readonly IdentityPerson[]): string {
  const items = people.map(
    ({ id, givenName, familyName, email, note }) =>
      `<li><button name="person" value="${escape(id)}">${escape(`${givenName} ${familyName}`)}<small>${escape(email ?? 'sem e-mail')}</small><small>${escape(note)}</small></button></li>`,
  );
  const title = `${provider} (faz de conta)`;
  return `<!doctype html><html lang="pt-BR"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title><style>${style}</style></head><body><main><h1>${escape(title)}</h1><p>Entrar como:</p>
<form method="post" action="${escape(action)}"><ul>${items.join('')}</ul><button name="person" value="">Cancelar</button></form></main></body></html>`;
}
