import type * as api from '@lavra/api';
import { defaultModels, type SignatureModel } from '@lavra/domain';
import type { Person } from '../../../access/actor.ts';
import type { Ctx } from '../../../context.ts';
import { findSigning, signedFile } from './records.store.ts';

type Process = api.EntityItem<typeof api.signatureProcesses>;

/** One process with its signers and signatures: as much of them as `getSubData` tells, and telephones, CPFs and ids to its maker alone. */
export async function withSignatures(ctx: Ctx, actor: Person, item: Process): Promise<api.Reply<typeof api.getSignatureProcess>> {
  const { signers, signatures } = await findSigning(ctx, item.id);
  const isOwner = item.applicationUser.id === actor.userId;
  const own = <T>(value: T) => (isOwner ? value : null);
  const bySigner = new Map(signers.map((signer) => [signer.id, signer]));
  const byDocument = new Map(item.files.map(({ id, name }) => [id, name]));
  return {
    ...item,
    signers: signers.map(({ visible: _visible, model: _model, ...signer }) => ({
      ...signer,
      id: own(signer.id),
      phoneNumber: own(signer.phoneNumber),
      legalIdentifier: own(signer.legalIdentifier),
    })),
    signatures: signatures.map(({ signerId, documentId, ...signature }) => {
      const signer = bySigner.get(signerId);
      return {
        ...signature,
        id: own(signature.id),
        signer: { id: own(signerId), name: signer?.name ?? '' },
        document: { id: documentId, name: byDocument.get(documentId) ?? null },
        visualSignature: signer?.visible ? { signatureModel: { imagePosition: imagePositionOf(signer.model, item) } } : null,
        ...signedFile(item, documentId),
      };
    }),
  };
}

/** As it was agreed with the signer, or as it is drawn without a model. */
function imagePositionOf(model: SignatureModel | null, { type }: Process): SignatureModel['imagePosition'] {
  return (model ?? defaultModels[type === 'DIGITAL_SIGNATURE' ? 'digital' : 'electronic']).imagePosition;
}
