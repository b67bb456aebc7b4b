import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRoot, issueAuthority, issueTimestampCertificate, privateKeyOf, rootRevocationList } from './certificate-authority.ts';
import type { Issuer } from './certificate-authority.ts';
import { answerOcsp } from './ocsp-responder.ts';
import { timestampAuthority } from './timestamp-authority.ts';

export interface TimestampWorld {
  /** Of the authority, for TSA_URL. */
  url: string;
  /** `127.0.0.1:port` of everything here: what an installation must allow. */
  host: string;
  root: Issuer;
  issuer: Issuer;
  authority: Issuer;
  /** What was asked for, in order: `GET /issuer.crl`. */
  asked: string[];
  /** Serial numbers that the lists name from now on. */
  revoked: string[];
  /** Answers by path; false: as if nothing answered (the connection is closed). */
  available: { '/tsa': boolean; '/root.crl': boolean; '/issuer.crl': boolean; '/issuer.cer': boolean; '/ocsp': boolean };
  close(): Promise<void>;
}

/**
 * A timestamp authority as outside ones are, over real HTTP on this machine: a root, an issuer below it, tokens that carry
 * the authority's own certificate alone, and everything else at the addresses that the certificates name. `organization`: production takes no root of
 * the make-believe world's own; with another one it is as any authority from outside.
 */
export async function startTimestampWorld({
  now = () => new Date(),
  ocsp = false,
  organization,
}: { now?: () => Date; ocsp?: boolean; organization?: string } = {}): Promise<TimestampWorld> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const at = (path: string) => `http://${host}${path}`;
  const root = await createRoot('Raiz de carimbo do tempo de fora', now(), organization);
  const issuer = await issueAuthority(root, 'Emissora de carimbo do tempo de fora', { crl: at('/root.crl') }, now());
  const addresses = { ...(ocsp ? { ocsp: at('/ocsp') } : { crl: at('/issuer.crl') }), issuer: at('/issuer.cer') };
  const authority = await issueTimestampCertificate(issuer, 'Carimbo do tempo de fora', now(), addresses);
  const stamp = timestampAuthority(
    { certificate: new Uint8Array(authority.certificate.rawData), chain: [], key: await privateKeyOf(authority) },
    now,
  );
  const revoked: string[] = [];
  const listOf = ({ certificate, keys }: Issuer) => rootRevocationList({ certificate, privateKey: keys.privateKey }, now(), revoked);
  const answers: Record<string, (body: Uint8Array) => Promise<Uint8Array> | Uint8Array> = {
    'POST /tsa': stamp,
    'GET /root.crl': () => listOf(root),
    'GET /issuer.crl': () => listOf(issuer),
    'GET /issuer.cer': () => new Uint8Array(issuer.certificate.rawData),
    'POST /ocsp': (body) => answerOcsp(body, issuer, [{ serial: authority.certificate.serialNumber }]),
  };
  const asked: string[] = [];
  const available = { '/tsa': true, '/root.crl': true, '/issuer.crl': true, '/issuer.cer': true, '/ocsp': true };
  const reply = async (what: string, body: Uint8Array, response: ServerResponse) => {
    const answer = answers[what];
    if (answer) response.end(await answer(body));
    else response.writeHead(404).end();
  };
  server.on('request', (request, response) => {
    const path = request.url ?? '/';
    const what = `${request.method} ${path}`;
    asked.push(what);
    if (path in available && !available[path as keyof typeof available]) return request.destroy();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      reply(what, Buffer.concat(chunks), response).catch(() => response.destroy());
    });
  });
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: at('/tsa'), host, root, issuer, authority, asked, revoked, available, close };
}
