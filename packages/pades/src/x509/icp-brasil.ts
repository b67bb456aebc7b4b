import { child, children, readDer } from '../cms/der.ts';
import type { DerNode } from '../cms/der.ts';
import type { Certificate } from './certificate.ts';
import { commonName } from './names.ts';
import { dotted, textOf } from './values.ts';

/** Whom a certificate names (DOC-ICP-04 §7.1.2.3). Trust in it comes from the chain alone. */
export interface CertificateHolder {
  /** Common name without the number after the last colon. */
  readonly name: string;
  readonly kind: 'person' | 'company' | 'application' | null;
  /** Eleven digits: the person's, or of the person responsible for the company. */
  readonly cpf: string | null;
  /** Fourteen characters, letters possible since 2026. */
  readonly cnpj: string | null;
  readonly responsible: string | null;
  readonly email: string | null;
  /** A1 … A4, S1 …, T3, T4 by policy; null outside ICP-Brasil's arc. */
  readonly type: string | null;
}

const fields = '2.16.76.1.3.';
const policyArc = '2.16.76.1.2.';

/** Reads the fields of ICP-Brasil where they are, and the common name everywhere. Never throws for odd contents. */
export function holderOf(certificate: Certificate): CertificateHolder {
  const other = otherNames(certificate.alternativeName);
  const person = other.get(`${fields}1`);
  const responsibleData = other.get(`${fields}4`);
  const cnpj = cnpjIn(other.get(`${fields}3`));
  // The name of a company in 3.8 is an equipment's or application's field, 3.4 stands in a company's own certificate too.
  const kind = cnpj !== null ? (other.has(`${fields}8`) ? 'application' : 'company') : person ? 'person' : null;
  const whole = commonName(certificate.subject);
  return {
    name: whole.replace(/:[0-9A-Z]{11,14}$/, ''),
    kind,
    cpf: cpfIn(kind === 'person' ? person : responsibleData),
    cnpj,
    responsible: other.get(`${fields}2`)?.trim() ?? null,
    email: emailIn(certificate.alternativeName),
    type: typeOf(certificate.policies),
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

function typeOf(policies: readonly string[]): string | null {
  for (const policy of policies) {
    if (!policy.startsWith(policyArc)) continue;
    const group = Number(policy.slice(policyArc.length).split('.')[0]);
    if (group >= 1 && group <= 4) return `A${group}`;
    if (group >= 101 && group <= 104) return `S${group - 100}`;
    if (group === 303 || group === 304) return `T${group - 300}`;
  }
  return null;
}
