import { type AccountPermission, DomainError, hasAccountPermission } from '@lavra/domain';
import type { Person } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { isSuspended } from '../plans/assert-contract-active.ts';
import { findGranted } from './single-sign-on/sso-sessions.store.ts';

/**
 * Whether the actor may do this: what the provider of single sign-on said last, where there is one; and with it, section 6, a suspended
 * contract takes CREATE_PROCESS away.
 */
export async function hasPermission(ctx: Ctx, actor: Person, permission: AccountPermission): Promise<boolean> {
  if (!(await isGranted(ctx, actor, permission))) return false;
  return permission !== 'CREATE_PROCESS' || !ctx.config.sso || !(await isSuspended(ctx, actor.userId));
}

async function isGranted(ctx: Ctx, actor: Person, permission: AccountPermission): Promise<boolean> {
  // A session of the other mode is none (access/sessions.store.ts).
  const granted = ctx.config.sso ? ((await findGranted(ctx, actor.sessionId)) ?? []) : null;
  return hasAccountPermission(permission, { authorities: actor.authorities, granted });
}

/** In the call that creates, whatever its client has asked before; it has read whether the contract has passed. @throws DomainError permission.createProcess, process.contractSuspended */
export async function demandCreateProcess(ctx: Ctx, actor: Person, isContractSuspended: boolean): Promise<void> {
  if (!(await isGranted(ctx, actor, 'CREATE_PROCESS'))) throw new DomainError('permission.createProcess');
  if (isContractSuspended) throw new DomainError('process.contractSuspended');
}
