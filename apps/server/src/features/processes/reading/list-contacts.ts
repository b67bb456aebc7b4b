import type { Person } from '../../../access/actor.ts';
import type { Ctx } from '../../../context.ts';
import { type Contact, latestContacts } from './contacts.store.ts';

/** Whom the actor has called to sign before, to be called again with one press. */
export function listContacts(ctx: Ctx, actor: Person): Promise<Contact[]> {
  return latestContacts(ctx, actor.userId);
}
