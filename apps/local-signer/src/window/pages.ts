import type { CertificateCard, KeyAtHand } from '../keys/key.ts';
import { cardOf } from '../keys/key.ts';
import { sha256Hex } from '../session.ts';
import type { Findings, Session } from '../session.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';
import { textsIn } from './texts.ts';
import type { Language, Texts } from './texts.ts';

interface View {
  readonly session: Session;
  readonly knowsOwners: boolean;
  readonly language: Language;
  readonly texts: Texts;
  /** The window's path: forms go below it. */
  readonly path: string;
  readonly now: number;
}

/** The page of the phase that the session is in. */
export function sessionPage(
  session: Session,
  { language, now, knowsOwners }: { language: Language; now: number; knowsOwners: boolean },
): string {
  const view: View = { session, knowsOwners, language, texts: textsIn(language), path: `/window/${session.secret}`, now };
  const { title, content } = pageOf(view);
  return layout({ language, title, content, turn: session.isOver ? null : session.turn });
}

/** For addresses without a session behind them. */
export function plainPage(kind: 'unknown' | 'elsewhere', language: Language): string {
  const texts = textsIn(language);
  const title = kind === 'unknown' ? texts.unknownTitle : texts.elsewhereTitle;
  return layout({ language, title, content: html`<p>${texts[kind]}</p>`, turn: null });
}

function layout({ language, title, content, turn }: { language: Language; title: string; content: Html; turn: number | null }): string {
  const texts = textsIn(language);
  const follows = turn === null ? null : html` data-page="${turn}"`;
  const page = html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title} — ${texts.product}</title>
<link rel="stylesheet" href="/window.css"><script src="/window.js" defer></script></head>
<body${follows}><header>${texts.product}</header>
<main><h1 tabindex="-1">${title}</h1>
${content}
<p class="small">${texts.onThisComputer}</p></main></body></html>
`;
  return page.text;
}

function pageOf(view: View): { title: string; content: Html } {
  const { session, texts } = view;
  const { phase } = session;
  switch (phase.name) {
    case 'greeted':
    case 'met':
      return { title: texts.codeTitle, content: meeting(view) };
    case 'consent':
      return { title: consentTitle(view), content: consent(view) };
    case 'choice':
      return { title: texts.chooseTitle, content: choice(view, phase.findings) };
    case 'awaiting':
      return {
        title: texts.awaitingTitle,
        content: html`<div role="status"><p>${texts.awaiting}</p></div>
          ${refuse(view)}`,
      };
    case 'confirmation':
      return { title: texts.confirmTitle, content: confirmation(view, phase.key, phase.documents.length) };
    case 'signing':
      return { title: texts.signingTitle, content: html`<div role="status"><p>${texts.signing}</p></div>` };
    case 'signed':
      return { title: texts.signedTitle, content: html`<div role="status"><p>${texts.signed}</p></div>` };
    case 'failed':
      return {
        title: texts.failedTitle,
        content: html`<div role="alert"><p class="notice">${texts.failed[phase.code]}</p></div>
          <p>${texts.closeHint}</p>`,
      };
  }
}

function notice({ session, texts }: View): Html | null {
  return session.notice === null ? null : html`<div role="alert"><p class="notice" id="notice">${texts.notice[session.notice]}</p></div>`;
}

function form({ path }: View, action: string, content: Html, encoding?: 'multipart/form-data'): Html {
  return html`<form method="post" action="${path}/${action}" autocomplete="off" ${encoding ? html` enctype="${encoding}"` : null}>
    ${content}
  </form>`;
}

function refuse(view: View): Html {
  return form(view, 'refuse', html`<div class="actions"><button>${view.texts.refuse}</button></div>`);
}

/** Who asks, for what: shown before anything is looked for, and once more before the key signs. */
function request({ session, texts, knowsOwners }: View): Html {
  if (session.demand === null) return html``;
  const { title, creator, documents } = session.demand.request;
  return html`<bdi class="origin">${session.origin}</bdi>
    <dl class="card">
      ${
        knowsOwners &&
        html`<dt>${texts.code}</dt>
          <dd>${session.code}</dd>`
      }
      <dt>${texts.process}</dt>
      <dd><bdi>${title}</bdi></dd>
      <dt>${texts.creator}</dt>
      <dd><bdi>${creator}</bdi></dd>
      <dt>${texts.documents}</dt>
      ${documents.map(({ name, sha256 }) => html`<dd><bdi>${name}</bdi><span class="hash">${texts.sha256}: ${sha256}</span></dd>`)}
    </dl>`;
}

/** Before the page asks for anything: this is the program it has to know again. */
function meeting(view: View): Html {
  const { session, texts } = view;
  return html`<bdi class="origin">${session.origin}</bdi>
    <p>${texts.codeHint}</p>
    <p class="code">${session.code}</p>
    <p class="small">${texts.codeStranger}</p>
    ${refuse(view)}`;
}

function consentTitle({ session, texts }: View): string {
  const standing = session.demand?.standing ?? 'new';
  return standing === 'approved' ? texts.asks : standing === 'new' ? texts.firstContact : texts.keyChanged;
}

function consent(view: View): Html {
  const { session, texts, knowsOwners } = view;
  const standing = session.demand?.standing;
  const allow = standing === 'approved' ? texts.allowAgain : texts.allow;
  return html`${standing === 'changed' && html`<div role="alert"><p class="warning">${texts.keyChangedHint}</p></div>`}
    ${standing === 'new' && html`<p>${texts.firstContactHint}</p>`} ${request(view)}
    <p class="small">${texts.consentHint}</p>
    ${form(
      view,
      'allow',
      html`${!knowsOwners && codeChoice(view)}
        <div class="actions"><button class="main">${allow}</button></div>`,
    )}
    ${refuse(view)}`;
}

/** Where callers of other users cannot be told apart, only the page that shows this code is followed. */
function codeChoice({ session, texts }: View): Html {
  return html`<fieldset>
    <legend>${texts.codeOfPage}</legend>
    ${session.codes.map((code) => html`<label class="card choice"><input type="radio" name="code" value="${code}" required /><span>${code}</span></label>`)}
  </fieldset>`;
}

function choice(view: View, findings: Findings | null): Html {
  const { texts } = view;
  if (findings === null)
    return html`<div role="status"><p>${texts.searching}</p></div>
      ${refuse(view)}`;
  return html`${notice(view)}
    <h2 id="tokens">${texts.tokens}</h2>
    ${findings.modules.flatMap(({ path, fault }) =>
      fault === null ? [] : [html`<p class="warning"><bdi>${path.split(/[\\/]/).at(-1) ?? path}</bdi>: ${texts.module[fault]}</p>`],
    )}
    ${findings.choices.length > 0 ? tokenForm(view, findings) : html`<p>${findings.modules.length > 0 ? texts.noToken : texts.noModule}</p>`}
    ${form(view, 'search', html`<div class="actions"><button>${texts.searchAgain}</button></div>`)}
    <h2>${texts.file}</h2>
    <p class="small">${texts.fileHint}</p>
    ${form(
      view,
      'file',
      html`<label for="file">${texts.chooseFile}</label><input id="file" name="file" type="file" accept=".pfx,.p12" required />
        <label for="password">${texts.filePassword}</label><input id="password" name="password" type="password" autocomplete="off" />
        <div class="actions"><button class="main">${texts.openFile}</button></div>`,
      'multipart/form-data',
    )}
    ${refuse(view)}`;
}

function tokenForm(view: View, { choices }: Findings): Html {
  const { texts } = view;
  const only = choices.filter(({ card }) => card.hindrance === null).length === 1;
  return form(
    view,
    'choose',
    html`<fieldset aria-labelledby="tokens">
        ${choices.map(
          ({ card, token, key }, index) =>
            html`<label class="card choice">
              <input
                type="radio"
                name="certificate"
                value="${sha256Hex(key.certificate)}-${index}"
                required${card.hindrance !== null ? html` disabled` : only ? html` checked` : null}
              />
              <span><strong>${card.name}</strong>${cardLines(view, card)}<span class="small">${texts.token}: ${token}</span></span></label
            >`,
        )}
      </fieldset>
      <div class="actions"><button class="main">${texts.chooseThis}</button></div>`,
  );
}

function cardLines({ texts }: View, card: CertificateCard): Html {
  // Days before months in every language, as in the product.
  const until = new Intl.DateTimeFormat('pt-BR', { day: '2-digit', month: '2-digit', year: 'numeric' }).format(card.notAfter);
  return html`${card.maskedCpf !== null && html`<span class="small">${texts.cpf}: ${card.maskedCpf}</span>`}
    ${card.cnpj !== null && html`<span class="small">${texts.cnpj}: ${card.cnpj}</span>`}
    <span class="small">${texts.issuer}: ${card.issuer}</span
    ><span class="small">${texts.validUntil}: ${until}</span>
    ${card.hindrance !== null && html`<span><strong>${texts.hindrance[card.hindrance]}</strong></span>`}`;
}

function confirmation(view: View, key: KeyAtHand, count: number): Html {
  const { texts, session } = view;
  const card = cardOf(key.certificate, view.now);
  const state = session.notice === null ? texts.pinState[key.pin] : '';
  const described = session.notice === null ? 'pin-hint' : 'notice pin-hint';
  return html`${notice(view)} ${request(view)}
    <h2>${texts.yourCertificate}</h2>
    <div class="card">
      ${
        card !== null &&
        html`<strong>${card.name}</strong>
          <div>${cardLines(view, card)}</div>`
      }
    </div>
    ${state !== '' && html`<p class="warning">${state}</p>`}
    ${form(
      view,
      'sign',
      html`${
          key.asks === 'pin' &&
          html`<label for="pin">${texts.pin}</label>
            <p class="small" id="pin-hint">${texts.pinHint}</p>
            <input id="pin" name="pin" type="password" autocomplete="off" required maxlength="255" aria-describedby="${described}" />`
        }${key.asks === 'pin-pad' && html`<p>${texts.pinPad}</p>`}
        <div class="actions"><button class="main">${texts.sign(count)}</button></div>`,
    )}
    ${refuse(view)}`;
}
