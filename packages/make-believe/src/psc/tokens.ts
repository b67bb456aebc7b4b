import { createHash } from 'node:crypto';
import { fieldsOf, json, type PscAnswer, type PscRequest, Refusal } from './exchange.ts';
import type { MakeBelievePsc } from './provider.ts';
import { type PscToken, type PscTransaction, randomName } from './state.ts';

/** POST /client_token: an application's own token. */
export function clientToken(psc: MakeBelievePsc, { body }: PscRequest): PscAnswer {
  const form = new URLSearchParams(body);
  assertClient(psc, form.get('client_id'), form.get('client_secret'));
  if (form.get('grant_type') !== 'client_credentials') throw new Refusal(400, 'unsupported_grant_type');
  return json({ access_token: randomName(), token_type: 'Bearer', expires_in: expiry(psc, 300) });
}

/** POST /token: the code is used once, by who asked for it, with the verifier of its challenge (RFC 7636 §4.6). */
export function token(psc: MakeBelievePsc, { body }: PscRequest): PscAnswer {
  const form = new URLSearchParams(body);
  assertClient(psc, form.get('client_id'), form.get('client_secret'));
  if (form.get('grant_type') !== 'authorization_code') throw new Refusal(400, 'unsupported_grant_type');
  const code = form.get('code') ?? '';
  const transaction = psc.state.codes.get(code);
  psc.state.codes.delete(code);
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  if (
    transaction === undefined ||
    psc.behaviour.codes === 'expired' ||
    challenge !== transaction.challenge ||
    form.get('redirect_uri') !== transaction.redirectUri ||
    form.get('client_id') !== transaction.clientId
  ) {
    throw new Refusal(400, 'invalid_grant');
  }
  return json(grant(psc, transaction));
}

function grant(psc: MakeBelievePsc, { number, lifetimeSeconds, scope: asked }: PscTransaction): Record<string, unknown> {
  const scope = psc.behaviour.scope === 'as-asked' ? asked : 'authentication_session';
  const accessToken = randomName();
  const lifetime = psc.behaviour.tokens === 'expired' ? 0 : lifetimeSeconds;
  psc.state.tokens.set(accessToken, { number, scope, expiresAt: psc.now() + lifetime * 1000, used: false });
  const holder = psc.behaviour.holder === 'own' ? number : '11144477735';
  const named = {
    authorized_identification_type: holder.length === 11 ? 'CPF' : 'CNPJ',
    authorized_identification: psc.quirks.holder === 'number' && /^\d+$/.test(holder) ? Number(holder) : holder,
  };
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    // An expired token says that it is good: only who uses it finds out.
    expires_in: expiry(psc, lifetimeSeconds),
    ...(scope === asked ? {} : { scope }),
    ...(psc.quirks.holder === 'unnamed' && psc.behaviour.holder === 'own' ? {} : named),
  };
}

/** The token of a request that carries one. */
export function bearer(psc: MakeBelievePsc, { authorization }: PscRequest): PscToken {
  const found = psc.state.tokens.get(/^Bearer (.+)$/.exec(authorization)?.[1] ?? '');
  if (found === undefined || found.used || psc.now() >= found.expiresAt) throw new Refusal(401, 'invalid_token');
  return found;
}

export function assertClient({ state }: MakeBelievePsc, id: unknown, secret: unknown): void {
  const application = typeof id === 'string' ? state.applications.get(id) : undefined;
  if (application === undefined || application.secret !== secret) throw new Refusal(401, 'invalid_client');
}

/** POST /application, where anybody may. */
export function registerApplication(psc: MakeBelievePsc, request: PscRequest): PscAnswer {
  if (!psc.quirks.registers) throw new Refusal(404, 'invalid_request');
  const { name, email, redirect_uris: addresses } = fieldsOf(request);
  if (typeof name !== 'string' || typeof email !== 'string' || !Array.isArray(addresses)) throw new Refusal(400, 'invalid_request');
  const clientId = randomName();
  const secret = randomName();
  psc.state.applications.set(clientId, { name, secret, redirectUris: addresses.map(String) });
  return json({ status: 'success', message: 'Aplicação cadastrada.', client_id: clientId, client_secret: secret });
}

const expiry = ({ quirks }: MakeBelievePsc, seconds: number) => (quirks.expiresIn === 'text' ? String(seconds) : seconds);
