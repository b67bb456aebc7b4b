import type { Ctx } from '../../context.ts';

/** What was recorded of the acts of these signers, those that came to nothing too. */
export async function listActsOf(ctx: Ctx, signerIds: readonly string[]) {
  if (signerIds.length === 0) return [];
  return ctx.db
    .selectFrom('signature_evidence as e')
    .innerJoin('signing_attempt as a', 'a.id', 'e.attempt_id')
    .select(['e.signer_id as signerId', 'e.created_at as at', 'a.kind', 'a.state', 'e.name', 'e.cpf', 'e.ip', 'e.client_ip as clientIp'])
    .select(['e.user_agent as userAgent', 'e.latitude', 'e.longitude', 'e.accuracy', 'e.signature_style as signatureStyle'])
    .select(['e.image_hash as imageHash', 'e.image_content_type as imageContentType', 'e.removed_image_hash as removedImageHash'])
    .select(['e.consent_text as consentText', 'e.consent_hash as consentHash', 'e.certificate_fingerprint as certificateFingerprint'])
    .select(['e.cpf_confirmed_by as cpfConfirmedBy', 'e.cpf_assurance as cpfAssurance', 'e.cpf_confirmed_at as cpfConfirmedAt'])
    .where('e.signer_id', 'in', signerIds)
    .orderBy('e.created_at')
    .execute();
}

/** What was given for signatures that were never made; what is being made stays. */
export async function deleteFailedActs(tx: Ctx, signerIds: readonly string[]): Promise<void> {
  if (signerIds.length === 0) return;
  await tx.db
    .deleteFrom('signature_evidence')
    .where('signer_id', 'in', signerIds)
    .where(
      'attempt_id',
      'in',
      tx.db.selectFrom('signing_attempt').select('id').where('signer_id', 'in', signerIds).where('state', 'in', ['failed', 'expired']),
    )
    .execute();
}

/** Signers with an act that has not come to its end. */
export async function listActing(ctx: Ctx, signerIds: readonly string[]): Promise<string[]> {
  if (signerIds.length === 0) return [];
  const open = ctx.db.selectFrom('signing_attempt').select('signer_id as id').distinct().where('signer_id', 'in', signerIds);
  const rows = await open.where('state', 'in', ['authorizing', 'signing']).execute();
  return rows.map(({ id }) => id);
}
