import { createPrivateKey } from 'node:crypto';
import { join } from 'node:path';
import { createIcpBrasilPki } from '../icp-brasil/pki.ts';
import { type StoredAuthority, storeCertificate, type StoredCertificate } from '../icp-brasil/stored.ts';
import { type MakeBelieveSettings, type PscWorld, settingsAt, startPscWorld, telephoneAt } from '../psc/world.ts';
import type { AuthorityIdentity } from '../timestamp-authority.ts';
import { certificatesOf, keep, type KeptCertificates, readKept, storedForm, writeFiles } from './kept-certificates.ts';
import { demonstrationPeople } from './people.ts';

export interface DevelopmentCertificates {
  /** DER; of the make-believe ICP-Brasil, for signatures. */
  readonly anchors: readonly { name: string; certificate: Uint8Array }[];
  readonly intermediates: readonly Uint8Array[];
  readonly settings: MakeBelieveSettings;
  /** `127.0.0.1:port` that the certificates name. */
  readonly host: string;
  /** Where a provider that pushes asks its people. */
  readonly telephone: string;
  /** Where the .p12 files are. */
  readonly files: string;
  /** Its timestamp authority (ACT); null where another node, of before there was one, serves it. */
  readonly timestamps: AuthorityIdentity | null;
  /** To turn its switches; null where another node serves it. */
  readonly world: PscWorld | null;
  close(): Promise<void>;
}

const PREFERRED_PORT = 8026;
const PORTS = 50;

/**
 * ICP-Brasil and seven providers of nobody, the same on every start: keys and certificates are made once. Certificates name
 * the port of their lists: where a stranger has taken it, everything is made anew at another one, and the old roots stay
 * believed; where it is this installation's other node, that one is used.
 */
export async function startDevelopmentCertificates(directory: string, redirectUris: readonly string[]): Promise<DevelopmentCertificates> {
  const kept = await readKept(directory);
  const again = kept && (await startAt(kept.port, redirectUris, kept.authorities));
  if (kept && again) return open(directory, kept, again);
  if (kept && (await isServed(kept))) return { ...describe(directory, kept), world: null, close: () => Promise.resolve() };
  const world = await startAnywhere(redirectUris);
  const fresh = {
    port: Number(world.host.split(':')[1]),
    authorities: [],
    certificates: {},
    formerRoots: kept ? [...kept.formerRoots, ...rootsIn(kept).map(({ certificate }) => certificate)] : [],
  };
  if (kept) return open(directory, fresh, world, 'instead');
  try {
    return await open(directory, fresh, world, 'first');
  } catch (error) {
    if (!(error instanceof SomebodyWasFaster)) throw error;
    await world.close();
    return startDevelopmentCertificates(directory, redirectUris);
  }
}

/** Another node of this installation, started at the same moment: its infrastructure is everybody's. */
class SomebodyWasFaster extends Error {}

/** Gives the people their certificates and keeps what is new. */
async function open(
  directory: string,
  kept: KeptCertificates,
  world: PscWorld,
  how?: 'first' | 'instead',
): Promise<DevelopmentCertificates> {
  const certificates = await certificatesOf(world.pki, kept.certificates);
  const timestamps = kept.timestamps ?? storeCertificate(await world.pki.issueTimestampAuthority('ACT Lavra'));
  const now = { ...kept, authorities: await world.pki.store(), certificates: storedForm(certificates), timestamps };
  const isNew =
    how !== undefined || kept.timestamps === undefined || Object.keys(now.certificates).length > Object.keys(kept.certificates).length;
  if (isNew && !(await keep(directory, now, how ?? 'instead'))) throw new SomebodyWasFaster();
  const described = describe(directory, now);
  await writeFiles(described.files, certificates, how !== undefined);
  for (const person of demonstrationPeople)
    for (const { id, at } of person.certificates) {
      const certificate = certificates.get(id);
      if (at && certificate) world.enrol({ number: person.cpf, name: person.name, certificate }, at);
    }
  return { ...described, world, close: () => world.close() };
}

function describe(directory: string, kept: KeptCertificates): Omit<DevelopmentCertificates, 'close' | 'world'> {
  const der = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'));
  const believed = kept.authorities.filter(({ slug }) => !slug.endsWith('-outside'));
  const host = `127.0.0.1:${kept.port}`;
  return {
    anchors: [
      ...rootsIn(kept).map(({ slug, certificate }) => ({
        name: `ICP-Brasil ${slug.slice(8)} (faz de conta)`,
        certificate: der(certificate),
      })),
      ...kept.formerRoots.map((certificate) => ({ name: 'ICP-Brasil (faz de conta, anterior)', certificate: der(certificate) })),
    ],
    intermediates: believed.filter(({ parent }) => parent !== null).map(({ certificate }) => der(certificate)),
    timestamps: kept.timestamps ? identityOf(kept.timestamps, kept.authorities) : null,
    settings: settingsAt(host),
    host,
    telephone: telephoneAt(host),
    files: join(directory, 'certificados'),
  };
}

/** Its tokens carry the authorities up to below the root. */
function identityOf({ certificate, key, tree }: StoredCertificate, authorities: readonly StoredAuthority[]): AuthorityIdentity {
  const above = authorities.filter(({ slug, parent }) => slug.endsWith(`-${tree}`) && parent !== null);
  return {
    certificate: Buffer.from(certificate, 'base64'),
    chain: above.map((one) => Buffer.from(one.certificate, 'base64')),
    key: createPrivateKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'pkcs8' }),
  };
}

const rootsIn = ({ authorities }: KeptCertificates): readonly StoredAuthority[] =>
  authorities.filter(({ slug, parent }) => parent === null && slug !== 'ac-raiz-outside');

/** Null: the port is taken. */
async function startAt(port: number, redirectUris: readonly string[], authorities?: readonly StoredAuthority[]): Promise<PscWorld | null> {
  const pki = (address: string) => createIcpBrasilPki({ address, ocsp: true, ...(authorities ? { authorities } : {}) });
  try {
    return await startPscWorld({ redirectUris, port, pki });
  } catch (error) {
    if (['EADDRINUSE', 'EACCES'].includes(String((error as NodeJS.ErrnoException).code))) return null;
    throw error;
  }
}

async function startAnywhere(redirectUris: readonly string[]): Promise<PscWorld> {
  for (let port = PREFERRED_PORT; port < PREFERRED_PORT + PORTS; port += 1) {
    const world = await startAt(port, redirectUris);
    if (world) return world;
  }
  throw new Error(`no free port from ${PREFERRED_PORT} on for the make-believe ICP-Brasil`);
}

/** Does the kept infrastructure answer at its address already? */
async function isServed(kept: KeptCertificates): Promise<boolean> {
  try {
    const address = `http://127.0.0.1:${kept.port}/ac/ac-raiz-v5.p7b`;
    const answer = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(5_000) });
    const root = rootsIn(kept).find(({ slug }) => slug === 'ac-raiz-v5');
    return root !== undefined && Buffer.from(await answer.arrayBuffer()).includes(Buffer.from(root.certificate, 'base64'));
  } catch {
    return false;
  }
}
