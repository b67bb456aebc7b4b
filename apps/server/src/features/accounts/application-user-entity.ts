import type { applicationUsers } from '@lavra/api';
import { DomainError } from '@lavra/domain';
import type { Person } from '../../access/actor.ts';
import type { Tx } from '../../context.ts';
import type { Change, Created, EntityRoom } from '../../entities/entity-room.ts';
import { getRecord } from '../../entities/records.ts';
import { applicationUserRows, identifiersOf } from './application-users.store.ts';
import { prepareUserRemoval } from './prepare-user-removal.ts';

/** Application users as an entity. Each is an account: it is there from the account's first day, and goes with it. */
export const applicationUserEntity: EntityRoom<typeof applicationUsers> = {
  ...applicationUserRows,
  acts: { create: refuseSecond },
  followed: keepConfirmed,
  beforeRemoval: prepareUserRemoval,
};

/** @throws DomainError request.notFound: no such account that the actor may see, record.exists */
async function refuseSecond(tx: Tx, actor: Person, { user }: Created<typeof applicationUsers>): Promise<string> {
  await getRecord(tx, actor, applicationUserRows, user.id);
  throw new DomainError('record.exists', { field: 'user' });
}

/** What a provider has confirmed is not written over. @throws DomainError identity.otherCpf */
async function keepConfirmed(_tx: Tx, _actor: Person, { after }: Change<typeof applicationUsers>): Promise<void> {
  const { confirmed, said } = identifiersOf(after);
  if (confirmed !== null && said !== null && said !== confirmed) throw new DomainError('identity.otherCpf', { field: 'legalIdentifier' });
}
