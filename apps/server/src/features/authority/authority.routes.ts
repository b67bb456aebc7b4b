import { DomainError } from '@lavra/domain';
import type { Routes } from '../../http/app.ts';
import { publicAnswer, sendPublic } from '../../http/public-answer.ts';
import { type AuthorityId, loadAuthority } from './authority.ts';
import { type CrlIssuer, currentRevocationList } from './revocation-list.ts';

const issuers = ['root', 'people', 'platform'];

/** The installation's certificates and CRLs, for validators: the addresses stand in every certificate it issues. */
export const authorityRoutes: Routes = (app, ctx) => {
  app.get<{ Params: { file: string } }>('/pki/:file', async (request, reply) => {
    const [, id = '', kind] = /^(\w+)\.(cer|crl)$/.exec(request.params.file) ?? [];
    if (!issuers.includes(id)) throw new DomainError('request.notFound');
    if (kind === 'crl') {
      return sendPublic(request, reply, await currentRevocationList(ctx, id as CrlIssuer), 60);
    }
    const authority = await loadAuthority(ctx);
    return sendPublic(request, reply, publicAnswer('application/pkix-cert', authority[id as AuthorityId].der), 86_400);
  });
};
