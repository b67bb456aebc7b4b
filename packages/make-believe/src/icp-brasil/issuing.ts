import { type Issuer, privateKeyOf } from '../certificate-authority.ts';
import { type Authority, chainFrom, derOf, issueEndCertificate } from './authorities.ts';
import type { KeySource } from './key-pool.ts';
import type { IcpBrasilPki, IssuedCertificate, IssueOptions, Tree } from './pki.ts';
import {
  applicationNames,
  type AuthorityAddresses,
  companyNames,
  endExtensions,
  personNames,
  plainName,
  timestampExtensions,
} from './profile.ts';

const day = 86_400_000;

interface IssuingWorld {
  /** Nearest issuer first. */
  readonly trees: Readonly<Record<Tree, readonly Authority[]>>;
  readonly addressesOf: (slug: string) => AuthorityAddresses;
  readonly now: () => Date;
  readonly keySource: KeySource;
}

type Issuing = Pick<IcpBrasilPki, 'issuePerson' | 'issueCompany' | 'issueApplication' | 'issueTimestampAuthority'>;
type Extensions = ReturnType<typeof timestampExtensions>;

/** What the last authority of each tree issues. */
export function issuingFrom({ trees, addressesOf, now, keySource }: IssuingWorld): Issuing {
  async function signedBy(
    tree: Tree,
    plan: { subject: string; notBefore: Date; notAfter: Date; keys: Issuer['keys']; extensions(addresses: AuthorityAddresses): Extensions },
  ): Promise<IssuedCertificate> {
    const [issuer] = trees[tree];
    if (issuer === undefined) throw new Error(`no tree ${tree}`);
    const issued = await issueEndCertificate(issuer, { ...plan, extensions: plan.extensions(addressesOf(issuer.slug)) });
    return {
      certificate: derOf(issued),
      chain: chainFrom(issuer).map(derOf),
      key: await privateKeyOf(issued),
      keys: issued.keys,
      serialNumber: issued.certificate.serialNumber,
      tree,
    };
  }
  async function issue(
    kind: 'e-CPF' | 'e-CNPJ' | 'e-Aplicacao',
    name: string,
    names: (tree: Tree) => ReturnType<typeof personNames>,
    { tree = 'v5', type = 'A3', notBefore = new Date(now().getTime() - day), notAfter, keys }: IssueOptions = {},
  ): Promise<IssuedCertificate> {
    return signedBy(tree, {
      subject: `CN=${name}, OU=RFB ${kind} ${type}, OU=Secretaria da Receita Federal do Brasil - RFB, O=ICP-Brasil, C=BR`,
      notBefore,
      notAfter: notAfter ?? new Date(notBefore.getTime() + (type === 'A1' ? 365 : 1095) * day),
      extensions: (addresses) => [names(tree), ...endExtensions(type, addresses)],
      keys: keys ?? (await keySource('SHA-256')),
    });
  }
  return {
    issuePerson: (person, options) =>
      issue('e-CPF', `${plainName(person.name)}:${person.cpf}`, (tree) => personNames(person, encodingIn(tree)), options),
    issueCompany: (company, options) =>
      issue('e-CNPJ', `${plainName(company.name)}:${company.cnpj}`, (tree) => companyNames(company, encodingIn(tree)), options),
    issueApplication: (owner, options) =>
      issue('e-Aplicacao', `${plainName(owner.name)}:${owner.cnpj}`, (tree) => applicationNames(owner, encodingIn(tree)), options),
    issueTimestampAuthority: async (name, { tree = 'v5', notBefore = new Date(now().getTime() - day) } = {}) =>
      signedBy(tree, {
        subject: `CN=${name}, OU=Faz de conta - nao vale nada, O=ICP-Brasil, C=BR`,
        notBefore,
        notAfter: new Date(notBefore.getTime() + 1825 * day),
        extensions: timestampExtensions,
        keys: await keySource('SHA-256'),
      }),
  };
}

/** Each tree writes the fields in one of the two ways, so that every reader meets both. */
const encodingIn = (tree: Tree) => (tree === 'v12' ? 'printable' : 'octets');
