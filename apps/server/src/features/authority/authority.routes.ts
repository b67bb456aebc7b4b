import { DomainError } from '@lavra/domain';
import type { Routes } from '../../http/app.ts';
import { type AuthorityId, loadAuthority } from './authority.ts';
import { type CrlIssuer, makeRevocationList } from './revocation-list.ts';

const issuers = ['root', 'people', 'platform'];

/** The installation's certificates and CRLs, for validators: the addresses stand in every certificate it issues. */
export const authorityRoutes: Routes = (app, ctx) => {
  app.get<{ Params: { file: string } }>('/pki/:file', async (request, reply) => {
    const [, id = '', kind] = /^(\w+)\.(cer|crl)$/.exec(request.params.file) ?? [];
    if (!issuers.includes(id)) throw new DomainError('request.notFound');
    if (kind === 'crl') {
      return reply
        .type('application/pkix-crl')
        .header('cache-control', 'public, max-age=300')
        .send(Buffer.from(await makeRevocationList(ctx, id as CrlIssuer)));
    }
    const authority = await loadAuthority(ctx);
    return reply
      .type('application/pkix-cert')
      .header('cache-control', 'public, max-age=86400')
      .send(Buffer.from(authority[id as AuthorityId].der));
  });
};
