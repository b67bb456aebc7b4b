import * as asn1 from 'asn1js';
import * as x509 from '@peculiar/x509';
import { encode, octets, oid, sequence, tagged } from '../der.ts';

/**
 * A1: key in software; A3: key in hardware, a provider's HSM included (DOC-ICP-04, table 3). What signs no document: S3 for
 * secrecy, SE-H for seals, T3 for timestamps.
 */
export type CertificateType = 'A1' | 'A3' | 'S3' | 'SE-H' | 'T3';

export interface PersonData {
  readonly name: string;
  /** Eleven digits. */
  readonly cpf: string;
  /** DDMMYYYY. */
  readonly birth?: string;
  readonly email?: string;
}

export interface CompanyData {
  readonly name: string;
  /** Fourteen characters. */
  readonly cnpj: string;
  readonly responsible: PersonData;
}

/** How otherName values are written: the norm allows both, and both are met. */
export type FieldEncoding = 'octets' | 'printable';

const fields = '2.16.76.1.3.';
const none = (length: number): string => '0'.repeat(length);

/** 8 birth, 11 CPF, 11 NIS, 15 RG, then who issued the RG and where (DOC-ICP-04 §7.1.2.3). */
function personFields({ cpf, birth = '01011980' }: PersonData): string {
  return `${birth}${cpf}${none(11)}${'123456789'.padStart(15, '0')}SSPSP`;
}

/** 2.16.76.1.3.1, .6, .5 — mandatory of a natural person; RFC 822 name where there is an address. */
export function personNames(person: PersonData, encoding: FieldEncoding): x509.Extension {
  return alternativeNames(
    [
      ['1', personFields(person)],
      ['6', none(12)],
      // Voter's title 12, zone 3, section 4; the municipality is left out by many.
      ['5', none(19)],
    ],
    person.email,
    encoding,
  );
}

/** 2.16.76.1.3.4, .2, .3, .7 — mandatory of a legal person. */
export function companyNames({ cnpj, responsible }: CompanyData, encoding: FieldEncoding): x509.Extension {
  return alternativeNames(
    [
      ['4', personFields(responsible)],
      ['2', plainName(responsible.name)],
      ['3', cnpj],
      ['7', none(12)],
    ],
    responsible.email,
    encoding,
  );
}

/** 2.16.76.1.3.8, .3, .2, .4 — mandatory of equipment and applications: no signature of anybody. */
export function applicationNames({ name, cnpj, responsible }: CompanyData, encoding: FieldEncoding): x509.Extension {
  return alternativeNames(
    [
      ['8', plainName(name)],
      ['3', cnpj],
      ['2', plainName(responsible.name)],
      ['4', personFields(responsible)],
    ],
    responsible.email,
    encoding,
  );
}

function alternativeNames(values: readonly (readonly [string, string])[], email: string | undefined, encoding: FieldEncoding) {
  const names: asn1.BaseBlock[] = values.map(([field, value]) =>
    // GeneralName ::= otherName [0] { type-id, [0] EXPLICIT value }
    tagged(
      0,
      oid(`${fields}${field}`),
      tagged(0, encoding === 'octets' ? octets(Buffer.from(value, 'latin1')) : new asn1.PrintableString({ value })),
    ),
  );
  if (email !== undefined) {
    const valueHex = new Uint8Array(Buffer.from(email, 'latin1')).buffer;
    names.push(new asn1.Primitive({ idBlock: { tagClass: 3, tagNumber: 1 }, valueHex }));
  }
  return new x509.Extension('2.5.29.17', false, encode(sequence(...names)));
}

/** The policy with the address of the authority's practice statement (DPC). */
function policyExtension(policy: string, statement: string): x509.Extension {
  const qualifier = sequence(oid('1.3.6.1.5.5.7.2.1'), new asn1.IA5String({ value: statement }));
  return new x509.Extension('2.5.29.32', false, encode(sequence(sequence(oid(policy), sequence(qualifier)))));
}

/** n of 2.16.76.1.2.1.n and 2.16.76.1.2.3.n is the authority's own; this one is nobody's. */
const policies: Record<CertificateType, string> = {
  A1: '2.16.76.1.2.1.999',
  A3: '2.16.76.1.2.3.999',
  S3: '2.16.76.1.2.103.999',
  'SE-H': '2.16.76.1.2.202.999',
  T3: '2.16.76.1.2.303.999',
};

export interface AuthorityAddresses {
  /** The norm wants two, at two places. */
  readonly crls: readonly string[];
  /** Certs-only CMS of the chain. */
  readonly issuers: string;
  /** Answers about single certificates (RFC 6960), where the authority gives any. */
  readonly ocsp?: string | undefined;
  /** The practice statement. */
  readonly statement: string;
}

export function revocationExtensions({ crls, issuers, ocsp }: AuthorityAddresses): x509.Extension[] {
  // One distribution point each: two names of one point would be two ways to one list.
  const point = (url: string) => {
    const name = new asn1.Primitive({
      idBlock: { tagClass: 3, tagNumber: 6 },
      valueHex: new Uint8Array(Buffer.from(url, 'latin1')).buffer,
    });
    return sequence(tagged(0, tagged(0, name)));
  };
  return [
    new x509.Extension('2.5.29.31', false, encode(sequence(...crls.map(point)))),
    new x509.AuthorityInfoAccessExtension({ caIssuers: [issuers], ...(ocsp === undefined ? {} : { ocsp: [ocsp] }) }),
  ];
}

/** DOC-ICP-04 §7.1.2 for an end certificate, whoever it is for. */
export function endExtensions(type: CertificateType, addresses: AuthorityAddresses): x509.Extension[] {
  const { digitalSignature, nonRepudiation, keyEncipherment } = x509.KeyUsageFlags;
  return [
    new x509.BasicConstraintsExtension(false),
    new x509.KeyUsagesExtension(digitalSignature | nonRepudiation | keyEncipherment, true),
    // clientAuth and emailProtection.
    new x509.ExtendedKeyUsageExtension(['1.3.6.1.5.5.7.3.2', '1.3.6.1.5.5.7.3.4'], false),
    policyExtension(policies[type], addresses.statement),
    ...revocationExtensions(addresses),
  ];
}

/** The same for a timestamp authority (ACT), whose purpose is critical and alone (RFC 3161 §2.3). */
export function timestampExtensions(addresses: AuthorityAddresses): x509.Extension[] {
  const { digitalSignature, nonRepudiation } = x509.KeyUsageFlags;
  return [
    new x509.BasicConstraintsExtension(false),
    new x509.KeyUsagesExtension(digitalSignature | nonRepudiation, true),
    new x509.ExtendedKeyUsageExtension(['1.3.6.1.5.5.7.3.8'], true),
    policyExtension(policies.T3, addresses.statement),
    ...revocationExtensions(addresses),
  ];
}

/** CNs are without accents, as the fields of the norm are. */
export function plainName(name: string): string {
  return name
    .normalize('NFD')
    .replaceAll(/[^A-Za-z0-9 ]/g, '')
    .toUpperCase();
}
