import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createIcpBrasilPki, type IcpBrasilPki, type IssuedCertificate, type IssueOptions } from '../icp-brasil/pki.ts';
import type { CompanyData, PersonData } from '../icp-brasil/profile.ts';
import { makeBelievePscs, type MakeBelievePscId, normally, quirks } from './behaviour.ts';
import { type PscAnswer, readBody } from './exchange.ts';
import { answer, createPsc, type MakeBelievePsc } from './provider.ts';
import type { PscHolder } from './state.ts';

export type MakeBelieveSettings = Readonly<
  Record<MakeBelievePscId, { baseUrl: string; clientId: string; clientSecret: string; registersApplications: boolean }>
>;

export interface PscWorld {
  readonly pki: IcpBrasilPki;
  /** `127.0.0.1:port` of everything here: what an installation must allow. */
  readonly host: string;
  readonly pscs: Readonly<Record<MakeBelievePscId, MakeBelievePsc>>;
  /** Address and credentials of each provider, in the form of an installation's settings. */
  readonly settings: MakeBelieveSettings;
  /** Where the providers that push show what waits: `.../vidaas/telefone`. */
  readonly telephone: string;
  /** Gives a person a cloud certificate at these providers; without a list at all seven. */
  enrolPerson(person: PersonData, at?: readonly MakeBelievePscId[], options?: IssueOptions): Promise<IssuedCertificate>;
  enrolCompany(company: CompanyData, at?: readonly MakeBelievePscId[], options?: IssueOptions): Promise<IssuedCertificate>;
  /** Gives somebody a certificate that is there already. */
  enrol(holder: PscHolder, at: readonly MakeBelievePscId[]): void;
  /** Back to normal, people kept. */
  reset(): void;
  close(): Promise<void>;
}

export interface PscWorldOptions {
  readonly now?: () => Date;
  /** Registered at every provider, compared exactly (RFC 6749 §3.1.2.3). */
  readonly redirectUris: readonly string[];
  /** Default any free one. */
  readonly port?: number;
  /** The infrastructure that is served there; default a new one. */
  readonly pki?: (address: string) => Promise<IcpBrasilPki>;
}

const credentials = (id: MakeBelievePscId) => ({ clientId: `lavra-${id.toLowerCase()}`, clientSecret: `segredo-${id.toLowerCase()}` });

/** Of the providers of a world at `127.0.0.1:port`. */
export function settingsAt(host: string): MakeBelieveSettings {
  const entries = makeBelievePscs.map((id) => [
    id,
    { baseUrl: `http://${host}/${id.toLowerCase()}`, ...credentials(id), registersApplications: quirks[id].registers },
  ]);
  return Object.fromEntries(entries) as MakeBelieveSettings;
}

export const telephoneAt = (host: string): string => `http://${host}/vidaas/telefone`;

/** An ICP-Brasil with its lists and issuers, and seven providers with their quirks, over real HTTP on this machine. */
export async function startPscWorld(options: PscWorldOptions): Promise<PscWorld> {
  const { now = () => new Date(), redirectUris, port = 0 } = options;
  // Asked before it is ready (by another node of a development start), it answers when it is.
  const ready = Promise.withResolvers<(request: IncomingMessage, response: ServerResponse) => Promise<void>>();
  const server = createServer((request, response) => {
    ready.promise.then((respond) => respond(request, response)).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const createPki = options.pki ?? ((address) => createIcpBrasilPki({ now, address }));
  const pki = await createPki(`http://${host}`);
  const made = makeBelievePscs.map((id) => createPsc(id, pki, now));
  for (const { id, state } of made) {
    const { clientId, clientSecret } = credentials(id);
    state.applications.set(clientId, { name: 'Lavra', secret: clientSecret, redirectUris });
  }
  ready.resolve(async (request, response) => {
    const url = new URL(request.url ?? '/', `http://${host}`);
    const [, prefix = '', path = ''] = /^\/([a-z]+)\/(.*)$/.exec(url.pathname) ?? [];
    const psc = made.find(({ id }) => id.toLowerCase() === prefix);
    const { method = 'GET', headers } = request;
    const body = await readBody(request);
    if (psc === undefined) return send(response, await published(pki, method, url.pathname, body));
    const asked = { method, path, query: url.searchParams, authorization: headers.authorization ?? '', body: body.toString() };
    const answered = await answer(psc, asked);
    // The request has been read to its end: only the socket is left to close.
    if (answered === null) request.socket.destroy();
    else send(response, answered);
  });

  function enrol(holder: PscHolder, at: readonly MakeBelievePscId[]): IssuedCertificate {
    for (const { id, state } of made) if (at.includes(id)) state.holders.set(holder.number, holder);
    return holder.certificate;
  }

  return {
    pki,
    host,
    pscs: Object.fromEntries(made.map((psc) => [psc.id, psc])) as Record<MakeBelievePscId, MakeBelievePsc>,
    settings: settingsAt(host),
    telephone: telephoneAt(host),
    enrolPerson: async (person, at = makeBelievePscs, options = {}) =>
      enrol({ number: person.cpf, name: person.name, certificate: await pki.issuePerson(person, options) }, at),
    enrolCompany: async (company, at = makeBelievePscs, options = {}) =>
      enrol({ number: company.cnpj, name: company.name, certificate: await pki.issueCompany(company, options) }, at),
    enrol: (holder, at) => void enrol(holder, at),
    reset() {
      for (const { behaviour, asked } of made) {
        Object.assign(behaviour, normally());
        asked.length = 0;
      }
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function published(pki: IcpBrasilPki, method: string, path: string, body: Uint8Array): Promise<PscAnswer & { bytes?: Uint8Array }> {
  const bytes = await (method === 'POST' ? pki.ocspAnswer(path, body) : pki.publication(path));
  return bytes === null ? { status: 404, body: '' } : { status: 200, type: 'application/octet-stream', body: '', bytes };
}

function send(response: ServerResponse, { status, type, location, body, bytes }: PscAnswer & { bytes?: Uint8Array }): void {
  response.writeHead(status, {
    ...(type === undefined ? {} : { 'content-type': type }),
    ...(location === undefined ? {} : { location }),
    'cache-control': 'no-store',
    // No form-action: Chromium holds it against the redirect back to the application as well.
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'",
  });
  response.end(bytes ?? body);
}

/** What a person does in a browser: opens the address, presses one of the two buttons. Answers where they are sent. */
export async function pressButton(address: string, decision: 'approve' | 'refuse'): Promise<string | null> {
  const opened = await fetch(address, { redirect: 'manual' });
  const found = await opened.text();
  const action = /action="([^"]+)"/.exec(found)?.[1];
  const transaction = /name="transaction" value="([^"]+)"/.exec(found)?.[1];
  if (action === undefined || transaction === undefined) return opened.headers.get('location');
  const body = new URLSearchParams({ transaction, decision });
  const pressed = await fetch(new URL(action, address), { method: 'POST', body, redirect: 'manual' });
  return pressed.headers.get('location');
}
