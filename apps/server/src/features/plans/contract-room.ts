import type { Contract, contracts } from '@lavra/api';
import { DomainError } from '@lavra/domain';
import type { Ctx } from '../../context.ts';
import type { EntityRoom } from '../../entities/entity-room.ts';
import { namePlans } from './contract-types.store.ts';
import { contractRows, ownerOf } from './contracts.store.ts';

/** What contracts need to know of accounts, which plans stand below. */
export interface ContractPeople {
  /** Account → login. */
  loginsOf(ctx: Ctx, userIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Whether somebody has shown that the account is theirs; null: its data were erased, and it is nobody's. */
  isConfirmed(ctx: Ctx, userId: string): Promise<boolean | null>;
}

/** Contracts as an entity, with what their people and plans are called. */
export function contractRoomOf(people: ContractPeople): EntityRoom<typeof contracts> {
  return {
    ...contractRows,
    async completed(ctx, items) {
      const owners = items.flatMap(({ applicationUsers }) => applicationUsers?.id ?? []);
      const types = items.map(({ contractType }) => contractType.id);
      const [logins, plans] = await Promise.all([people.loginsOf(ctx, owners), namePlans(ctx, types)]);
      return items.map((item) => withNames(item, logins, plans));
    },
    async followed(tx, _actor, { before, after }) {
      const owner = ownerOf(after);
      if (owner === null || (before !== null && ownerOf(before) === owner)) return;
      const isConfirmed = await people.isConfirmed(tx, owner);
      if (isConfirmed === null) throw new DomainError('contract.ownerUnknown', { field: 'applicationUsers' });
      // A registration that nobody confirms is swept away, and would be held by its contract.
      if (!isConfirmed) throw new DomainError('contract.ownerUnconfirmed', { field: 'applicationUsers' });
    },
  };
}

function withNames(item: Contract, logins: ReadonlyMap<string, string>, plans: ReadonlyMap<number, string>): Contract {
  const { applicationUsers: owner, contractType: type } = item;
  return {
    ...item,
    applicationUsers: owner && { id: owner.id, login: logins.get(owner.id) ?? '' },
    contractType: { id: type.id, name: plans.get(type.id) ?? '' },
  };
}
