import type { Ctx } from '../../../context.ts';
import type { SignerLink } from '../../../access/actor.ts';
import { limitRate, limitRateByAddress } from '../../../access/limits.store.ts';
import { ownerOf } from '../../processes/load-process.ts';
import { admitSigner } from '../admit-signer.ts';
import { signLocalRequest } from './local-signer-request.ts';

/** "Choose a certificate for these documents", for LAVRA_SIGNER: what its window shows comes from here, not from the page. */
export async function requestLocalCertificate(ctx: Ctx, actor: SignerLink, signatureProcessId: string): Promise<{ request: string }> {
  const { signatureProcess } = await admitSigner(ctx, actor, { signatureProcessId, modality: 'digital' });
  await limitRate(ctx, 'local-request', actor.signerId);
  await limitRateByAddress(ctx, 'local-request-address', actor.from.ip);
  const owner = ownerOf(signatureProcess);
  return {
    request: signLocalRequest(ctx, {
      kind: 'certificate',
      title: signatureProcess.title,
      creator: owner?.name ?? '',
      documents: signatureProcess.documents.map(({ id, name, hash }) => ({ documentId: id, name, sha256: hash })),
    }),
  };
}
