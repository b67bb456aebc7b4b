import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody } from '../read-body.ts';
import type { Session } from '../session.ts';
import type { Sessions, Surroundings } from '../sessions.ts';
import { chooseToken, openFile, search, signAll } from './act.ts';
import { plainPage, sessionPage } from './pages.ts';
import { languageOf } from './texts.ts';

/** A certificate file and its form. */
const largestForm = (8 << 20) + 4096;

/** Nothing from elsewhere, nothing inline, in nobody's frame. `same-origin`, since `no-referrer` would send forms with `Origin: null`. */
const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/**
 * The window's pages. Its address is unguessable, stands in no list of processes and belongs to the first browser that opens it (a cookie from then on);
 * what it does comes by POST from itself alone.
 */
export class WindowPages {
  readonly #sessions: Sessions;
  readonly #surroundings: Surroundings;

  constructor(sessions: Sessions, surroundings: Surroundings) {
    this.#sessions = sessions;
    this.#surroundings = surroundings;
  }

  async answer(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const language = languageOf(request.headers['accept-language']);
    const [, secret = '', step = ''] = /^\/window\/([\w-]{43})(?:\/(\w+))?$/.exec(path) ?? [];
    const session = this.#sessions.ofWindow(secret);
    if (session === null) return void response.writeHead(404, pageHeaders).end(plainPage('unknown', language));
    const mine = session.claimed ? session.hasCookie(cookieIn(request)) : request.method === 'GET' && step === '';
    if (!mine) return void response.writeHead(403, pageHeaders).end(plainPage('elsewhere', language));
    if (request.method === 'GET' && step === 'phase') {
      return void response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ page: String(session.turn) }));
    }
    if (request.method === 'GET' && step === '') {
      if (!session.claimed) {
        session.claimed = true;
        this.#surroundings.onClaimed(session);
        response.setHeader('Set-Cookie', `lavra-window=${session.cookie}; Path=/window/${secret}; HttpOnly; SameSite=Strict`);
      }
      const { now, knowsOwners } = this.#surroundings;
      return void response.writeHead(200, pageHeaders).end(sessionPage(session, { language, now: now(), knowsOwners }));
    }
    if (request.method !== 'POST' || !isFromWindow(request)) return void response.writeHead(403).end();
    const fields = await formIn(request);
    if (fields === null) return void response.writeHead(400).end();
    await this.#act(session, step, fields);
    response.writeHead(303, { Location: `/window/${secret}` }).end();
  }

  /** What does not fit the phase (a page of before, a second click) does nothing. */
  async #act(session: Session, step: string, fields: FormData): Promise<void> {
    const { phase } = session;
    const { now, elapsed, modules, knowsOwners } = this.#surroundings;
    const text = (name: string) => {
      const value = fields.get(name);
      return typeof value === 'string' ? value : '';
    };
    if (step === 'refuse' && phase.name !== 'signing') return this.#sessions.refuse(session);
    if (step === 'allow' && phase.name === 'consent') {
      if (!knowsOwners && text('code') !== session.code) return this.#sessions.refuse(session);
      this.#sessions.approve(session);
      return search(session, modules(), now);
    }
    if (step === 'search' && phase.name === 'choice') return search(session, modules(), now);
    if (step === 'choose' && phase.name === 'choice') return chooseToken(session, text('certificate'));
    if (step === 'file' && phase.name === 'choice') return openFile(session, fields.get('file'), text('password'), now());
    if (step === 'sign' && phase.name === 'confirmation')
      return signAll(session, text('pin'), { now: now(), elapsed: elapsed(), tries: this.#sessions.pinTries });
  }
}

function cookieIn(request: IncomingMessage): string {
  return /(?:^|;\s*)lavra-window=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1] ?? '';
}

function isFromWindow({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  return headers.origin === `http://${headers.host}` && (site === undefined || site === 'same-origin');
}

async function formIn(request: IncomingMessage): Promise<FormData | null> {
  const body = await readBody(request, largestForm);
  if (body === null) return null;
  return new Response(new Uint8Array(body), { headers: { 'content-type': request.headers['content-type'] ?? '' } })
    .formData()
    .catch(() => null);
}
