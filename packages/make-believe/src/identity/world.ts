import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IssuerOptions, MakeBelieveIssuer } from './issuer.ts';
import { clientId, makeBelieveIssuers, type MakeBelieveIssuerId } from './issuers.ts';
import { identityPeople, type IdentityPerson } from './people.ts';

/** What goes wrong, until it is put right. */
export interface IdentityBehaviour {
  /** Connections are cut. */
  down: boolean;
  /** It answers 500. */
  broken: boolean;
  /** It shows another key than it signs with. */
  otherKey: boolean;
}

export interface IdentityIssuerSettings {
  readonly id: MakeBelieveIssuerId;
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface IdentityWorld {
  /** `http://127.0.0.1:port`. */
  readonly address: string;
  readonly issuers: Readonly<Record<MakeBelieveIssuerId, IdentityIssuerSettings>>;
  readonly behaviour: IdentityBehaviour;
  /** Method and path of every request, in order. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

export interface IdentityWorldOptions {
  /** Which addresses people may be sent back to. */
  isAllowedRedirect(uri: string): boolean;
  people?: readonly IdentityPerson[];
  /** Default any free one. */
  port?: number;
  clientSecret?: string;
  /** A path that says that it is this one. */
  mark?: string;
}

export const issuersAt = (address: string, clientSecret: string): IdentityWorld['issuers'] =>
  Object.fromEntries(
    Object.entries(makeBelieveIssuers).map(([id, { name }]) => [id, { id, name, issuer: `${address}/${id}`, clientId, clientSecret }]),
  ) as IdentityWorld['issuers'];

/** Providers of identities over real HTTP on this machine, with people one may sign in as. */
export async function startIdentityWorld(options: IdentityWorldOptions): Promise<IdentityWorld> {
  const { people = identityPeople, clientSecret = randomBytes(24).toString('base64url'), isAllowedRedirect } = options;
  const ready = Promise.withResolvers<(request: IncomingMessage, response: ServerResponse) => Promise<void>>();
  const server = createServer((request, response) => {
    ready.promise.then((respond) => respond(request, response)).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(options.port ?? 0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const behaviour: IdentityBehaviour = { down: false, broken: false, otherKey: false };
  const asked: string[] = [];
  const made = new Map<string, Promise<MakeBelieveIssuer>>();
  const issuerOf = (id: string): Promise<MakeBelieveIssuer> | undefined => {
    if (!made.has(id) && Object.hasOwn(makeBelieveIssuers, id))
      made.set(id, makeIssuer({ id: id as MakeBelieveIssuerId, address, clientSecret, people, isAllowedRedirect }));
    return made.get(id);
  };
  const otherKeys = async () => {
    const { newSigningKey } = await import('./issuer.ts');
    const { kty, n, e } = newSigningKey();
    return JSON.stringify({ keys: [{ kty, n, e, alg: 'RS256', use: 'sig' }] });
  };
  ready.resolve(async (request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    asked.push(`${request.method} ${path}`);
    const issuer = await issuerOf(path.split('/')[1] ?? '');
    if (path === options.mark) response.writeHead(204).end();
    else if (behaviour.down) request.socket.destroy();
    else if (behaviour.broken || !issuer) response.writeHead(behaviour.broken ? 500 : 404).end();
    else if (behaviour.otherKey && path.endsWith('/jwks'))
      response.writeHead(200, { 'content-type': 'application/jwk-set+json' }).end(await otherKeys());
    else await issuer.handle(request, response);
  });
  return {
    address,
    issuers: issuersAt(address, clientSecret),
    behaviour,
    asked,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** The certified software and a key take a third of a second: for the first who signs in, and not for every start. */
async function makeIssuer(options: IssuerOptions): Promise<MakeBelieveIssuer> {
  const { createIssuer } = await import('./issuer.ts');
  return createIssuer(options);
}

/** What a person does in a browser: opens the address, says who they are (null: nobody, thank you). Answers where they are sent back to. */
export async function signInAt(url: string, person: string | null): Promise<string> {
  const { origin } = new URL(url);
  const cookies = new Map<string, string>();
  let next = new URL(url);
  let body: URLSearchParams | undefined;
  for (let steps = 0; steps < 12; steps += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(next, { method: body ? 'POST' : 'GET', headers: { cookie }, redirect: 'manual', ...(body ? { body } : {}) });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    if (location === null) {
      if (answer.status !== 200 || body) throw new Error(`the provider answered ${answer.status}: ${(await answer.text()).slice(0, 500)}`);
      body = new URLSearchParams({ person: person ?? '' });
      continue;
    }
    body = undefined;
    next = new URL(location, next);
    if (next.origin !== origin) return next.href;
  }
  throw new Error('the provider sends people in circles');
}
