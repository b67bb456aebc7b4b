import { DomainError, normalizeEmail } from '@lavra/domain';
import type { Person } from '../../access/actor.ts';
import { findOpenSessions, removeSessionsOf } from '../../access/sessions.store.ts';
import { listEvents } from '../../audit/audit.store.ts';
import type { Ctx, Tx } from '../../context.ts';
import { forgetMailsTo, listMailsTo } from '../../mail/mail.store.ts';
import { findUserByEmail, findUserById, lockUser, removeKeysOf, type User } from './accounts.store.ts';
import { assertAdministratorRemains } from './assert-administrator-remains.ts';
import { forgetDevices } from './devices.store.ts';
import * as store from './personal-account.store.ts';
import { deleteFactors } from './second-factor/factors.store.ts';
import { removeIdentities } from './social/identities.store.ts';

/** As many rows of the log as an export has; it is a year long. */
const EVENTS_MOST = 100_000;

/** Whose data are asked for. @throws DomainError request.notFound, user.erased */
export async function findDataSubject(ctx: Ctx, accountId: string): Promise<Pick<User, 'id' | 'email' | 'langKey'>> {
  const user = await findUserById(ctx, accountId);
  if (!user) throw new DomainError('request.notFound');
  if (user.state === 'erased') throw new DomainError('user.erased');
  return user;
}

/** Whether an address is an account's. */
export async function hasAccount(ctx: Ctx, email: string): Promise<boolean> {
  return (await findUserByEmail(ctx, email)) !== undefined;
}

/** What is kept of an account: who it is, how it is entered, what the log tells of it, which mails went to it. Nothing that opens it. */
export async function readPersonalAccount(ctx: Ctx, { id, email }: { id: string; email: string }) {
  const [own, sessions, mails, log] = await Promise.all([
    store.readPersonalAccount(ctx, id),
    findOpenSessions(ctx, id),
    listMailsTo(ctx, email),
    listEvents(ctx, { about: { accountIds: [id], subjects: [id, `admin/users/${id}`] } }, { limit: EVENTS_MOST, offset: 0 }),
  ]);
  return {
    ...own,
    sessions: sessions.map(({ id: _key, ...session }) => session),
    mails,
    log: log.map(({ at, kind, outcome, reason, source }) => ({ at, kind, outcome, reason, source })),
  };
}

/**
 * Erases what an account says of its person, and all ways into it; call inside the transaction that erases the rest.
 * `confirmed`: its address, as the administrator typed it. The account's id stays, for the evidence of others that names it.
 * @throws DomainError request.notFound, user.erased, user.erasureUnconfirmed, user.lastAdministrator
 */
export async function eraseAccount(
  tx: Tx,
  _actor: Person,
  { accountId, confirmed }: { accountId: string; confirmed: string },
): Promise<User> {
  if (!(await findUserById(tx, accountId))) throw new DomainError('request.notFound');
  const user = await lockUser(tx, accountId);
  if (user.state === 'erased') throw new DomainError('user.erased');
  if (normalizeEmail(confirmed) !== user.email) throw new DomainError('user.erasureUnconfirmed', { field: 'email' });
  if (user.authorities.includes('ROLE_ADMIN')) await assertAdministratorRemains(tx, accountId);
  await removeSessionsOf(tx, accountId);
  await removeKeysOf(tx, accountId);
  await forgetDevices(tx, accountId, null);
  await removeIdentities(tx, accountId);
  await deleteFactors(tx, accountId);
  await forgetMailsTo(tx, user.email);
  await store.eraseAccount(tx, user, {
    login: `${accountId}@apagada.invalid`,
    name: tx.translate(user.langKey, 'personalData.erasedName'),
  });
  return user;
}
