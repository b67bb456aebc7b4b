import { DomainError } from '@lavra/domain';
import type { Person } from '../../access/actor.ts';
import type { Ahead } from '../../access/first-reading.store.ts';
import type { Ctx } from '../../context.ts';
import type { StoredBlob } from '../../storage/blob-store.ts';
import { uploadPlan } from '../plans/count-usage.ts';
import { releaseRoom, roomReading, takeRoom, type UploadAsked, type UploadBounds } from './documents.store.ts';

const megabytes = (bytes: number) => Math.floor(bytes / 1024 / 1024);

const boundsOf = ({ config }: Ctx): UploadBounds => ({ daily: config.maxDailyUploadBytes, total: config.maxAccountBytes });

const roomAndPlan = roomReading(uploadPlan.read);

function uploadAsked({ clock }: Ctx, userId: string): UploadAsked {
  const now = clock.now();
  return { userId, day: now.toISOString().slice(0, 10), now };
}

/** What `assertMayUpload` reads. */
export const roomAhead: Ahead = {
  askedBy: ({ ctx, userId }) => (userId === null ? null : { reading: roomAndPlan, values: uploadAsked(ctx, userId) }),
};

async function findRoomAndPlan(ctx: Ctx, { userId }: Person) {
  const row = await roomAndPlan.find(ctx, uploadAsked(ctx, userId));
  if (!row) throw new Error('a row of one was not answered');
  const { daily, total } = boundsOf(ctx);
  return { room: { daily: daily - (row.today ?? 0), total: total - (row.total ?? 0) }, plan: row.read };
}

/**
 * Refuses a request that says itself that it does not fit, before a byte of it is read.
 * @throws DomainError document.dailyLimitReached, document.accountLimitReached
 */
export async function assertRoomFor(ctx: Ctx, actor: Person, announced: number): Promise<void> {
  assertFits(ctx, (await findRoomAndPlan(ctx, actor)).room, announced);
}

/**
 * Whether anything may be uploaded at all, and this: in one reading.
 * @throws DomainError process.contractSuspended, contract.documentsUsedUp, contract.storageUsedUp, and the same
 */
export async function assertMayUpload(ctx: Ctx, actor: Person, announced: number): Promise<void> {
  const { room, plan } = await findRoomAndPlan(ctx, actor);
  uploadPlan.assertMayUpload(ctx, plan);
  assertFits(ctx, room, announced);
}

function assertFits(ctx: Ctx, { daily, total }: UploadBounds, announced: number): void {
  const bounds = boundsOf(ctx);
  const bytes = Math.max(1, announced);
  if (bytes > daily) throw new DomainError('document.dailyLimitReached', { params: { megabytes: megabytes(bounds.daily) } });
  if (bytes > total) throw new DomainError('document.accountLimitReached', { params: { megabytes: megabytes(bounds.total) } });
}

/** How large a file of the actor's may be: as the installation says, or their company. */
export function maxFileBytes({ config }: Ctx, { company }: Person): number {
  return Math.min(config.maxUploadBytes, (company?.maxDocSize ?? Number.POSITIVE_INFINITY) * 1024 * 1024);
}

/** What one request takes of its owner's room; what it does not keep is given back. */
export interface UploadRoom {
  /** `blob`: noted with it, as it is about to be placed. @throws DomainError document.dailyLimitReached, document.accountLimitReached, request.tooMany */
  take(bytes: number, blob: StoredBlob | null): Promise<void>;
  /** Of what was taken, this much is a document now. */
  keep(bytes: number): void;
  giveBackTheRest(): Promise<void>;
}

export function uploadRoom(ctx: Ctx, actor: Person): UploadRoom {
  let loose = 0;
  return {
    async take(bytes, blob) {
      const answer = await takeRoom(ctx, actor.userId, bytes, boundsOf(ctx), blob);
      if (answer === 'tooMany') throw new DomainError('request.tooMany');
      if (answer === 'taken') {
        loose += bytes;
        return;
      }
      await assertRoomFor(ctx, actor, bytes);
      // Another upload of the account took the room between the two statements, or gave it back.
      throw new DomainError('document.dailyLimitReached', { params: { megabytes: megabytes(ctx.config.maxDailyUploadBytes) } });
    },
    keep(bytes) {
      loose -= bytes;
    },
    giveBackTheRest: async () => {
      if (loose > 0) await releaseRoom(ctx, actor.userId, loose);
    },
  };
}
