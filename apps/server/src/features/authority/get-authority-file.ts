import { DomainError } from '@lavra/domain';
import type { Visitor } from '../../access/actor.ts';
import type { Ctx } from '../../context.ts';
import { type PublicAnswer, publicAnswer } from '../../public-answer.ts';
import { type AuthorityId, loadAuthority } from './authority.ts';
import { type CrlIssuer, currentRevocationList } from './revocation-list.ts';

const issuers = ['root', 'people', 'platform'];
const LIST_SECONDS = 60;
const CERTIFICATE_SECONDS = 86_400;

/** A certificate or list of the installation's authority, by its name: `people.crl`. @throws DomainError request.notFound */
export async function getAuthorityFile(ctx: Ctx, _actor: Visitor, name: string): Promise<{ answer: PublicAnswer; maxAgeSeconds: number }> {
  const [, id = '', kind] = /^(\w+)\.(cer|crl)$/.exec(name) ?? [];
  if (!issuers.includes(id)) throw new DomainError('request.notFound');
  if (kind === 'crl') return { answer: await currentRevocationList(ctx, id as CrlIssuer), maxAgeSeconds: LIST_SECONDS };
  const authority = await loadAuthority(ctx);
  return { answer: publicAnswer('application/pkix-cert', authority[id as AuthorityId].der), maxAgeSeconds: CERTIFICATE_SECONDS };
}
