import type { users } from '@lavra/api';
import type { EntityRoom } from '../../entities/entity-room.ts';
import { userRows } from './administered-users.store.ts';
import { followUserChange } from './follow-user-change.ts';
import { prepareUserRemoval } from './prepare-user-removal.ts';

/** People's accounts as an entity, with what a change of one brings with it. */
export const administeredUsers: EntityRoom<typeof users> = { ...userRows, followed: followUserChange, beforeRemoval: prepareUserRemoval };
