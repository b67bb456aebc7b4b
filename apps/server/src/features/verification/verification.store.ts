import type { Ctx } from '../../context.ts';

/** The process of a started document, when this e-mail is one of its signers'. */
export async function findVerifiable(ctx: Ctx, documentId: string, signerEmail: string): Promise<string | undefined> {
  const row = await ctx.db
    .selectFrom('document')
    .innerJoin('signature_process', 'signature_process.id', 'document.signature_process_id')
    .innerJoin('signer', 'signer.signature_process_id', 'signature_process.id')
    .select('signature_process.id')
    .where('document.id', '=', documentId)
    .where('signature_process.status', '!=', 'DRAFT')
    .where('signer.email', '=', signerEmail)
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

export async function findDocumentProcess(ctx: Ctx, documentId: string): Promise<string | undefined> {
  const row = await ctx.db.selectFrom('document').select('signature_process_id').where('id', '=', documentId).executeTakeFirst();
  return row?.signature_process_id ?? undefined;
}
