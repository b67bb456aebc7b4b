import type { ConfiguredPsc } from './configure.ts';
import { PscError } from './errors.ts';

/** DOC-ICP-17.01: one hash; several in one request; any number of requests until the lifetime ends; identification only. */
export type PscScope = 'single_signature' | 'multi_signature' | 'signature_session' | 'authentication_session';

/** DOC-ICP-17.01's ceilings for a person's and a company's authorisation, in seconds. */
export const longestLifetime = { CPF: 604_800, CNPJ: 2_592_000 } as const;

const atLeast: Record<PscScope, readonly string[]> = {
  single_signature: ['single_signature', 'multi_signature', 'signature_session'],
  multi_signature: ['multi_signature', 'signature_session'],
  signature_session: ['signature_session'],
  authentication_session: ['authentication_session'],
};

/** The least that signs that many hashes at that provider. */
export function scopeFor({ id, maxHashes }: Pick<ConfiguredPsc, 'id' | 'maxHashes'>, hashes: number): PscScope {
  if (!Number.isInteger(hashes) || hashes < 1) throw new PscError('PSC_INVALID_REQUEST', id, { hashes });
  if (hashes === 1) return 'single_signature';
  return maxHashes === null || hashes <= maxHashes ? 'multi_signature' : 'signature_session';
}

/** What was granted, when it suffices for what was asked; null when it does not. `granted` left out means: as asked. */
export function grantedScope(asked: PscScope, granted: unknown): PscScope | null {
  const words = Array.isArray(granted) ? granted.map(String) : typeof granted === 'string' ? granted.split(/[\s,]+/) : [];
  if (words.filter((word) => word !== '').length === 0) return asked;
  return atLeast[asked].some((scope) => words.includes(scope)) ? asked : null;
}
