import { users } from '@lavra/api';
import { accountState, checkedUser } from '@lavra/domain';
import { type Selectable, sql } from 'kysely';
import type { AppUserTable } from '../../db/tables.ts';
import type { EntityRoom } from '../../entities/entity-room.ts';

/** An account's row, as the machine of entities hands it on. */
type UserRow = Selectable<AppUserTable>;

/** An account as the entity machine hands its row to whoever follows a change. */
export function storedUser(row: unknown) {
  const { id, email, authorities, activated, was_activated: wasActivated } = row as UserRow;
  const { deactivated_at: deactivatedAt, erased_at: erasedAt } = row as UserRow;
  return { id, email, authorities, activated, wasActivated, deactivatedAt, erasedAt };
}
export type StoredUser = ReturnType<typeof storedUser>;

/** People's accounts: the administrators' (the calls admit nobody else), all of them. */
export const userRows: EntityRoom<typeof users> = {
  entity: users,
  table: 'app_user',
  scope: () => sql`true`,
  sorts: {
    email: { column: 'email' },
    firstName: { column: 'first_name', text: true },
    lastName: { column: 'last_name', text: true },
    createdDate: { column: 'created_at' },
    lastModifiedDate: { column: 'modified_at' },
  },
  toRow(written) {
    const { email, firstName, lastName, authorities } = checkedUser(written);
    return { email, login: email, first_name: firstName, last_name: lastName, lang_key: written.langKey, authorities };
  },
  fromRow(row) {
    const user = row as unknown as UserRow;
    const state = accountState({ activated: user.activated, deactivatedAt: user.deactivated_at, erasedAt: user.erased_at });
    return {
      login: user.login,
      email: user.email,
      firstName: user.first_name,
      lastName: user.last_name,
      langKey: user.lang_key,
      authorities: user.authorities,
      activated: state === 'active',
      state,
      loginType: user.login_type,
      createdBy: user.created_by,
      createdDate: user.created_at.toISOString(),
      lastModifiedBy: user.modified_by,
      lastModifiedDate: user.modified_at?.toISOString() ?? null,
    };
  },
  born: (ctx, { email }) => ({ login_type: 'password', activated: false, created_by: email, created_at: ctx.clock.now() }),
  changed: (ctx, { email }) => ({ modified_by: email, modified_at: ctx.clock.now() }),
  refusals: { taken: { code: 'account.userexists', field: 'email' }, inUse: 'user.inUse' },
};
