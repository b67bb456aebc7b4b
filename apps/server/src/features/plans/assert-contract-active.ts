import { DomainError } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import { findCoveringContract, suspendedOf } from './contracts.store.ts';

/** Whether the contract that covers somebody has passed, or was stopped. Who is covered by none is not bound. */
export async function isSuspended(ctx: Ctx, userId: string): Promise<boolean> {
  return (await findCoveringContract(ctx, userId))?.isSuspended ?? false;
}

/** The same as SQL, for a statement that reads more. */
export const contractParts = { isSuspended: suspendedOf };

/** Where a process, or a file for it, is made. @throws DomainError process.contractSuspended */
export async function assertContractActive(ctx: Ctx, userId: string): Promise<void> {
  if (await isSuspended(ctx, userId)) throw new DomainError('process.contractSuspended');
}
