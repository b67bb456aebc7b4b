import type { Ctx } from '../../context.ts';
import type { MailBrand } from '../../mail/layout.ts';
import { findCompany } from './companies.store.ts';
import { findMember } from './members.store.ts';

/** How the mails of an account look: as the company that it belongs to; undefined: as the product. */
export async function findBrand(ctx: Ctx, userId: string): Promise<MailBrand | undefined> {
  const member = await findMember(ctx, userId);
  return member && brandOf(ctx, member.companyId);
}

/** How the mails of a company's members look. */
export async function brandOf(ctx: Ctx, companyId: string): Promise<MailBrand | undefined> {
  const company = await findCompany(ctx, companyId);
  if (!company) return undefined;
  const { name, brandColor = null, accentColor = null, logo } = company;
  return { name, color: brandColor, accent: accentColor, logoUrl: logo && `${ctx.publicUrl}/api/company-logo/${logo}` };
}
