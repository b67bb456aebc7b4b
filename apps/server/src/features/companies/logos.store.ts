import type { Ctx } from '../../context.ts';

export interface Logo {
  hash: string;
  contentType: string;
  image: Buffer;
}

export async function putLogo(tx: Ctx, companyId: string, logo: Logo): Promise<void> {
  const row = { hash: logo.hash, content_type: logo.contentType, image: logo.image };
  await tx.db
    .insertInto('company_logo')
    .values({ company_id: companyId, ...row })
    .onConflict((conflict) => conflict.column('company_id').doUpdateSet(row))
    .execute();
}

export async function removeLogo(tx: Ctx, companyId: string): Promise<void> {
  await tx.db.deleteFrom('company_logo').where('company_id', '=', companyId).execute();
}

/** Of whichever company. */
export async function findLogo(ctx: Ctx, hash: string): Promise<Logo | undefined> {
  const logos = ctx.db.selectFrom('company_logo').select(['hash', 'content_type as contentType', 'image']);
  return logos.where('hash', '=', hash).limit(1).executeTakeFirst();
}
