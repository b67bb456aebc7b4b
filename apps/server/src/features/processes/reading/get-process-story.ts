import type { getProcessStory as call, Reply, storyLine } from '@lavra/api';
import type * as z from 'zod/mini';
import { fullName, instantOfAct, signersWhoEnded } from '@lavra/domain';
import type { Person } from '../../../access/actor.ts';
import type { Ctx } from '../../../context.ts';
import { findAccount } from '../../accounts/find-account.ts';
import { listProcessEvents, type RecordedEvent } from '../life/event-chain.ts';
import { loadOwnProcess } from './participation.ts';

/** How a process stands and what happened to it, from its evidence. @throws DomainError process.notFound: also for somebody else's */
export async function getProcessStory(ctx: Ctx, actor: Person, id: string): Promise<Reply<typeof call>> {
  const loaded = await loadOwnProcess(ctx, actor, id);
  const [owner, events] = await Promise.all([findAccount(ctx, loaded.ownerId), listProcessEvents(ctx, id)]);
  const creatorName = owner ? fullName(owner) : '';
  return {
    id,
    title: loaded.title,
    // A draft is nobody's to look at.
    status: loaded.status as Reply<typeof call>['status'],
    type: loaded.modality === 'digital' ? 'DIGITAL_SIGNATURE' : 'ELETRONIC_SIGNATURE',
    createdDate: loaded.createdAt.toISOString(),
    finalizedDate: loaded.finalizedAt?.toISOString() ?? null,
    dueDate: loaded.dueDate?.toISOString() ?? null,
    creatorName,
    currentIsOwner: loaded.isOwner,
    endedBy: loaded.status === 'CREATOR_CANCELED' ? creatorName : namesOf(signersWhoEnded(loaded)),
    isPrepared: loaded.preparedAt !== null,
    story: events.map((event) => lineOf(event, loaded.isOwner)),
  };
}

const namesOf = (people: readonly { name: string }[]) => (people.length === 0 ? null : people.map(({ name }) => name).join(', '));

/** What a person understands of an event: addresses of the network and hashes are the report's. */
function lineOf({ type, at, data }: RecordedEvent, isOwner: boolean): z.infer<typeof storyLine> {
  const text = (key: string) => (typeof data[key] === 'string' ? data[key] : null);
  const to = text('to');
  return {
    at: instantOfAct({ type, data }, at).toISOString(),
    type,
    name: text('name') ?? '',
    otherName: text('invitedName') ?? text('previousName'),
    email: isOwner ? text('email') : null,
    cause: text('cause'),
    to: to === 'creator' || to === 'signer-session' ? to : null,
  };
}
