import type { CompanyOverview } from '@lavra/api';
import { DomainError } from '@lavra/domain';
import type { Person } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { describeCompany } from './describe-company.ts';

/** The actor's own company. @throws DomainError company.none */
export function describeOwnCompany(ctx: Ctx, actor: Person): Promise<CompanyOverview> {
  if (actor.company === null) throw new DomainError('company.none');
  return describeCompany(ctx, actor, actor.company.id);
}
