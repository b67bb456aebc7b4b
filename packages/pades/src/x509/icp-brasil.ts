import { child, children, readDer } from '../asn1/der.ts';
import type { DerNode } from '../asn1/der.ts';
import type { Certificate } from './certificate.ts';
import { commonName } from './names.ts';
import { dotted, textOf } from '../asn1/values.ts';

/** A seal (SE-S, SE-H) shows where a document comes from: it may not express a company's will (Resolution 211, art. 4). */
export type CertificateHolderKind = 'person' | 'company' | 'application' | 'seal';

/**
 * ICP-Brasil's types of certificates: signature A1 to A4, secrecy S1 to S4, electronic seal in software and hardware,
 * timestamps T3 and T4, fiscal equipment, metrological objects. A certificate in the cloud is an A3 whose key is in a
 * provider's HSM (DOC-ICP-17.01): nothing in it says so.
 */
export type CertificateType = `A${1 | 2 | 3 | 4}` | `S${1 | 2 | 3 | 4}` | 'SE-S' | 'SE-H' | 'T3' | 'T4' | 'A CF-e-SAT' | 'OM-BR';

/** Whom a certificate names (DOC-ICP-04 §7.1.2.3). Trust in it comes from the chain alone. */
export interface CertificateHolder {
  /** Common name without the number after the last colon. */
  readonly name: string;
  readonly kind: CertificateHolderKind | null;
  /** Eleven digits: the person's, or of the person responsible for the company. */
  readonly cpf: string | null;
  /** Fourteen characters, letters possible since 2026. */
  readonly cnpj: string | null;
  readonly responsible: string | null;
  readonly email: string | null;
  /** By policy; null when it is none of ICP-Brasil's known ones. */
  readonly type: CertificateType | null;
}

const fields = '2.16.76.1.3.';
/** 2.16.76.1.2, the type's number, the authority's own number. */
const policyShape = /^2\.16\.76\.1\.2\.(\d+)\.\d+$/;

/** Reads the fields of ICP-Brasil where they are, and the common name everywhere. Never throws for odd contents. */
export function holderOf(certificate: Certificate): CertificateHolder {
  const other = otherNames(certificate.alternativeName);
  const person = other.get(`${fields}1`);
  const responsibleData = other.get(`${fields}4`);
  const cnpj = cnpjIn(other.get(`${fields}3`));
  // The name of a company in 3.8 is an equipment's or application's field, 3.4 stands in a company's own certificate too.
  const type = typeOf(certificate.policies);
  const isSeal = type === 'SE-S' || type === 'SE-H';
  const named = cnpj !== null ? (other.has(`${fields}8`) ? 'application' : 'company') : person ? 'person' : null;
  const kind = isSeal ? 'seal' : named;
  const whole = commonName(certificate.subject);
  return {
    name: whole.replace(/:[0-9A-Z]{11,14}$/, ''),
    kind,
    cpf: cpfIn(kind === 'person' ? person : responsibleData),
    cnpj,
    responsible: other.get(`${fields}2`)?.trim() ?? null,
    email: emailIn(certificate.alternativeName),
    type,
  };
}

function generalNames(names: DerNode | null): DerNode[] {
  try {
    return names === null ? [] : children(names);
  } catch {
    return [];
  }
}

/** The values of otherName entries by identifier; octet strings and every string type are met in the wild. */
function otherNames(names: DerNode | null): Map<string, string> {
  const result = new Map<string, string>();
  for (const name of generalNames(names)) {
    if (name.tag !== 0xa0) continue;
    try {
      const value = child(child(name, 1, 0xa0), 0);
      result.set(dotted(child(name, 0)), value.tag === 0x04 ? octetsAsText(value) : textOf(value));
    } catch {
      continue;
    }
  }
  return result;
}

function octetsAsText(node: DerNode): string {
  const inner = node.bytes.subarray(node.content, node.end);
  const nested = [0x0c, 0x13, 0x16].includes(inner[0] ?? 0) && (inner[1] ?? 0) === inner.length - 2;
  return nested ? textOf(readDer(inner)) : textOf(node);
}

function emailIn(names: DerNode | null): string | null {
  const found = generalNames(names).find(({ tag }) => tag === 0x81);
  return found === undefined ? null : textOf(found);
}

/** Birth date (8), then the CPF: positions 8 to 18 (fixed at the head, lengths vary at the tail). */
function cpfIn(data: string | undefined): string | null {
  const cpf = data?.slice(8, 19) ?? '';
  return /^\d{11}$/.test(cpf) && !/^0+$/.test(cpf) ? cpf : null;
}

function cnpjIn(data: string | undefined): string | null {
  const cnpj = data?.trim().toUpperCase() ?? '';
  return /^[0-9A-Z]{12}\d{2}$/.test(cnpj) && !/^0+$/.test(cnpj) ? cnpj : null;
}

/**
 * By policy group (DOC-ICP-04, table 3). SE-S and SE-H as the authorities under root v12 are approved for them. The
 * numbers of AE-S and AE-H (Resolution 211) are told differently by everybody: not named before ITI's table is at hand.
 */
const types: Record<string, CertificateType> = {
  '1': 'A1',
  '2': 'A2',
  '3': 'A3',
  '4': 'A4',
  '101': 'S1',
  '102': 'S2',
  '103': 'S3',
  '104': 'S4',
  '201': 'SE-S',
  '202': 'SE-H',
  '303': 'T3',
  '304': 'T4',
  '500': 'A CF-e-SAT',
  '550': 'OM-BR',
};

/** Null for another arc, an unknown group, and for policies of several types, of which nobody knows which one is meant. */
function typeOf(policies: readonly string[]): CertificateType | null {
  const groups = policies.flatMap((policy) => policyShape.exec(policy)?.[1] ?? []);
  const found = new Set(groups.map((group) => types[group] ?? null));
  return found.size === 1 ? ([...found][0] ?? null) : null;
}
