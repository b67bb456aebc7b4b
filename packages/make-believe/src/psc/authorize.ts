import { approvalPage, messagePage, telephonePage } from './approval-page.ts';
import { page, type PscAnswer, type PscRequest, redirect, Refusal } from './exchange.ts';
import type { MakeBelievePsc } from './provider.ts';
import { type PscTransaction, randomName } from './state.ts';

/** The provider's own patience, as the one that publishes it has. */
const patienceMs = 120_000;
const pushRedirect = 'push://';

/** GET /authorize: a page for the person, or (push) the name of the request for the application. */
export function authorize(psc: MakeBelievePsc, { query }: PscRequest): PscAnswer {
  const transaction = openTransaction(psc, query);
  const push = transaction.redirectUri === pushRedirect;
  if (psc.behaviour.person !== 'asks') {
    const decided = decideTransaction(psc, transaction, psc.behaviour.person === 'approves');
    if (!push) return decided;
  }
  if (push) return { status: 200, type: 'text/plain', body: `code=${transaction.id}` };
  return page(approvalPage(psc.id, psc.path('decision'), applicationName(psc, transaction), transaction));
}

/** POST of one of the two buttons. */
export function decide(psc: MakeBelievePsc, { body }: PscRequest): PscAnswer {
  const form = new URLSearchParams(body);
  const transaction = psc.state.transactions.get(form.get('transaction') ?? '');
  if (transaction === undefined || transaction.decision !== 'pending' || psc.now() >= transaction.expiresAt) {
    return page(messagePage('Pedido encerrado', 'Este pedido já foi respondido ou expirou.'), 410);
  }
  return decideTransaction(psc, transaction, form.get('decision') === 'approve');
}

function decideTransaction(psc: MakeBelievePsc, transaction: PscTransaction, approved: boolean): PscAnswer {
  transaction.decision = approved ? 'approved' : 'refused';
  if (approved) {
    transaction.code = randomName();
    psc.state.codes.set(transaction.code, transaction);
  }
  if (transaction.redirectUri === pushRedirect) {
    return page(messagePage(approved ? 'Autorizado' : 'Recusado', 'Volte ao programa que fez o pedido.'));
  }
  const back = new URL(transaction.redirectUri);
  if (transaction.code === null) back.searchParams.set('error', 'access_denied');
  else back.searchParams.set('code', transaction.code);
  if (transaction.state !== null) back.searchParams.set('state', transaction.state);
  return redirect(back.href);
}

/** The telephone: what waits there. */
export function telephone(psc: MakeBelievePsc): PscAnswer {
  const waiting = [...psc.state.transactions.values()]
    .filter(({ decision, expiresAt, redirectUri }) => decision === 'pending' && expiresAt > psc.now() && redirectUri === pushRedirect)
    .map((transaction) => ({ application: applicationName(psc, transaction), transaction }));
  return page(telephonePage(psc.id, psc.path('decision'), waiting.toReversed()));
}

/** GET …/authentications?code=: has the person answered on their telephone? */
export function poll(psc: MakeBelievePsc, { query }: PscRequest): PscAnswer {
  const transaction = psc.state.transactions.get(query.get('code') ?? '');
  if (transaction === undefined || psc.now() >= transaction.expiresAt) return { status: 410, body: '' };
  if (transaction.decision === 'refused') throw new Refusal(400, 'access_denied');
  if (transaction.code === null) return { status: 202, body: '' };
  const answer = { authorizationToken: transaction.code, redirectUrl: pushRedirect };
  return { status: 200, type: 'application/json', body: JSON.stringify(answer) };
}

function openTransaction(psc: MakeBelievePsc, query: URLSearchParams): PscTransaction {
  const said = (name: string) => query.get(name) ?? '';
  const application = psc.state.applications.get(said('client_id'));
  const redirectUri = said('redirect_uri');
  const isPush = psc.quirks.push && redirectUri === pushRedirect;
  // RFC 6749 §4.1.2.1: with a wrong client or address nobody is sent anywhere.
  if (application === undefined || !(isPush || application.redirectUris.includes(redirectUri))) throw new Refusal(400, 'invalid_request');
  const challenge = said('code_challenge');
  const pkce = said('code_challenge_method') === 'S256' && /^[\w-]{43}$/.test(challenge);
  if (said('response_type') !== 'code' || !pkce || !psc.state.holders.has(said('login_hint'))) throw new Refusal(400, 'invalid_request');
  const scope = said('scope') || 'authentication_session';
  if (!/^(single_signature|multi_signature|signature_session|authentication_session)$/.test(scope)) throw new Refusal(400, 'invalid_scope');
  const transaction: PscTransaction = {
    id: randomName(),
    clientId: said('client_id'),
    redirectUri,
    state: query.get('state'),
    scope,
    challenge,
    lifetimeSeconds: Math.min(Number(said('lifetime')) || 300, 604_800),
    number: said('login_hint'),
    expiresAt: psc.now() + patienceMs,
    decision: 'pending',
    code: null,
  };
  psc.state.transactions.set(transaction.id, transaction);
  return transaction;
}

const applicationName = ({ state }: MakeBelievePsc, { clientId }: PscTransaction) => state.applications.get(clientId)?.name ?? clientId;
