import type { Ctx } from '../../context.ts';
import type { Locale } from '../../language/translator.ts';

export interface Invitation {
  id: string;
  companyId: string;
  email: string;
  invitedBy: string | null;
  langKey: Locale;
  createdAt: Date;
  expiresAt: Date;
  acceptedAt: Date | null;
  revokedAt: Date | null;
}

function selectInvitation(ctx: Ctx) {
  return ctx.db
    .selectFrom('company_invitation')
    .select(['id', 'company_id as companyId', 'email', 'invited_by as invitedBy', 'lang_key as langKey', 'created_at as createdAt'])
    .select(['expires_at as expiresAt', 'accepted_at as acceptedAt', 'revoked_at as revokedAt']);
}

/** Neither accepted nor withdrawn, newest first. */
export async function listOpenInvitations(ctx: Ctx, companyId: string): Promise<Invitation[]> {
  return selectInvitation(ctx)
    .where('company_id', '=', companyId)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('email')
    .execute();
}

/** By its id alone: for who administers the company. */
export async function findInvitation(ctx: Ctx, id: string): Promise<Invitation | undefined> {
  return selectInvitation(ctx).where('id', '=', id).executeTakeFirst();
}

/** With the key that was mailed, by its hash. */
export async function findMailedInvitation(ctx: Ctx, id: string, keyHash: string): Promise<Invitation | undefined> {
  return selectInvitation(ctx).where('id', '=', id).where('key_hash', '=', keyHash).executeTakeFirst();
}

/** An address has one open invitation into a company: another one takes its place, and its key. */
export async function upsertInvitation(
  tx: Ctx,
  given: { id: string; companyId: string; email: string; keyHash: string; invitedBy: string; langKey: Locale; expiresAt: Date },
): Promise<Invitation> {
  const renewed = { key_hash: given.keyHash, invited_by: given.invitedBy, created_at: tx.clock.now(), expires_at: given.expiresAt };
  const { id } = await tx.db
    .insertInto('company_invitation')
    .values({ id: given.id, company_id: given.companyId, email: given.email, lang_key: given.langKey, ...renewed })
    .onConflict((conflict) =>
      conflict
        .columns(['company_id', 'email'])
        .where('accepted_at', 'is', null)
        .where('revoked_at', 'is', null)
        .doUpdateSet({ ...renewed, lang_key: given.langKey }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return selectInvitation(tx).where('id', '=', id).executeTakeFirstOrThrow();
}

/** Once; false when it was accepted, withdrawn or replaced, or its time is over. */
export async function useInvitation(tx: Ctx, id: string, keyHash: string): Promise<boolean> {
  const now = tx.clock.now();
  const written = await tx.db
    .updateTable('company_invitation')
    .set({ accepted_at: now })
    .where('id', '=', id)
    .where('key_hash', '=', keyHash)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return Number(written.numUpdatedRows) === 1;
}

/** False when there is none that is open. */
export async function revokeInvitation(tx: Ctx, id: string): Promise<boolean> {
  const written = await tx.db
    .updateTable('company_invitation')
    .set({ revoked_at: tx.clock.now() })
    .where('id', '=', id)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return Number(written.numUpdatedRows) === 1;
}

/** Of people who never came, and of who did: what was said in mails that are long gone. */
export async function removeOldInvitations(ctx: Ctx, before: Date): Promise<void> {
  await ctx.db.deleteFrom('company_invitation').where('expires_at', '<', before).execute();
}
