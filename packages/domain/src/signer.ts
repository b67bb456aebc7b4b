import { checkedSignerName } from './checked-lines.ts';
import { type Cnpj, parseCnpj } from './cnpj.ts';
import { type Cpf, parseCpf } from './cpf.ts';
import { isEmail, normalizeEmail } from './email.ts';
import { DomainError } from './errors.ts';
import { limits } from './limits.ts';
import { cleanLine } from './one-line.ts';

/** A signer as the creator enters them. */
export interface EnteredSigner {
  name: string;
  email: string;
  phoneNumber?: string | null | undefined;
  legalIdentifier?: string | null | undefined;
  companyIdentifier?: string | null | undefined;
  order: number;
}

/** A signer's own values. */
export interface SignerValues {
  name: string;
  email: string;
  phoneNumber: string | null;
  cpf: Cpf | null;
  cnpj: Cnpj | null;
  order: number;
}

/**
 * A signer fit to be kept.
 * @throws DomainError text.invisible; signer.nameRequired, nameInvalid, nameUndrawable, nameCharacters, emailInvalid, phoneInvalid; evidence.cpfInvalid; company.cnpjInvalid; request.invalid: no such order
 */
export function checkedSigner({ order, legalIdentifier = null, companyIdentifier = null, ...entered }: EnteredSigner): SignerValues {
  const name = checkedSignerName(entered.name);
  const email = normalizeEmail(entered.email);
  const phoneNumber = typeof entered.phoneNumber === 'string' ? cleanLine(entered.phoneNumber, 'phoneNumber') : null;
  if (!isEmail(email, limits.signerEmailMax)) throw new DomainError('signer.emailInvalid', { field: 'email' });
  if ((phoneNumber ?? '').length > limits.signerPhoneMax) throw new DomainError('signer.phoneInvalid', { field: 'phoneNumber' });
  if (!Number.isInteger(order) || order < 0) throw new DomainError('request.invalid', { field: 'order' });
  const cpf = legalIdentifier === null ? null : parseCpf(legalIdentifier);
  const cnpj = companyIdentifier === null ? null : parseCnpj(companyIdentifier);
  if (legalIdentifier !== null && cpf === null) throw new DomainError('evidence.cpfInvalid', { field: 'legalIdentifier' });
  if (companyIdentifier !== null && cnpj === null) throw new DomainError('company.cnpjInvalid', { field: 'companyIdentifier' });
  return { name, email, phoneNumber, cpf, cnpj, order };
}
