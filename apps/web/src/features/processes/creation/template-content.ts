import type { getProcessTemplate, Reply } from '@lavra/api';
import { limits } from '@lavra/domain';
import { boxKey } from './draft-boxes.ts';
import type { DraftBox, ProcessDraft } from './process-draft.ts';

export type ProcessTemplate = Reply<typeof getProcessTemplate>;

/** What of the template the draft has; `files` are the draft's, in the template's order. */
export function templateContent(template: ProcessTemplate, { files }: Pick<ProcessDraft, 'files'>): Partial<ProcessDraft> {
  const boxes: Record<string, DraftBox> = {};
  const realSignature: Record<string, number> = {};
  const signers = template.signers.map((signer, position) => {
    const id = crypto.randomUUID();
    const counts = template.documents.map((document, index) => {
      const file = files[index];
      const own = signer.boxes.filter(({ documentId }) => documentId === document.id);
      if (!file) return 0;
      own.forEach(({ page, x, y, width, height, realSignature: isReal }, repetition) => {
        boxes[boxKey(id, file.id, repetition)] = { state: 'ready', page, rect: { x, y, width, height } };
        if (isReal) realSignature[`${id}/${file.id}`] = repetition;
      });
      return own.length;
    });
    const withPrevious = position > 0 && template.signers[position - 1]?.order === signer.order;
    const { name, email, phoneNumber, legalIdentifier: cpf, companyIdentifier: cnpj } = signer;
    return { id, name, email, phoneNumber, cpf, cnpj, quantity: Math.max(1, ...counts), dueDate: null, withPrevious };
  });
  return {
    title: template.title,
    files: files.map((file, index) => {
      const openedFrom = template.documents[index]?.openedFrom ?? null;
      return openedFrom === null ? file : { ...file, openedFrom };
    }),
    signers,
    stakeholders: template.stakeholders,
    tellStakeholders: template.tellStakeholders,
    hasStakeholders: template.stakeholders.length > 0,
    multiple: signers.some(({ quantity }) => quantity > 1),
    hasReminder: template.reminderIn !== null,
    reminderDays: template.reminderIn ?? limits.reminderDays[0],
    modality: template.type === 'DIGITAL_SIGNATURE' ? 'digital' : 'electronic',
    visible: template.signers.some(({ visible }) => visible),
    langKey: template.langKey,
    geolocationOptional: template.geolocation === 'optional',
    boxes,
    realSignature,
  };
}
