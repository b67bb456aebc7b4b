import type { DomainErrorCode } from '@lavra/domain';

/** Entities as section 8's answers name them, by what a code begins with. */
const byCode: Readonly<Record<string, string>> = {
  account: 'account',
  company: 'company',
  contract: 'contract',
  document: 'document',
  evidence: 'signatureEvidence',
  model: 'signatureModel',
  process: 'signatureProcess',
  signer: 'signer',
  stakeholder: 'stakeholder',
  user: 'account',
};

/** The same for codes of any record, by the room of the call. */
const byRoom: Readonly<Record<string, string>> = {
  'application-users': 'applicationUser',
  companies: 'company',
  'contract-types': 'contractType',
  contracts: 'contract',
  documents: 'document',
  'signature-evidences': 'signatureEvidence',
  'signature-processes': 'signatureProcess',
  signatures: 'signature',
  signers: 'signer',
  stakeholders: 'stakeholder',
};

/** Which entity a refusal is about, empty for none: what its code says, else the room of the address. `url` is the route's. */
export function entityNamed(code: DomainErrorCode, url: string | undefined): string {
  const room = /^\/api\/(?:_search\/)?([\w-]+)/.exec(url ?? '')?.[1] ?? '';
  return byCode[code.slice(0, code.indexOf('.'))] ?? byRoom[room] ?? '';
}
