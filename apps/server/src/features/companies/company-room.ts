import type { companies } from '@lavra/api';
import type { EntityRoom } from '../../entities/entity-room.ts';
import { companyRows } from './companies.store.ts';
import { leaveCompany } from './leave-company.ts';
import { listMembers } from './members.store.ts';

/** Companies as an entity. Of one that is deleted everybody leaves first. */
export const companyRoom: EntityRoom<typeof companies> = {
  ...companyRows,
  async beforeRemoval(tx, id) {
    const members = await listMembers(tx, String(id));
    await leaveCompany(
      tx,
      members.map(({ userId }) => userId),
    );
  },
};
