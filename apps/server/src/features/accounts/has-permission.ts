import { type AccountPermission, DomainError, hasAccountPermission } from '@lavra/domain';
import type { Person } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { findGranted } from './single-sign-on/sso-sessions.store.ts';

/** Whether the actor may do this: what the provider of single sign-on said last, where there is one. */
export async function hasPermission(ctx: Ctx, actor: Person, permission: AccountPermission): Promise<boolean> {
  const said = await findGranted(ctx, actor.sessionId);
  const granted = said ?? (ctx.config.sso ? [] : null);
  return hasAccountPermission(permission, { authorities: actor.authorities, granted });
}

/** In the call that creates, whatever its client has asked before. @throws DomainError permission.createProcess */
export async function demandCreateProcess(ctx: Ctx, actor: Person): Promise<void> {
  if (!(await hasPermission(ctx, actor, 'CREATE_PROCESS'))) throw new DomainError('permission.createProcess');
}
