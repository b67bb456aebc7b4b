import { assertMayAct, DomainError } from '@lavra/domain';
import type { Ctx } from '../../../context.ts';
import type { SignerLink } from '../../../access/actor.ts';
import { limitRate, limitRateByAddress } from '../../../access/limits.store.ts';
import { loadProcess } from '../../processes/load-process.ts';
import { findProcessOwner } from '../../processes/load-process.ts';
import { signLocalRequest } from './local-signer-request.ts';

/** "Choose a certificate for these documents", for LAVRA_SIGNER: what its window shows comes from here, not from the page. */
export async function requestLocalCertificate(
  ctx: Ctx,
  { signerId, from }: SignerLink,
  signatureProcessId: string,
): Promise<{ request: string }> {
  const { row, state, documents } = await loadProcess(ctx, signatureProcessId);
  assertMayAct(state, signerId, ctx.clock.now());
  if (row.modality !== 'digital') throw new DomainError('process.otherModality');
  await limitRate(ctx, 'local-request', signerId);
  await limitRateByAddress(ctx, 'local-request-address', from.ip);
  const owner = await findProcessOwner(ctx, row.id);
  return {
    request: signLocalRequest(ctx, {
      kind: 'certificate',
      title: row.title,
      creator: owner?.name ?? '',
      documents: documents.map(({ id, name, hash }) => ({ documentId: id, name, sha256: hash })),
    }),
  };
}
