import { checkedSigner, limits, refusalOf } from '@lavra/domain';
import type { SignerPerson } from './process-draft.ts';

/** Why somebody cannot be a signer as they are written, as the key of its sentence with what fills it; null when they can. */
export function signerFault(person: SignerPerson): { code: string; params?: Readonly<Record<string, string | number>> } | null {
  // The rule has one word for whatever a name may not be; its length is told apart, as the name's own field does.
  if (person.name.trim().length > limits.nameMax) return { code: 'signer.nameTooLong', params: { max: limits.nameMax } };
  const { cpf: legalIdentifier, cnpj: companyIdentifier, ...rest } = person;
  return refusalOf(() => checkedSigner({ ...rest, legalIdentifier, companyIdentifier, order: 0 }));
}
