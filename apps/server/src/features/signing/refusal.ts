import { assertMayAct, DomainError, type ProcessState } from '@lavra/domain';

/** Why this signer may not act now, as an error code; null when they may. */
export function refusalOf(state: ProcessState, signerId: string, now: Date): string | null {
  try {
    assertMayAct(state, signerId, now);
    return null;
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
}
