import { type ProcessStatus, replay, type SignerState } from '@lavra/domain';
import type { Ctx } from '../../../context.ts';
import { defineJob } from '../../../jobs/queue.ts';
import { PENDING, RECEIVED, recount, REQUESTED } from '../process-counts.store.ts';
import { type CheckedProcess, listAnew, startedProcesses } from './checked-processes.store.ts';

/** Every night: what lists show of each process is compared with its events, and the counters with the lists; what differs is mended. */
export const checkListsJob = defineJob<Record<string, never>>({
  name: 'check-lists',
  cron: '11 3 * * *',
  exclusive: true,
  retryLimit: 1,
  expireInSeconds: 6 * 3600,
  async run(ctx) {
    const found = { checked: 0, mended: 0, untold: 0 };
    for await (const some of startedProcesses(ctx)) await checkSome(ctx, some, found);
    const counters = await recount(ctx);
    if (found.mended + counters > 0) ctx.log.warn({ ...found, counters }, 'lists or counters differed from the events, and were mended');
    if (found.untold > 0) ctx.log.error({ processes: found.untold }, 'processes stand otherwise than their events tell');
    ctx.log.info({ ...found, counters }, 'lists checked');
  },
});

async function checkSome(ctx: Ctx, some: readonly CheckedProcess[], found: { checked: number; mended: number; untold: number }) {
  const wrong: string[] = [];
  for (const one of some) {
    const told = stateTold(one);
    const isTold = one.status === told.status && one.signers.every(({ id, status }) => told.statusOf(id) === status);
    // Then the rows are at fault, not the list that was made of them, and a person must look which is right.
    if (!isTold) found.untold += 1;
    if (!one.isWorded || listedOf(one) !== expectedOf(one, isTold ? told : stateOf(one))) wrong.push(one.id);
  }
  if (wrong.length > 0) await listAnew(ctx, wrong);
  found.checked += some.length;
  found.mended += wrong.length;
}

interface Told {
  status: ProcessStatus;
  statusOf(signerId: string): SignerState['status'] | undefined;
}

/** How a process and its signers stand, by its events alone. */
function stateTold({ modality, signers, events }: CheckedProcess): Told {
  const fresh = {
    dueDate: null,
    invitedAt: null,
    openedAt: null,
    finalizedAt: null,
    rejectCause: null,
    remindersSent: 0,
    toldAgainAt: null,
  } as const;
  const { status, signers: after } = replay(
    {
      status: 'DRAFT',
      modality,
      dueDate: null,
      reminderIn: null,
      startedAt: null,
      preparedAt: null,
      finalizedAt: null,
      filesRemovedAt: null,
      signers: signers.map(({ id, order }) => ({ id, order, name: '', status: 'WAITING', ...fresh })),
    },
    events.map(({ type, signerId, at }) => ({ type, signerId, data: {}, at: new Date(at) })),
  );
  const statuses = new Map(after.map((signer) => [signer.id, signer.status]));
  return { status, statusOf: (signerId) => statuses.get(signerId) };
}

/** The same by its rows. */
function stateOf({ status, signers }: CheckedProcess): Told {
  return { status, statusOf: (signerId) => signers.find(({ id }) => id === signerId)?.status };
}

/** Who should find the process, among what, and how it stands: a text that is compared. */
function expectedOf({ ownerId, signers }: CheckedProcess, { status, statusOf }: Told): string {
  const sets = new Map([[ownerId, REQUESTED]]);
  for (const { id, userId } of signers) {
    const stands = statusOf(id);
    if (userId === null || stands === 'WAITING') continue;
    const waits = status === 'IN_PROGRESS' && stands === 'SENT' ? PENDING : 0;
    sets.set(userId, (sets.get(userId) ?? 0) | RECEIVED | waits);
  }
  return textOf([...sets].map(([userId, set]) => ({ userId, sets: set, status })));
}

const listedOf = ({ listed }: CheckedProcess) => textOf(listed);

function textOf(listed: readonly { userId: string; sets: number; status: ProcessStatus }[]): string {
  return listed
    .map(({ userId, sets, status }) => `${userId} ${sets} ${status}`)
    .toSorted()
    .join('\n');
}
