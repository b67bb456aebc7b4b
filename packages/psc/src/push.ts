import { fieldsOf, readAnswer, readSuccess, textIn } from './answers.ts';
import { pscOf } from './context.ts';
import type { PscContext } from './context.ts';
import type { ConfiguredPsc } from './configure.ts';
import { PscError } from './errors.ts';
import { failure, send } from './network.ts';
import type { Call } from './network.ts';
import { assertStillWaiting } from './pending.ts';
import type { PendingAuthorization } from './pending.ts';

/** Stands for an address: ask the person's telephone, do not send anybody anywhere. */
export const pushRedirect = 'push://';

/** Asking more often is refused. */
export const pushPollMs = 1_000;

/** GET /authorize whose body, not whose redirect, carries `code=…`: the name of the request. */
export async function startPush(context: PscContext, psc: ConfiguredPsc, url: string): Promise<string> {
  const call: Call = { psc, call: 'authorize', url, deadlineMs: context.deadlines.callMs };
  const reply = await send(context.outside, call);
  const written = /^\s*"?code=([\w.~%-]+)"?\s*$/.exec(reply.text)?.[1];
  if (reply.status === 200 && written !== undefined) return decodeURIComponent(written);
  const transaction = textIn(readSuccess(call, reply), 'code');
  if (transaction === null) throw failure(call, 'PSC_BAD_ANSWER');
  return transaction;
}

/** The code for `/token` once the person approved; null while they have not. Throws PSC_REFUSED_BY_USER, PSC_EXPIRED … */
export async function pollPush(context: PscContext, pending: PendingAuthorization): Promise<string | null> {
  const psc = pscOf(context, pending.psc);
  if (pending.transaction === null) throw new PscError('PSC_INVALID_REQUEST', psc.id, { call: 'poll' });
  assertStillWaiting(pending, context.outside.now(), 'poll');
  const url = `${psc.baseUrl}/valid/api/v1/trusted-services/authentications?code=${encodeURIComponent(pending.transaction)}`;
  const call: Call = { psc, call: 'poll', url, deadlineMs: context.deadlines.callMs };
  const reply = await send(context.outside, call);
  if (reply.status === 304 || reply.status === 202) return null;
  // Forgotten by the provider: its own two minutes are over.
  if ((reply.status === 404 || reply.status === 410) && fieldsOf(reply.text)?.['error'] === undefined) {
    throw failure(call, 'PSC_EXPIRED', { status: reply.status });
  }
  const code = textIn(readAnswer(call, reply), 'authorizationToken', 'authorization_token');
  if (code === null) throw failure(call, 'PSC_BAD_ANSWER', { status: reply.status });
  return code;
}
