import type { InjectOptions, LightMyRequestResponse } from 'fastify';

type Inject = (options: InjectOptions) => Promise<LightMyRequestResponse>;

/**
 * What a browser does for its session: keeps the cookie of each sign-in and asks for a fresh token when the old one's time
 * is over, so that tests whose clock runs for days keep theirs. A token that a test holds stands for its session.
 */
export function refreshing(inject: Inject): Inject {
  const sessions = new Map<string, { token: string; cookie: string }>();

  function note(answer: LightMyRequestResponse, first: string | null): boolean {
    const token = String(answer.headers['authorization'] ?? '').replace(/^Bearer /, '');
    const cookie = String(answer.headers['set-cookie'] ?? '').split(';')[0];
    if (answer.statusCode !== 200 || token === '' || !cookie) return false;
    sessions.set(first ?? token, { token, cookie });
    return true;
  }

  return async (options) => {
    const headers = { ...(options.headers as Record<string, string> | undefined) };
    const held = /^Bearer (.+)$/.exec(headers['authorization'] ?? '')?.[1] ?? '';
    const session = sessions.get(held);
    if (session) headers['authorization'] = `Bearer ${session.token}`;
    const answer = await inject({ ...options, headers });
    note(answer, null);
    if (!session || answer.statusCode !== 401 || answer.headers['x-app-error'] !== 'request.unauthorized') return answer;
    const refreshed = await inject({
      method: 'POST',
      url: '/api/refresh',
      headers: { authorization: `Bearer ${session.token}`, cookie: session.cookie },
    });
    if (!note(refreshed, held)) return answer;
    return inject({ ...options, headers: { ...headers, authorization: `Bearer ${sessions.get(held)?.token}` } });
  };
}
