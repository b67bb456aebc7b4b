import { assertWithinQuota, DomainError, type Modality, signatureQuota, type UsageAlert, usageAlert } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import {
  documentUseWrites,
  findPlanUse,
  insertDocumentUse,
  insertReservations,
  type PlanUse,
  planUseIn,
  type PlanUseJson,
  planUseJson,
  reservationWrites,
} from './usage.store.ts';

/**
 * The same as parts of the statement that keeps what is counted. Where the plan does not take it, that statement is not written (`MovedOn`): which
 * refusal it is, `countDocument`, `holdPlan` and `reserveSignatures` say.
 */
export const usageParts = { document: documentUseWrites, reservations: reservationWrites };

/**
 * Counts a document that was received on the contract that covers its owner; call inside the transaction that keeps it, after what it
 * keeps. What its bytes become later, and whether it is thrown away unused, the database follows by itself (docs/decisions/048).
 * @throws DomainError contract.documentsUsedUp, contract.storageUsedUp
 */
export async function countDocument(tx: Ctx, ownerId: string, document: { id: string; size: number }): Promise<void> {
  const plan = await findPlanUse(tx, ownerId, 'hold');
  if (!plan) return;
  assertTakes(plan, { documents: 1, bytes: document.size });
  await insertDocumentUse(tx, plan, document);
}

/** What covers an upload, as a value in a statement that reads more on its way. */
export const uploadPlan = {
  read: planUseJson,
  /**
   * Whether anything may be uploaded: of what comes under a contract that has passed nothing could be made, and where the plan is used up no
   * byte is read.
   * @throws DomainError process.contractSuspended, contract.documentsUsedUp, contract.storageUsedUp
   */
  assertMayUpload(ctx: Ctx, read: PlanUseJson | null): void {
    const plan = planUseIn(ctx, read);
    if (!plan) return;
    if (plan.isSuspended) throw new DomainError('process.contractSuspended');
    assertTakes(plan, { documents: 1, bytes: 1 });
  },
};

/**
 * The same question before any of several is kept; what else is kept meanwhile may make it another answer.
 * @throws DomainError contract.documentsUsedUp, contract.storageUsedUp
 */
export async function assertPlanTakes(ctx: Ctx, ownerId: string, asked: { documents: number; bytes: number }): Promise<void> {
  const plan = await findPlanUse(ctx, ownerId, 'read');
  if (plan) assertTakes(plan, asked);
}

function assertTakes(plan: PlanUse, asked: { documents: number; bytes: number }): void {
  assertWithinQuota('documents', plan.documents, asked.documents);
  assertWithinQuota('storage', plan.storage, asked.bytes);
}

/**
 * The contract that covers the owner of a process that starts, held for the rest of the transaction: nobody else counts in it; null: none.
 * It may have passed since the process was begun.
 * @throws DomainError process.contractSuspended
 */
export async function holdPlan(tx: Ctx, ownerId: string): Promise<PlanUse | null> {
  const plan = await findPlanUse(tx, ownerId, 'hold');
  if (plan?.isSuspended) throw new DomainError('process.contractSuspended');
  return plan;
}

/**
 * Reserves the signatures of a process on its owner's plan, so that nobody who was asked to sign is refused for want of a
 * quota; call inside the transaction that starts it. Each is used once it is made, and free again when the process ends without it.
 * @throws DomainError contract.digitalSignaturesUsedUp, contract.electronicSignaturesUsedUp
 */
export async function reserveSignatures(
  tx: Ctx,
  plan: PlanUse | null,
  process: { id: string; modality: Modality; signatureIds: readonly string[] },
): Promise<void> {
  if (!plan) return;
  const quota = signatureQuota(process.modality);
  assertWithinQuota(quota, plan[quota], process.signatureIds.length);
  await insertReservations(tx, plan, process);
}

/** How near the plan that covers somebody is to its end; null: no contract covers them. */
export async function findUsageAlert(ctx: Ctx, userId: string): Promise<UsageAlert | null> {
  const plan = await findPlanUse(ctx, userId, 'read');
  return plan && usageAlert({ digital: plan.digitalSignatures, electronic: plan.eletronicSignatures });
}

/** Whether so many people may belong to the company of a member. */
export async function hasPlanSeats(ctx: Ctx, memberId: string, people: number): Promise<boolean> {
  const { accountUsersLimit = null } = (await findPlanUse(ctx, memberId, 'read')) ?? {};
  return accountUsersLimit === null || people <= accountUsersLimit;
}

/**
 * Whether so many more may be asked into the company of a member: `taken` belong to it already, or were asked to.
 * @throws DomainError contract.accountUsersUsedUp
 */
export async function assertPlanSeats(ctx: Ctx, memberId: string, taken: number, asked: number): Promise<void> {
  const plan = await findPlanUse(ctx, memberId, 'read');
  if (plan) assertWithinQuota('accountUsersLimit', { taken, quota: plan.accountUsersLimit }, asked);
}
