import { readFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { escape, page, send } from '../mailbox-pages.ts';
import type { DevelopmentCertificates } from './certificates.ts';
import { type CertificatePlan, demonstrationPeople, type DemonstrationPerson, filePassword } from './people.ts';

const maskOf = (cpf: string) => cpf.replace(/^(\d{3})(\d{3})(\d{3})(\d{2})$/, '$1.$2.$3-$4');

function certificateItem({ id, at, file, note }: CertificatePlan): string {
  const where = file
    ? `Arquivo <a href="/pessoas/arquivos/${id}.p12">${id}.p12</a>, senha <code>${filePassword}</code>`
    : `Na nuvem: ${(at ?? []).join(', ')}`;
  return `<li>${where}<p class="meta">${escape(note)}</p></li>`;
}

function personItem({ name, cpf, certificates }: DemonstrationPerson): string {
  return `<li><h2>${escape(name)}</h2><p class="meta">CPF <code>${maskOf(cpf)}</code></p><ul>${certificates.map(certificateItem).join('')}</ul></li>`;
}

function peoplePage({ files, telephone }: Pick<DevelopmentCertificates, 'files' | 'telephone'>): string {
  return page(
    'Pessoas de faz de conta',
    `<p>Para experimentar a assinatura com certificado digital: crie um processo com o CPF de uma destas pessoas e assine no lugar
dela. Os certificados são desta instalação e não valem nada fora dela.</p>
<p>Os provedores de nuvem abrem uma página com “Autorizar” e “Recusar”; o VIDAAS pergunta no
<a href="${escape(telephone)}">telefone de faz de conta</a>. Os arquivos também estão em <code>${escape(files)}</code>.</p>
<p>Para entrar sem senha, use “Google” ou “gov.br” na página de entrada: provedores de faz de conta, que perguntam quem você quer ser.</p>
<ul>${demonstrationPeople.map(personItem).join('')}</ul>`,
  );
}

/** Who has which certificate, where, and what opens it. */
export function peoplePages(certificates: Pick<DevelopmentCertificates, 'files' | 'telephone'>): RequestListener {
  const known = new Set(demonstrationPeople.flatMap((person) => person.certificates.map(({ id }) => `/pessoas/arquivos/${id}.p12`)));
  return (request, response) => {
    const url = request.url ?? '';
    if (url === '/pessoas') return send(response, 200, 'text/html', peoplePage(certificates));
    const notFound = () =>
      send(response, 404, 'text/html', page('Página não encontrada', '<p><a href="/pessoas">Voltar às pessoas</a></p>'));
    if (!known.has(url)) return notFound();
    readFile(join(certificates.files, url.slice('/pessoas/arquivos/'.length))).then(
      (bytes) => send(response, 200, 'application/x-pkcs12', bytes),
      notFound,
    );
  };
}
