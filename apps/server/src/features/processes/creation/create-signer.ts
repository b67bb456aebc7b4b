import { randomUUID } from 'node:crypto';
import {
  assertDeadlines,
  checkedSigner,
  defaultModels,
  DomainError,
  isOnPage,
  isQuantity,
  limits,
  type Placement,
  signerCountFault,
} from '@lavra/domain';
import type { Person } from '../../../access/actor.ts';
import type { Ctx } from '../../../context.ts';
import { getSignatureModel } from '../../signature-models/get-signature-model.ts';
import { MovedOn } from '../../../db/at-once.ts';
import type { HeldProcess } from '../load-process.ts';
import { continueHeld, readDraft } from './continue-draft.ts';
import { countPlacements, insertSigner } from './creation.store.ts';
import { listDocumentPages } from '../../documents/process-documents.ts';

/** A box as it is asked for: it names its document by id, which decides, or by file name, and is as large as the model where it does not say. */
type AskedPlacement = Omit<Placement, 'documentId' | 'width' | 'height'> & {
  [Field in 'documentId' | 'width' | 'height' | 'name']?: (Placement & { name: string })[Field] | undefined;
};

export interface NewSignerInput {
  signatureProcessId: string;
  name: string;
  email: string;
  phoneNumber: string | null;
  legalIdentifier: string | null;
  /** The CNPJ of the company that they represent; null: they sign for themselves. */
  companyIdentifier: string | null;
  order: number;
  dueDate: Date | null;
  quantity: number;
  visible: boolean;
  placements: readonly AskedPlacement[];
  /** A model of the owner's own; null: the default. */
  modelId: string | null;
}

/**
 * Adds a signer to a draft, with their boxes.
 * @throws DomainError text.invisible; signer.nameRequired, nameInvalid, nameUndrawable, nameCharacters, emailInvalid, phoneInvalid, quantityInvalid; evidence.cpfInvalid; company.cnpjInvalid; process.positionsMissing, positionOutsidePage, tooManyBoxes, tooManySigners, deadlineTooEarly, notDraft; model.notFound; request.invalid: a model in an electronic process
 */
export async function createSigner(ctx: Ctx, actor: Person, input: NewSignerInput) {
  const values = checkedSigner(input);
  if (!isQuantity(input.quantity))
    throw new DomainError('signer.quantityInvalid', { field: 'quantity', params: { max: limits.quantityMax } });
  // Whether it ascends is judged when all are there.
  assertDeadlines({ general: null, individual: [input.dueDate] }, null, ctx.clock.now());
  const added = await addAtOnce(ctx, actor, values, input);
  return (
    added ?? ctx.transaction(async (tx) => addSigner(tx, actor, await continueHeld(tx, actor, input.signatureProcessId), values, input))
  );
}

type Values = ReturnType<typeof checkedSigner>;

/** In one statement, on the draft as it was read; null, and nothing written, when it has been changed meanwhile. A model is held until the end of a transaction. */
async function addAtOnce(ctx: Ctx, actor: Person, values: Values, input: NewSignerInput) {
  if (input.modelId !== null) return null;
  try {
    return await addSigner(ctx, actor, await readDraft(ctx, actor, input.signatureProcessId), values, input);
  } catch (error) {
    if (error instanceof MovedOn) return null;
    throw error;
  }
}

async function addSigner(tx: Ctx, actor: Person, { signatureProcess: draft, version }: HeldProcess, values: Values, input: NewSignerInput) {
  const count = signerCountFault(draft.signers.length + 1);
  if (count) throw new DomainError(count.fault, { field: 'signers', params: count.params });
  await assertFewBoxes(tx, draft.id, input);
  if (input.modelId !== null && draft.modality !== 'digital') throw new DomainError('request.invalid', { field: 'modelId' });
  // What was agreed: later changes of the model do not reach it.
  const model = input.modelId === null ? null : await getSignatureModel(tx, actor, input.modelId);
  const size = model ?? defaultModels[draft.modality];
  const placements = input.visible ? await checkedPlacements(tx, draft.id, input.placements, size) : [];
  const signer = {
    ...values,
    id: randomUUID(),
    quantity: input.quantity,
    visible: input.visible,
    modelId: input.modelId,
    model,
    dueDate: input.dueDate,
  };
  await insertSigner(tx, { ...draft, version }, signer, placements);
  return { id: signer.id, name: signer.name, email: signer.email, order: signer.order, status: 'WAITING' as const };
}

async function assertFewBoxes(tx: Ctx, signatureProcessId: string, input: NewSignerInput): Promise<void> {
  const { boxesPerSignerMax: perSigner, boxesPerProcessMax: perProcess } = limits;
  const own = input.visible ? input.placements.length : 0;
  if (own <= perSigner && (own === 0 || (await countPlacements(tx, signatureProcessId)) + own <= perProcess)) return;
  throw new DomainError('process.tooManyBoxes', { field: 'visibleSignature', params: { perSigner, perProcess } });
}

/** Every document has at least one box, exactly one of them the signature itself, and all lie on their pages. */
async function checkedPlacements(
  tx: Ctx,
  signatureProcessId: string,
  asked: readonly AskedPlacement[],
  size: Pick<Placement, 'width' | 'height'>,
): Promise<Placement[]> {
  const documents = await listDocumentPages(tx, signatureProcessId);
  const placements = asked.map((one): Placement => {
    const document = documents.find(({ id, name }) => (one.documentId === undefined ? name === one.name : id === one.documentId));
    const page = document?.pages[one.page - 1];
    if (!document || !page) throw new DomainError('process.positionOutsidePage', { field: 'visibleSignature' });
    // A box stands in the page's own axes, a model in the reader's.
    const [width, height] = page.rotate % 180 === 0 ? [size.width, size.height] : [size.height, size.width];
    const { page: number, x, y, realSignature } = one;
    const placement = {
      documentId: document.id,
      page: number,
      x,
      y,
      width: one.width ?? width,
      height: one.height ?? height,
      realSignature,
    };
    if (!isOnPage(placement, page)) throw new DomainError('process.positionOutsidePage', { field: 'visibleSignature' });
    return placement;
  });
  return documents.flatMap((document) => {
    const boxes = placements.filter(({ documentId }) => documentId === document.id);
    if (boxes.length === 0) throw new DomainError('process.positionsMissing', { field: 'visibleSignature' });
    const real = Math.max(
      0,
      boxes.findIndex(({ realSignature }) => realSignature),
    );
    return boxes.map((box, index) => ({ ...box, realSignature: index === real }));
  });
}
