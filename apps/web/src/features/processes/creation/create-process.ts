import {
  createSignatureProcess,
  createSigner,
  createStakeholder,
  hasPermission,
  sizeIsAllowed,
  startSignatureProcess,
  type UploadedDocument,
} from '@lavra/api';
import type { Rect } from '@lavra/domain';
import { ApiError, callApi } from '../../../lib/api-client.ts';
import { fileBoxes } from './draft-boxes.ts';
import { keptDeadlines } from './kept-deadlines.ts';
import { choiceKey, type FilePages, pageCopies } from './page-copies.ts';
import type { ProcessDraft, SignerDraft } from './process-draft.ts';
import { sendDocument } from './send-document.ts';
import { signingOrders } from './signing-order.ts';
import { readFilePages } from './use-file-look.ts';

interface Made {
  order: number;
  processId: string;
  /** As they were kept, in the order of the draft's files. */
  documents: readonly UploadedDocument[];
  pages: FilePages;
}

type Placement = { documentId: string; page: number; realSignature: boolean } & Rect;

/** `waiting`: an upload waits for the line. */
export type CreationStep = 'permission' | 'upload' | 'waiting' | 'process' | 'signers' | 'start';

/**
 * The creation sequence of section 4: permission check, upload documents, create process, create signers,
 * create stakeholders, start. Every step carries a key made from the draft's, so that pressing the button
 * again after a failure goes on instead of starting over. Stopped before its last step, nobody is called. Answers the process's id.
 */
export async function createProcess(chosen: ProcessDraft, tell: Tell, signal: AbortSignal): Promise<string> {
  const key = (step: string) => `${chosen.creationKey}:${step}`;
  const onStep: Tell = (step, part) => {
    signal.throwIfAborted();
    tell(step, part);
  };
  onStep('permission');
  if (!(await callApi(hasPermission, { query: { actionFlowWebType: 'CREATE_PROCESS' } }))) await hearWhyNot(chosen);
  await assertSizesAllowed(chosen);
  const documents = await sendFiles(chosen, key, onStep, signal);
  // The files may have been long on their way; a second try asks first, and begins anew where this changes something.
  const draft = { ...chosen, ...keptDeadlines(chosen, new Date()) };
  onStep('process');
  const created = await callApi(createSignatureProcess, {
    body: {
      title: draft.title.trim(),
      dueDate: draft.hasDeadline ? draft.deadline : null,
      reminderIn: draft.hasReminder ? draft.reminderDays : null,
      type: draft.modality === 'digital' ? 'DIGITAL_SIGNATURE' : 'ELETRONIC_SIGNATURE',
      files: documents.map(({ id, name }) => ({ id, name })),
      createdByFront: true,
      awaitsStart: true,
      langKey: draft.langKey,
      tellStakeholders: draft.tellStakeholders,
      geolocation: draft.geolocationOptional && draft.modality === 'electronic' ? 'optional' : 'required',
    },
    idempotencyKey: key('process'),
  });
  onStep('signers');
  const pages = await readFilePages(draft.files);
  const orders = signingOrders(draft.signers);
  for (const [index, signer] of draft.signers.entries()) {
    const order = orders[index] ?? index;
    await callApi(createSigner, {
      body: signerBody(draft, signer, { order, processId: created.id, documents, pages }),
      idempotencyKey: key(`signer-${signer.id}`),
    });
  }
  for (const party of draft.hasStakeholders ? draft.stakeholders : []) {
    await callApi(createStakeholder, {
      body: { ...party, signatureProcess: { id: created.id } },
      idempotencyKey: key(`stakeholder-${party.email}`),
    });
  }
  onStep('start');
  await callApi(startSignatureProcess, { params: { id: created.id }, idempotencyKey: key('start') });
  return created.id;
}

type Tell = (step: CreationStep, part?: number) => void;

async function sendFiles(
  draft: ProcessDraft,
  key: (step: string) => string,
  onStep: Tell,
  signal: AbortSignal,
): Promise<UploadedDocument[]> {
  let sent = 0;
  onStep('upload', sent);
  const documents: UploadedDocument[] = [];
  for (const [index, file] of draft.files.entries()) {
    signal.throwIfAborted();
    const uploaded = await sendDocument(file, {
      idempotencyKey: key(`document-${file.id}`),
      signal,
      onProgress(part) {
        sent = (index + part) / draft.files.length;
        onStep('upload', sent);
      },
      onWaiting: () => onStep('waiting', sent),
    });
    if (uploaded) documents.push(uploaded);
  }
  return documents;
}

/** Asked before a byte is sent: the company's bound may be another than when the files were chosen. @throws ApiError prepare.tooLarge */
async function assertSizesAllowed({ files }: ProcessDraft): Promise<void> {
  const [largest] = files.toSorted((one, other) => other.file.size - one.file.size);
  if (!largest || (await callApi(sizeIsAllowed, { params: { size: largest.file.size } }))) return;
  throw new ApiError(413, 'prepare.tooLarge', { name: largest.name });
}

/** What is sent of a signer. */
export function signerBody(draft: ProcessDraft, signer: SignerDraft, { order, processId, documents, pages }: Made) {
  return {
    signer: {
      name: signer.name,
      email: signer.email,
      phoneNumber: signer.phoneNumber,
      legalIdentifier: signer.cpf,
      companyIdentifier: signer.cnpj,
      order,
      quantity: signer.quantity,
      dueDate: draft.individual ? signer.dueDate : null,
      signatureProcess: { id: processId },
    },
    signatureVisibleActive: draft.visible,
    visibleSignature: draft.visible ? placementsOf(draft, signer, documents, pages) : [],
    modelId: draft.modality === 'digital' && draft.visible ? draft.modelId : null,
  };
}

/** What stands against it, a permission or the contract, only the call that creates says: it asks that first, and without a file it makes nothing. */
async function hearWhyNot({ title }: ProcessDraft): Promise<never> {
  await callApi(createSignatureProcess, { body: { title, dueDate: null, reminderIn: null, type: 'ELETRONIC_SIGNATURE', files: [] } });
  throw new ApiError(403, 'permission.createProcess');
}

function placementsOf(draft: ProcessDraft, signer: SignerDraft, documents: readonly UploadedDocument[], pages: FilePages): Placement[] {
  return draft.files.flatMap((file, fileIndex) => {
    const document = documents[fileIndex];
    if (!document) return [];
    // Its name besides would be sent a thousand times.
    const documentId = document.id;
    const real = draft.realSignature[choiceKey(signer.id, file.id)] ?? 0;
    const own = fileBoxes(draft, signer, file).flatMap(({ box: { page, rect }, repetition }) =>
      page === null || rect === null ? [] : [{ documentId, page, ...rect, realSignature: repetition === real }],
    );
    const copies = pageCopies(draft, signer, file, pages.get(file.id) ?? []);
    return [...own, ...copies.map(({ page, rect }) => ({ documentId, page, ...rect, realSignature: false }))];
  });
}
