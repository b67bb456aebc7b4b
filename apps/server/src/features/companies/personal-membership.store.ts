import type { Ctx } from '../../context.ts';

export async function listInvitationsTo(ctx: Ctx, email: string) {
  return ctx.db
    .selectFrom('company_invitation')
    .select([
      'company_id as companyId',
      'created_at as createdAt',
      'expires_at as expiresAt',
      'accepted_at as acceptedAt',
      'revoked_at as revokedAt',
    ])
    .where('email', '=', email)
    .orderBy('created_at')
    .execute();
}

export async function deleteInvitationsTo(tx: Ctx, email: string): Promise<void> {
  await tx.db.deleteFrom('company_invitation').where('email', '=', email).execute();
}
