import {
  type Account,
  createSignatureProcess,
  createSigner,
  getCurrentLinkSignature,
  getSubDataProcess,
  startSignatureProcess,
  type UploadedDocument,
  uploadDocuments,
} from '@lavra/api';
import { keepNameCharacters, limits } from '@lavra/domain';
import { callApi } from '../../../lib/api-client.ts';
import { uploadFile } from '../../../lib/upload-file.ts';
import en from './example/en.pdf?url';
import es from './example/es.pdf?url';
import ptBr from './example/pt-br.pdf?url';

const LOOK_AGAIN_MS = 500;
/** Preparing one page takes a second or two, on a busy machine some more. */
const LOOKS = 60;

const drawn = { 'pt-br': ptBr, en, es };

/** Where the drawn page has its frame (`scripts/draw-example.ts`), in points from the lower left corner. */
const frame = { page: 1, x: 72, y: 150, width: 150, height: 75 };

/**
 * A real process over the example document that its creator signs, and the address where: made by the calls that every process is made
 * by. `key`: of one wish to try; tried again after a failure it goes on and makes no second one.
 */
export async function beginExample({ firstName, lastName, email, langKey }: Account, title: string, key: string): Promise<string> {
  const bytes = await (await fetch(drawn[langKey])).blob();
  const file = new File([bytes], `${title}.pdf`, { type: 'application/pdf' });
  const [document] = await uploadFile<UploadedDocument[]>(uploadDocuments, file, {
    idempotencyKey: `${key}:document`,
    onProgress: () => {},
  });
  if (!document) throw new Error('the example was not kept');
  const { id, name } = document;
  const process = await callApi(createSignatureProcess, {
    body: {
      title,
      dueDate: null,
      reminderIn: null,
      type: 'ELETRONIC_SIGNATURE',
      files: [{ id, name }],
      createdByFront: true,
      awaitsStart: true,
      // Whoever tries is not asked for their place first.
      geolocation: 'optional',
    },
    idempotencyKey: `${key}:process`,
  });
  await callApi(createSigner, {
    body: {
      signer: {
        // What of an account's name a signer may have; whoever signs writes theirs anyway.
        name: keepNameCharacters(`${firstName} ${lastName}`).trim().slice(0, limits.nameMax).trim(),
        email,
        legalIdentifier: null,
        companyIdentifier: null,
        order: 0,
        quantity: 1,
        dueDate: null,
        signatureProcess: { id: process.id },
      },
      signatureVisibleActive: true,
      visibleSignature: [{ documentId: id, ...frame, realSignature: true }],
      modelId: null,
    },
    idempotencyKey: `${key}:signer`,
  });
  await callApi(startSignatureProcess, { params: { id: process.id }, idempotencyKey: `${key}:start` });
  return signingAddress(process.id);
}

/** Where its creator signs, as soon as the document is prepared; where that takes longer, the page that shows how far it is. */
async function signingAddress(processId: string): Promise<string> {
  for (let look = 0; look < LOOKS; look += 1) {
    const { signers } = await callApi(getSubDataProcess, { params: { processId } });
    if (signers.some(({ can }) => can.sign)) return (await callApi(getCurrentLinkSignature, { params: { processId }, query: {} })).link;
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
  return `/signature/process/${processId}`;
}
