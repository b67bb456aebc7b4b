import type { getProcessTemplate as call, Reply } from '@lavra/api';
import { canRepeat, DomainError } from '@lavra/domain';
import type { Person } from '../../../access/actor.ts';
import type { Ctx } from '../../../context.ts';
import { readModels } from '../../signature-models/personal-models.ts';
import { listProcessPlacements } from '../load-process.ts';
import { loadOwnProcess } from './participation.ts';

/**
 * What an ended process of the actor's own was made of, so that it can be begun again. Its files are read as any other of theirs.
 * @throws DomainError process.notFound: also for one that is not theirs; process.notRepeatable: it runs, or everybody signed it
 */
export async function getProcessTemplate(ctx: Ctx, actor: Person, id: string): Promise<Reply<typeof call>> {
  const loaded = await loadOwnProcess(ctx, actor, id);
  if (!loaded.isOwner) throw new DomainError('process.notFound');
  if (!canRepeat({ ...loaded, currentIsOwner: true })) throw new DomainError('process.notRepeatable');
  const placements = await listProcessPlacements(ctx, loaded);
  const models = loaded.signers.some(({ modelId }) => modelId !== null) ? await readModels(ctx, actor.userId) : [];
  const modelOf = (modelId: string | null) => {
    const model = models.find((one) => one.id === modelId);
    return model ? { id: model.id, width: model.width, height: model.height } : null;
  };
  return {
    title: loaded.title,
    type: loaded.modality === 'digital' ? 'DIGITAL_SIGNATURE' : 'ELETRONIC_SIGNATURE',
    reminderIn: loaded.reminderIn,
    geolocation: loaded.geolocation,
    langKey: loaded.langKey,
    documents: loaded.documents.map(({ id: documentId, name, openedFrom }) => ({ id: documentId, name, openedFrom })),
    signers: loaded.signers.map(({ id: signerId, name, email, phoneNumber, cpf, cnpj, order, quantity, visible, modelId }) => ({
      name,
      email,
      phoneNumber,
      legalIdentifier: cpf,
      companyIdentifier: cnpj,
      order,
      quantity,
      visible,
      model: modelOf(modelId),
      boxes: placements
        .filter((box) => box.signerId === signerId)
        .map(({ documentId, page, x, y, width, height, realSignature }) => ({ documentId, page, x, y, width, height, realSignature })),
    })),
    stakeholders: [...loaded.stakeholders],
    tellStakeholders: loaded.tellStakeholders,
  };
}
