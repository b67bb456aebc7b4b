import type { Ctx } from '../../context.ts';
import type { Letterhead } from '../../paper/letterhead.ts';
import { findCompany } from './companies.store.ts';
import { findLogo } from './logos.store.ts';
import { findMember } from './members.store.ts';

/** The company that an account belongs to since `by` or longer, as paper shows it; null: none. */
export async function findOwnCompany(ctx: Ctx, userId: string, by: Date): Promise<Letterhead | null> {
  const member = await findMember(ctx, userId);
  const company = member && member.joinedAt <= by ? await findCompany(ctx, member.companyId) : undefined;
  if (!company) return null;
  const { name, cnpj = null, brandColor: color = null, logo } = company;
  const picture = logo ? await findLogo(ctx, logo) : undefined;
  return { name, cnpj, color, logo: picture ? new Uint8Array(picture.image) : null };
}
