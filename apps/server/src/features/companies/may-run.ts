import { DomainError } from '@lavra/domain';
import type { Person } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { lockCompany } from './companies.store.ts';

/**
 * Who administers a company, and who administers the installation, decides about its people and its looks. To everybody else
 * it is not there; one of its members lacks the role.
 * @throws DomainError company.notFound, request.forbidden
 */
export function assertMayRun(actor: Person, companyId: string): void {
  if (actor.authorities.includes('ROLE_ADMIN')) return;
  if (actor.company?.id !== companyId) throw new DomainError('company.notFound');
  if (actor.company.role !== 'admin') throw new DomainError('request.forbidden');
}

/** The same at the start of a transaction that changes who belongs to it: others wait. Its name. @throws DomainError as `assertMayRun` */
export async function runCompany(tx: Ctx, actor: Person, companyId: string): Promise<string> {
  assertMayRun(actor, companyId);
  const name = await lockCompany(tx, companyId);
  if (name === undefined) throw new DomainError('company.notFound');
  return name;
}
