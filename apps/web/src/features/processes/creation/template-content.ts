import type { getProcessTemplate, Reply } from '@lavra/api';
import { clampToPage, defaultModels, limits, nearestQuantity, type PageGeometry, type Rect, toDisplay, toUserSpace } from '@lavra/domain';
import type { BoxPlace } from '../../../pdf/placement.ts';
import { boxKey } from './draft-boxes.ts';
import { choiceKey, copiesOf, type FilePages } from './page-copies.ts';
import type { DraftBox, ProcessDraft } from './process-draft.ts';

export type ProcessTemplate = Reply<typeof getProcessTemplate>;
type TemplateSigner = ProcessTemplate['signers'][number];
type TemplateBox = TemplateSigner['boxes'][number];

/** `files` are the draft's, in the template's order. */
interface Fresh extends Pick<ProcessDraft, 'files'> {
  filePages: FilePages;
}

/** What of the template the draft has. */
export function templateContent(template: ProcessTemplate, { files, filePages }: Fresh): Partial<ProcessDraft> {
  const modality = template.type === 'DIGITAL_SIGNATURE' ? 'digital' : 'electronic';
  const model = template.signers.find((signer) => signer.model)?.model ?? null;
  const places: Places = { boxes: {}, realSignature: {}, everyPage: {} };
  const signers = template.signers.map((signer, position) => {
    const id = crypto.randomUUID();
    const counts = template.documents.map((document, index) => {
      const file = files[index];
      if (!file) return 0;
      const pages = filePages.get(file.id) ?? [];
      const own = signer.boxes.filter(({ documentId }) => documentId === document.id);
      return restore(places, id, file.id, { own, quantity: signer.quantity, pages, size: model ?? defaultModels[modality] });
    });
    const withPrevious = position > 0 && template.signers[position - 1]?.order === signer.order;
    const quantity = signer.visible ? Math.max(1, ...counts) : signer.quantity;
    const { name, email, phoneNumber, legalIdentifier: cpf, companyIdentifier: cnpj } = signer;
    return { id, name, email, phoneNumber, cpf, cnpj, quantity, dueDate: null, withPrevious };
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
    modality,
    visible: template.signers.some(({ visible }) => visible),
    modelId: model?.id ?? null,
    langKey: template.langKey,
    geolocationOptional: template.geolocation === 'optional',
    ...places,
  };
}

type Places = Pick<ProcessDraft, 'boxes' | 'realSignature' | 'everyPage'>;

interface Stored {
  own: readonly TemplateBox[];
  quantity: number;
  pages: readonly PageGeometry[];
  /** Of the model: a draft's boxes are as large. */
  size: { width: number; height: number };
}

/** A signer's places in one document, put into the draft's; answers how many boxes they are. */
function restore(places: Places, signerId: string, fileId: string, { own, quantity, pages, size }: Stored): number {
  // They are stored in no order.
  const boxes = own.toSorted((one, other) => Number(other.realSignature) - Number(one.realSignature) || one.page - other.page);
  const copied = own.length > quantity ? withoutCopies(boxes, pages) : null;
  const kept = (copied ?? boxes).slice(0, limits.quantityMax);
  kept.forEach(({ page, x, y, width, height, realSignature }, repetition) => {
    const rect = sized({ x, y, width, height }, size, pages[page - 1]);
    places.boxes[boxKey(signerId, fileId, repetition)] = { state: 'ready', page, rect } satisfies DraftBox;
    if (realSignature) places.realSignature[choiceKey(signerId, fileId)] = repetition;
  });
  if (copied) places.everyPage[choiceKey(signerId, fileId)] = true;
  return nearestQuantity(kept.length);
}

/** Where one of the boxes stands on every page, that one and the others that are no copies of it; else null. */
function withoutCopies(boxes: readonly TemplateBox[], pages: readonly PageGeometry[]): TemplateBox[] | null {
  for (const first of boxes) {
    const { page, x, y, width, height } = first;
    const copies = new Set<TemplateBox>();
    const places = copiesOf({ page, rect: { x, y, width, height } }, pages);
    const isOnAll = places.every((place) => {
      const copy = boxes.find((box) => !box.realSignature && standsAt(box, place));
      return copy && copies.add(copy);
    });
    if (isOnAll && places.length > 0) return [first, ...boxes.filter((box) => box !== first && !copies.has(box))];
  }
  return null;
}

/** Points: what rounding leaves. */
const SLACK = 0.1;

function standsAt(box: TemplateBox, { page, rect }: BoxPlace): boolean {
  return box.page === page && (['x', 'y', 'width', 'height'] as const).every((side) => Math.abs(box[side] - rect[side]) < SLACK);
}

/** As large as the model, from the same upper left corner as its reader sees it. */
function sized(rect: Rect, { width, height }: Stored['size'], page: PageGeometry | undefined): Rect {
  if (!page) return rect;
  const shown = toDisplay(rect, page);
  if (Math.abs(shown.width - width) < SLACK && Math.abs(shown.height - height) < SLACK) return rect;
  return toUserSpace(clampToPage({ ...shown, width, height }, page), page);
}
