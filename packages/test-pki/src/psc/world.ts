import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createIcpBrasilPki, type IcpBrasilPki, type IssuedCertificate, type IssueOptions } from '../icp-brasil/pki.ts';
import type { CompanyData, PersonData } from '../icp-brasil/profile.ts';
import { makeBelievePscs, type MakeBelievePscId, normally } from './behaviour.ts';
import { type PscAnswer, readBody } from './exchange.ts';
import { answer, createPsc, type MakeBelievePsc } from './provider.ts';

export interface PscWorld {
  readonly pki: IcpBrasilPki;
  /** `127.0.0.1:port` of everything here: what an installation must allow. */
  readonly host: string;
  readonly pscs: Readonly<Record<MakeBelievePscId, MakeBelievePsc>>;
  /** Address and credentials of each provider, in the form of an installation's settings. */
  readonly settings: Readonly<
    Record<MakeBelievePscId, { baseUrl: string; clientId: string; clientSecret: string; registersApplications: boolean }>
  >;
  /** Where the providers that push show what waits: `.../vidaas/telefone`. */
  readonly telephone: string;
  /** Gives a person a cloud certificate at these providers; without a list at all seven. */
  enrolPerson(person: PersonData, at?: readonly MakeBelievePscId[], options?: IssueOptions): Promise<IssuedCertificate>;
  enrolCompany(company: CompanyData, at?: readonly MakeBelievePscId[], options?: IssueOptions): Promise<IssuedCertificate>;
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
}

/** An ICP-Brasil with its lists and issuers, and seven providers with their quirks, over real HTTP on this machine. */
export async function startPscWorld({ now = () => new Date(), redirectUris, port = 0 }: PscWorldOptions): Promise<PscWorld> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const pki = await createIcpBrasilPki({ now, address: `http://${host}` });
  const made = makeBelievePscs.map((id) => createPsc(id, pki, now));
  const credentials = (id: MakeBelievePscId) => ({ clientId: `lavra-${id.toLowerCase()}`, clientSecret: `segredo-${id.toLowerCase()}` });
  for (const { id, state } of made) {
    const { clientId, clientSecret } = credentials(id);
    state.applications.set(clientId, { name: 'Lavra', secret: clientSecret, redirectUris });
  }
  server.on('request', (request, response) => {
    const url = new URL(request.url ?? '/', `http://${host}`);
    const [, prefix = '', path = ''] = /^\/([a-z]+)\/(.*)$/.exec(url.pathname) ?? [];
    const psc = made.find(({ id }) => id.toLowerCase() === prefix);
    const { method = 'GET', headers } = request;
    const respond = async (): Promise<void> => {
      const body = await readBody(request);
      if (psc === undefined) return send(response, await published(pki, url.pathname));
      const asked = { method, path, query: url.searchParams, authorization: headers.authorization ?? '', body };
      const answered = await answer(psc, asked);
      // The request has been read to its end: only the socket is left to close.
      if (answered === null) request.socket.destroy();
      else send(response, answered);
    };
    respond().catch(() => response.destroy());
  });

  function enrol(number: string, name: string, certificate: IssuedCertificate, at: readonly MakeBelievePscId[]): IssuedCertificate {
    for (const { id, state } of made) if (at.includes(id)) state.holders.set(number, { number, name, certificate });
    return certificate;
  }

  return {
    pki,
    host,
    pscs: Object.fromEntries(made.map((psc) => [psc.id, psc])) as Record<MakeBelievePscId, MakeBelievePsc>,
    settings: Object.fromEntries(
      made.map(({ id, quirks }) => [
        id,
        { baseUrl: `http://${host}/${id.toLowerCase()}`, ...credentials(id), registersApplications: quirks.registers },
      ]),
    ) as PscWorld['settings'],
    telephone: `http://${host}/vidaas/telefone`,
    enrolPerson: async (person, at = makeBelievePscs, options = {}) =>
      enrol(person.cpf, person.name, await pki.issuePerson(person, options), at),
    enrolCompany: async (company, at = makeBelievePscs, options = {}) =>
      enrol(company.cnpj, company.name, await pki.issueCompany(company, options), at),
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

async function published(pki: IcpBrasilPki, path: string): Promise<PscAnswer & { bytes?: Uint8Array }> {
  const bytes = await pki.publication(path);
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
