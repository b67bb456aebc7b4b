import type { Ctx } from '../../context.ts';
import { findCompany } from './companies.store.ts';
import { findLogoOf } from './logos.store.ts';
import { findMember } from './members.store.ts';

/** How a company looks to whom its people write. Its name and CNPJ are what it says of itself. */
export interface Brand {
  name: string;
  cnpj: string | null;
  /** `#rrggbb`; null: the product's own. */
  color: string | null;
  accent: string | null;
  /** SHA-256 of the picture. */
  logo: string | null;
}

/** Of the company that an account belongs to; null: none. */
export async function findBrand(ctx: Ctx, userId: string): Promise<Brand | null> {
  const member = await findMember(ctx, userId);
  const company = member && (await findCompany(ctx, member.companyId));
  if (!company) return null;
  const { name, cnpj = null, brandColor, accentColor, logo } = company;
  return { name, cnpj, color: brandColor ?? null, accent: accentColor ?? null, logo };
}

/** The picture itself, for what is drawn; null: none. */
export async function findBrandPicture(ctx: Ctx, userId: string): Promise<Uint8Array | null> {
  const member = await findMember(ctx, userId);
  return (member && (await findLogoOf(ctx, member.companyId)))?.image ?? null;
}
