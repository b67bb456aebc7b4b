import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createIcpBrasilPki, startPscWorld, timestampAuthority } from '../packages/make-believe/src/index.ts';

/** The signer of every measured process. */
export const holder = { name: 'Bia Lima', cpf: '52998224725', email: 'bia@exemplo.com.br' } as const;
/** Where the provider sends people back to; nobody is there. */
export const BACK = 'http://lavra.bench';

/** A make-believe ICP-Brasil with its provider and its timestamp authority, as `cloud-program.ts` is told of it: DER in base64. */
export interface CloudWorld {
  host: string;
  timestampsUrl: string;
  roots: Record<string, string>;
  intermediates: string[];
  settings: unknown;
}

/** The provider lets whoever comes sign at once: what a person takes to press a button is nobody's time. */
export async function startCloudWorld(): Promise<CloudWorld> {
  const world = await startPscWorld({
    redirectUris: [`${BACK}/callback/psc`],
    pki: (address) => createIcpBrasilPki({ address, ocsp: true }),
  });
  await world.enrolPerson(holder, ['BIRDID']);
  world.pscs.BIRDID.behaviour.person = 'approves';
  const { certificate, chain, key } = await world.pki.issueTimestampAuthority('ACT da medida');
  const stamp = timestampAuthority({ certificate, chain: chain.slice(0, -1), key });
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => response.setHeader('content-type', 'application/timestamp-reply').end(stamp(Buffer.concat(chunks))));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base64 = (der: Uint8Array) => Buffer.from(der).toString('base64');
  return {
    host: world.host,
    timestampsUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    roots: Object.fromEntries(Object.entries(world.pki.roots).map(([name, der]) => [name, base64(der)])),
    intermediates: world.pki.intermediates.map(base64),
    settings: world.settings,
  };
}
