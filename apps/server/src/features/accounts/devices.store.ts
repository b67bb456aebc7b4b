import { randomUUID } from 'node:crypto';
import type { Ctx } from '../../context.ts';
import { revokeSessionsOfDevice } from '../../access/sessions.store.ts';
import type { DeviceClaim } from '../../access/device-claim.ts';

/** A tab that asked at the same moment, or whose answer was lost, still shows the generation before. */
const GRACE_SECONDS = 120;
const KNOWN_DAYS = 180;
const NOBODY = '00000000-0000-0000-0000-000000000000';

export type DeviceStanding = 'good' | 'reused' | 'unknown';

/**
 * Reuse detection (RFC 9700 §4.14.2): what a claim is worth, `reused` when its generation was renewed longer ago than any tab
 * could have missed, which is what a stolen one looks like. Locks the device until the transaction ends.
 */
export async function judgeDevice(tx: Ctx, claim: DeviceClaim | null): Promise<{ standing: DeviceStanding; generation: number }> {
  const device = claim
    ? await tx.db.selectFrom('device').selectAll().where('id', '=', claim.id).where('revoked_at', 'is', null).forUpdate().executeTakeFirst()
    : undefined;
  if (!claim || !device) return { standing: 'unknown', generation: 0 };
  const { generation } = device;
  const renewedFor = (tx.clock.now().getTime() - device.rotated_at.getTime()) / 1000;
  const good = claim.generation === generation || (claim.generation === generation - 1 && renewedFor <= GRACE_SECONDS);
  return { standing: good ? 'good' : 'reused', generation };
}

/** The id of a device that is what it says it is; null otherwise. Changes nothing. */
export async function provenDevice(ctx: Ctx, claim: DeviceClaim | null): Promise<string | null> {
  if (!claim) return null;
  return (await judgeDevice(ctx, claim)).standing === 'good' ? claim.id : null;
}

/** The browser's device with its present generation; a new one where it shows none that is good. */
export async function ensureDevice(tx: Ctx, claim: DeviceClaim | null): Promise<DeviceClaim> {
  const { standing, generation } = await judgeDevice(tx, claim);
  if (claim && standing === 'good') return { id: claim.id, generation };
  const device = { id: randomUUID(), generation: 1 };
  await tx.db
    .insertInto('device')
    .values({ ...device, rotated_at: tx.clock.now(), created_at: tx.clock.now() })
    .execute();
  return device;
}

/** A new generation, unless another tab has just made it. The claim must be good and the device locked. */
export async function renewDevice(tx: Ctx, claim: DeviceClaim, generation: number): Promise<DeviceClaim> {
  if (claim.generation !== generation) return { id: claim.id, generation };
  await tx.db
    .updateTable('device')
    .set({ generation: generation + 1, rotated_at: tx.clock.now() })
    .where('id', '=', claim.id)
    .execute();
  return { id: claim.id, generation: generation + 1 };
}

/** Nobody is believed to hold it any more. */
export async function revokeDevice(tx: Ctx, id: string): Promise<void> {
  await tx.db.updateTable('device').set({ revoked_at: tx.clock.now() }).where('id', '=', id).execute();
  await tx.db.deleteFrom('known_device').where('device_id', '=', id).execute();
  await revokeSessionsOfDevice(tx, id);
}

/** The account signed in here. */
export async function rememberDevice(tx: Ctx, id: string, userId: string): Promise<void> {
  await tx.db
    .insertInto('known_device')
    .values({ device_id: id, user_id: userId, last_seen_at: tx.clock.now() })
    .onConflict((conflict) => conflict.columns(['device_id', 'user_id']).doUpdateSet({ last_seen_at: tx.clock.now() }))
    .execute();
}

/** Asks also where there is no such account: an unknown e-mail must cost the same. */
export async function isKnownDevice(ctx: Ctx, id: string | null, userId: string | undefined): Promise<boolean> {
  if (id === null) return false;
  const since = new Date(ctx.clock.now().getTime() - KNOWN_DAYS * 86_400_000);
  const found = await ctx.db
    .selectFrom('known_device')
    .select('device_id')
    .where('device_id', '=', id)
    .where('user_id', '=', userId ?? NOBODY)
    .where('last_seen_at', '>', since)
    .executeTakeFirst();
  return found !== undefined;
}

/** After a new password a device proves nothing for this account, except the one that set it. */
export async function forgetDevices(tx: Ctx, userId: string, exceptId: string | null): Promise<void> {
  let query = tx.db.deleteFrom('known_device').where('user_id', '=', userId);
  if (exceptId) query = query.where('device_id', '!=', exceptId);
  await query.execute();
}

/** One device proves nothing for this account any more. */
export async function forgetDevice(tx: Ctx, userId: string, id: string): Promise<void> {
  await tx.db.deleteFrom('known_device').where('user_id', '=', userId).where('device_id', '=', id).execute();
}

/** Accounts that have not signed in on a device since then need more than the password there. */
export async function forgetOldDevices(ctx: Ctx, before: Date): Promise<void> {
  await ctx.db.deleteFrom('known_device').where('last_seen_at', '<', before).execute();
}

/** Browsers that no account signed in with. */
export async function removeStrangeDevices(ctx: Ctx, before: Date): Promise<void> {
  await ctx.db
    .deleteFrom('device')
    .where('rotated_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('known_device').select('device_id').whereRef('known_device.device_id', '=', 'device.id'))),
    )
    .execute();
}
