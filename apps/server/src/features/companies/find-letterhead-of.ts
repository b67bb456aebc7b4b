import type { Ctx } from '../../context.ts';
import type { Letterhead } from '../../paper/letterhead.ts';
import { findCompany } from './companies.store.ts';
import { findLogo } from './logos.store.ts';
import { membershipJson } from './members.store.ts';

/** Where an account belongs, as SQL, for a statement that reads more on its way. */
export const companyParts = { membership: membershipJson };

/** A company as paper shows it; null: there is none any more. */
export async function findLetterheadOf(ctx: Ctx, companyId: string): Promise<Letterhead | null> {
  const company = await findCompany(ctx, companyId);
  if (!company) return null;
  const { name, cnpj = null, brandColor: color = null, logo } = company;
  const picture = logo ? await findLogo(ctx, logo) : undefined;
  return { name, cnpj, color, logo: picture ? new Uint8Array(picture.image) : null };
}
