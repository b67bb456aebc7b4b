import { DomainError } from '@lavra/domain';
import type { Visitor } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { type PublicAnswer, publicAnswer } from '../../public-answer.ts';
import { findLogo } from './logos.store.ts';

/** A company's picture, for the mails that show it. @throws DomainError request.notFound */
export async function getLogo(ctx: Ctx, _actor: Visitor, hash: string): Promise<PublicAnswer> {
  const logo = await findLogo(ctx, hash);
  if (!logo) throw new DomainError('request.notFound');
  return publicAnswer(logo.contentType, logo.image);
}
