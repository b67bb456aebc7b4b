import type { Body, companies, Company, patchCompany as patchCall } from '@lavra/api';
import type { Person } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import type { Written } from '../../entities/entity-room.ts';
import { getRecord, updateRecord } from '../../entities/records.ts';
import { companyRoom } from './company-room.ts';

/** What a client names of a company. */
type Patch = Omit<Partial<Body<typeof patchCall>>, 'name'> & { name?: string | undefined };

type Changed = Written<typeof companies> & { version: number };

/** JSON merge patch: what is not named stays. @throws DomainError company.notFound, record.changed and what `checkedCompany` refuses */
export function patchCompany(ctx: Ctx, actor: Person, { id, ...patch }: Patch & { id: string }): Promise<Company> {
  return ctx.transaction(async (tx) => {
    const { name, version } = await getRecord(tx, actor, companyRoom, id);
    return updateRecord(tx, actor, companyRoom, id, { ...patch, name: patch.name ?? name, version: patch.version ?? version } as Changed);
  });
}
