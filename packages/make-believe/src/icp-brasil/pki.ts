import type { KeyObject } from 'node:crypto';
import type { Issuer } from '../certificate-authority.ts';
import { answerOcsp, serialsIn } from '../ocsp-responder.ts';
import { type Authority, certificatesOnly, chainFrom, createAuthority, createKeys, derOf, revocationList } from './authorities.ts';
import { issuingFrom } from './issuing.ts';
import type { KeySource } from './key-pool.ts';
import type { AuthorityAddresses, CertificateType, CompanyData, PersonData } from './profile.ts';
import { restoreAuthorities, restoreCertificate, type StoredAuthority, storeAuthority, type StoredCertificate } from './stored.ts';

/** `v5`: what most live certificates hang from; `v12`: the new tree; `outside`: looks alike, but is not ICP-Brasil. */
export type Tree = 'v5' | 'v12' | 'outside';

export interface IssuedCertificate {
  /** DER. */
  readonly certificate: Uint8Array;
  /** Issuers, DER, nearest first, the root included. */
  readonly chain: readonly Uint8Array[];
  readonly key: KeyObject;
  readonly keys: Issuer['keys'];
  readonly serialNumber: string;
  readonly tree: Tree;
}

export interface IssueOptions {
  readonly tree?: Tree;
  /** Default A3. */
  readonly type?: CertificateType;
  /** Default now; the certificate lives one year (A1) or three (A3). */
  readonly notBefore?: Date;
  readonly notAfter?: Date;
  /** Another certificate over a key that is there already. */
  readonly keys?: Issuer['keys'];
}

/** An ICP-Brasil of nobody: the true shape, keys that everybody may know. */
export interface IcpBrasilPki {
  /** Anchors, DER. Not among them: the tree `outside`. */
  readonly roots: Readonly<Record<'v5' | 'v12', Uint8Array>>;
  /** Authorities of both trees below the roots, DER: what ITI's bundle would hold. */
  readonly intermediates: readonly Uint8Array[];
  issuePerson(person: PersonData, options?: IssueOptions): Promise<IssuedCertificate>;
  issueCompany(company: CompanyData, options?: IssueOptions): Promise<IssuedCertificate>;
  /** Equipment or application of a company: what must not pass for a person's or a company's signature. */
  issueApplication(owner: CompanyData, options?: IssueOptions): Promise<IssuedCertificate>;
  /** What signs timestamps (T3), for five years. */
  issueTimestampAuthority(name: string, options?: Pick<IssueOptions, 'tree' | 'notBefore'>): Promise<IssuedCertificate>;
  revoke(certificate: IssuedCertificate, at?: Date): void;
  /** Every authority's current list, DER. */
  revocationLists(): Promise<Uint8Array[]>;
  /** What stands at a path that the certificates name; null for any other. */
  publication(path: string): Promise<Uint8Array | null>;
  /** The answer to an OCSPRequest that came to a path that the certificates name; null for any other. */
  ocspAnswer(path: string, request: Uint8Array): Promise<Uint8Array | null>;
  /** Its authorities, to be made anew from. */
  store(): Promise<StoredAuthority[]>;
  /** A certificate of this infrastructure that was kept. */
  restore(stored: StoredCertificate): Promise<IssuedCertificate>;
}

export interface IcpBrasilOptions {
  readonly now?: () => Date;
  /** Where the lists and issuers will be served, as `http://127.0.0.1:1234`. */
  readonly address?: string;
  /** Default: keys of its own. */
  readonly createKeys?: KeySource;
  /** From `store()`, instead of new ones; their certificates name the address of then. */
  readonly authorities?: readonly StoredAuthority[];
  /** True: end certificates name a responder too, which DOC-ICP-04 wants of TLS alone. */
  readonly ocsp?: boolean;
}

const day = 86_400_000;

/** Root, authority of level 1, authority of level 2, twice over, and once more outside. */
export async function createIcpBrasilPki(options: IcpBrasilOptions = {}): Promise<IcpBrasilPki> {
  const { now = () => new Date(), address = 'http://icp.invalid', createKeys: keySource = createKeys, ocsp = false } = options;
  const addressesOf = (slug: string): AuthorityAddresses => ({
    crls: [`${address}/lcr/${slug}.crl`, `${address}/lcr-espelho/${slug}.crl`],
    issuers: `${address}/ac/${slug}.p7b`,
    statement: `${address}/dpc/${slug}.pdf`,
    ...(ocsp && slug.startsWith('ac-nivel2-') ? { ocsp: `${address}/ocsp/${slug}` } : {}),
  });
  const all = options.authorities ? await restoreAuthorities(options.authorities) : await createTrees(now(), addressesOf, keySource);
  const treeOf = (tree: Tree) => all.filter(({ slug }) => slug.endsWith(`-${tree}`));
  const [v5, v12, outside] = [treeOf('v5'), treeOf('v12'), treeOf('outside')];
  const trees: Record<Tree, Authority[]> = { v5, v12, outside };

  const issuing = issuingFrom({ trees, addressesOf, now, keySource });

  return {
    roots: { v5: rootOf(v5), v12: rootOf(v12) },
    intermediates: [...v5, ...v12].filter(({ parent }) => parent !== null).map(derOf),
    ...issuing,
    revoke: ({ tree, serialNumber }, at = now()) => void trees[tree][0]?.revoked.set(serialNumber, at),
    revocationLists: () => Promise.all(all.map((authority) => revocationList(authority, now()))),
    publication: (path) => publicationOf(all, path, now()),
    ocspAnswer: async (path, request) => {
      const authority = all.find(({ slug }) => path === `/ocsp/${slug}`);
      return authority === undefined ? null : answerOcsp(request, authority, asAsked(authority, request));
    },
    store: () => Promise.all(all.map(storeAuthority)),
    restore: (stored) => restoreCertificate(stored, chainFrom(trees[stored.tree][0] ?? null).map(derOf)),
  };
}

/** What nobody revoked counts as issued: who asks here asks about its certificates alone. */
function asAsked({ revoked }: Authority, request: Uint8Array): { serial: string; revoked: boolean }[] {
  return serialsIn(request).map((serial) => ({ serial, revoked: revoked.has(serial) }));
}

async function createTrees(now: Date, addressesOf: (slug: string) => AuthorityAddresses, keySource: KeySource): Promise<Authority[]> {
  const trees = await Promise.all([
    createTree('v5', 'Autoridade Certificadora Raiz Brasileira v5', now, addressesOf, keySource),
    createTree('v12', 'Autoridade Certificadora Raiz Brasileira v12', now, addressesOf, keySource),
    createTree('outside', 'Raiz de outra infraestrutura', now, addressesOf, keySource),
  ]);
  return trees.flat();
}

async function createTree(
  tree: Tree,
  rootName: string,
  now: Date,
  addressesOf: (slug: string) => AuthorityAddresses,
  keySource: KeySource,
): Promise<Authority[]> {
  const [rootKeys, firstKeys, secondKeys] = await Promise.all([keySource('SHA-512'), keySource('SHA-512'), keySource('SHA-256')]);
  const notBefore = new Date(now.getTime() - 2000 * day);
  const common = { notBefore, years: 15 };
  const root = await createAuthority(
    {
      ...common,
      slug: `ac-raiz-${tree}`,
      name: `${rootName} - faz de conta`,
      hash: 'SHA-512',
      parent: null,
      listHours: 90 * 24,
      keys: rootKeys,
    },
    addressesOf,
  );
  const first = await createAuthority(
    {
      ...common,
      slug: `ac-nivel1-${tree}`,
      name: `AC Lavra nivel 1 ${tree}`,
      hash: 'SHA-512',
      parent: root,
      pathLength: 1,
      listHours: 90 * 24,
      keys: firstKeys,
    },
    addressesOf,
  );
  const second = await createAuthority(
    {
      ...common,
      slug: `ac-nivel2-${tree}`,
      name: `AC Lavra nivel 2 ${tree}`,
      hash: 'SHA-256',
      parent: first,
      pathLength: 0,
      // DOC-ICP-04: at most every six hours for authorities of end certificates.
      listHours: 6,
      keys: secondKeys,
    },
    addressesOf,
  );
  return [second, first, root];
}

function rootOf(tree: readonly Authority[]): Uint8Array {
  const root = tree.find(({ parent }) => parent === null);
  if (root === undefined) throw new Error('a tree without a root');
  return derOf(root);
}

async function publicationOf(authorities: readonly Authority[], path: string, now: Date): Promise<Uint8Array | null> {
  const [, folder, slug] = /^\/(lcr|lcr-espelho|ac)\/([a-z0-9-]+)\.(?:crl|p7b)$/.exec(path) ?? [];
  const authority = authorities.find((one) => one.slug === slug);
  if (authority === undefined) return null;
  return folder === 'ac' ? certificatesOnly(chainFrom(authority).map(derOf)) : revocationList(authority, now);
}
