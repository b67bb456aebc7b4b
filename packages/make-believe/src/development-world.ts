import { createPrivateKey } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import {
  createRoot,
  importPrivateKey,
  issueTimestampCertificate,
  privateKeyOf,
  readCertificate,
  rootRevocationList,
} from './certificate-authority.ts';
import { type DevelopmentCertificates, startDevelopmentCertificates } from './development/certificates.ts';
import { type DevelopmentIdentities, startDevelopmentIdentities } from './development/identities.ts';
import { peoplePages } from './development/people-pages.ts';
import { mailboxPages } from './mailbox-pages.ts';
import { startMailCatcher } from './mail-catcher.ts';
import { type AuthorityIdentity, timestampAuthority } from './timestamp-authority.ts';

export interface DevelopmentWorld {
  smtpUrl: string;
  mailboxUrl: string;
  tsaUrl: string;
  /** Of the make-believe ICP-Brasil's timestamp authority; null where another node serves one of before there was any. */
  icpBrasilTsaUrl: string | null;
  /** DER of the timestamp authority's root. */
  tsaRoot: Uint8Array;
  /** A fresh revocation list of that root, DER. */
  tsaCrl(): Promise<Uint8Array>;
  /** ICP-Brasil and the providers, and where a browser sees who has which certificate. */
  certificates: Omit<DevelopmentCertificates, 'close' | 'world'>;
  peopleUrl: string;
  /** Whom one may sign in through. */
  identities: DevelopmentIdentities['issuers'];
  close(): Promise<void>;
}

const MAX_REQUEST = 64 * 1024;

/**
 * The make-believe outside world of a development start: a mail server whose mailbox a browser opens, a
 * timestamp authority, an ICP-Brasil with people who have certificates, the cloud providers, providers of identities. Keys and mails persist in
 * `dataDir`; everything listens on this machine only. Providers send people back to `publicUrl`.
 */
export async function startDevelopmentWorld({ dataDir, publicUrl }: { dataDir: string; publicUrl: string }): Promise<DevelopmentWorld> {
  const directory = join(dataDir, 'development');
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const [{ identity, root, rootKey }, catcher, certificates, identities] = await Promise.all([
    persistentIdentity(directory),
    startMailCatcher({ directory: join(directory, 'mail') }),
    startDevelopmentCertificates(directory, [`${publicUrl}/callback/psc`]),
    startDevelopmentIdentities(directory),
  ]);
  const authorities = new Map([
    ['/tsa', timestampAuthority(identity)],
    ...(certificates.timestamps ? [['/act', timestampAuthority(certificates.timestamps)] as const] : []),
  ]);
  const pages = mailboxPages(catcher.mailbox);
  const people = peoplePages(certificates);
  const server = createServer((request, response) => {
    const stamp = request.method === 'POST' ? authorities.get(request.url ?? '') : undefined;
    if (stamp) return answerTimestamp(stamp)(request, response);
    return /^\/pessoas(\/|$)/.test(request.url ?? '') ? people(request, response) : pages(request, response);
  });
  // The same address on every start, so that an open mailbox page goes on working; the next free one otherwise.
  const port = await listen(server, 8025);
  return {
    smtpUrl: catcher.smtpUrl,
    mailboxUrl: `http://localhost:${port}/`,
    tsaUrl: `http://127.0.0.1:${port}/tsa`,
    icpBrasilTsaUrl: certificates.timestamps && `http://127.0.0.1:${port}/act`,
    tsaRoot: root,
    tsaCrl: async () => rootRevocationList({ certificate: readCertificate(root), privateKey: await importPrivateKey(rootKey) }),
    certificates,
    identities: identities.issuers,
    peopleUrl: `http://localhost:${port}/pessoas`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await catcher.close();
      await certificates.close();
      await identities.close();
    },
  };
}

function answerTimestamp(stamp: (request: Uint8Array) => Uint8Array): RequestListener {
  return (request, response) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_REQUEST) request.destroy();
      else chunks.push(chunk);
    });
    request.on('end', () => {
      response.setHeader('content-type', 'application/timestamp-reply');
      response.end(stamp(Buffer.concat(chunks)));
    });
  };
}

async function listen(server: Server, preferred: number): Promise<number> {
  for (const port of [preferred, 0]) {
    const done = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (done) return (server.address() as AddressInfo).port;
  }
  throw new Error('no port to listen on');
}

async function persistentIdentity(directory: string): Promise<{ identity: AuthorityIdentity; root: Uint8Array; rootKey: Uint8Array }> {
  const path = join(directory, 'timestamp-authority.json');
  const known = await readFile(path, 'utf8').catch(() => null);
  if (known) {
    const stored = JSON.parse(known) as Record<'root' | 'rootKey' | 'certificate' | 'key', string>;
    const key = createPrivateKey({ key: Buffer.from(stored.key, 'base64'), format: 'der', type: 'pkcs8' });
    return {
      root: Buffer.from(stored.root, 'base64'),
      rootKey: Buffer.from(stored.rootKey, 'base64'),
      identity: { certificate: Buffer.from(stored.certificate, 'base64'), chain: [], key },
    };
  }
  const root = await createRoot('Raiz de carimbo do tempo de desenvolvimento');
  const authority = await issueTimestampCertificate(root, 'Carimbo do tempo de desenvolvimento');
  const key = await privateKeyOf(authority);
  const rootKey = (await privateKeyOf(root)).export({ format: 'der', type: 'pkcs8' });
  const rootDer = new Uint8Array(root.certificate.rawData);
  const certificate = new Uint8Array(authority.certificate.rawData);
  const stored = {
    root: Buffer.from(rootDer).toString('base64'),
    rootKey: rootKey.toString('base64'),
    certificate: Buffer.from(certificate).toString('base64'),
    key: key.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
  };
  await writeFile(path, JSON.stringify(stored), { mode: 0o600 });
  return { root: rootDer, rootKey, identity: { certificate, chain: [], key } };
}
