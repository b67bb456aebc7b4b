import * as z from 'zod/mini';
import { defineCall, pictureBodyBytes } from './call.ts';
import { modelFields } from './signature-models.ts';
import { processStatus, signatureKind, signerStatus } from './processes.ts';

const processParams = z.object({ processId: z.string() });

/** With `user` (the key of a signer's link, a capability) everything that signer may see; without it titles, masked names and status. */
export const getRequisitionInformation = defineCall({
  method: 'GET',
  mayBeUnchanged: true,
  path: 'api/requisitionInformation/:processId',
  access: { link: 'query.user', or: 'anyone', beforeCode: true },
  limits: ['requisition'],
  params: processParams,
  query: z.object({ user: z.optional(z.string()) }),
  reply: z.object({
    title: z.string(),
    status: processStatus,
    type: signatureKind,
    creatorName: z.string(),
    dueDate: z.nullable(z.string()),
    geolocation: z.enum(['required', 'optional']),
    /** Ours: public services that the browser asks for its own address when it signs electronically; empty unless configured. */
    ipLookupUrls: z.array(z.string()),
    signers: z.array(
      z.object({
        order: z.number(),
        name: z.string(),
        email: z.string(),
        phoneNumber: z.nullable(z.string()),
        /** Ours: the CNPJ of the company that they sign for; for who holds a link. */
        companyIdentifier: z.nullable(z.string()),
        status: signerStatus,
        dueDate: z.nullable(z.string()),
        /** This row is the holder of the link. */
        isCurrent: z.boolean(),
      }),
    ),
    documents: z.array(
      z.object({ id: z.string(), name: z.string(), size: z.number(), pageCount: z.number(), priorSignatures: z.number() }),
    ),
    /** Ours: when the process ended, and through whom, where people ended it: the sender, who refused, or whose own deadline passed. */
    endedAt: z.nullable(z.string()),
    endedBy: z.nullable(z.string()),
    /** Ours: the link was handed over by the sender and asks for a code, which goes to this masked address, in this language; null: it asks for none. */
    code: z.nullable(z.object({ email: z.string(), langKey: z.enum(['pt-br', 'en', 'es']) })),
    /** Ours: the process ended without success so long ago that the link no longer opens its documents. */
    documentsWithdrawn: z.boolean(),
    /** Ours: when its documents were removed, because they are kept no longer. */
    filesRemovedDate: z.nullable(z.string()),
    /** Null without a valid `user`. */
    me: z.nullable(
      z.object({
        id: z.string(),
        name: z.string(),
        email: z.string(),
        status: signerStatus,
        /** Ours: when they signed; null before. */
        signedDate: z.nullable(z.string()),
        /** Ours: what they may do now, by the domain's permissions; whoever may sign may refuse to. */
        can: z.object({ sign: z.boolean() }),
        /** Error code of why not (signer.notYourTurn, signer.deadlinePassed …); null when nothing is against it. */
        reason: z.nullable(z.string()),
        /** Name of whose turn it is, when it is somebody else's. */
        turnOf: z.nullable(z.string()),
        langKey: z.enum(['pt-br', 'en', 'es']),
        /** Size in points of the box in which the signature image will be shown; null when invisible. */
        box: z.nullable(z.object({ width: z.number(), height: z.number() })),
        /** Ours: where their signature will stand, in points of the page's user space, and how it is drawn there. */
        places: z.array(
          z.object({
            documentId: z.string(),
            page: z.number(),
            rect: z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }),
          }),
        ),
        model: z.object(modelFields),
      }),
    ),
    /** The sentence the signer agrees to, and its SHA-256 (hex) which is sent back with the signature. */
    consent: z.object({ text: z.string(), hash: z.string() }),
  }),
});

/** Ours: the signer opened the documents (an event of the evidence). Acts once. */
export const registerOpened = defineCall({
  method: 'POST',
  path: 'api/signers/:signerId/opened',
  access: { link: 'params.signerId' },
  params: z.object({ signerId: z.string() }),
  kind: 'empty',
});

/** Ours: the language in which a signer reads on: the page, what they agree to, and the mails that they still get. */
export const setSignerLanguage = defineCall({
  method: 'POST',
  path: 'api/signers/:signerId/language',
  access: { link: 'params.signerId' },
  params: z.object({ signerId: z.string() }),
  body: z.object({ langKey: z.enum(['pt-br', 'en', 'es']) }),
  kind: 'empty',
});

/**
 * Ours: whether a CPF is the one that the sender named for this signer, told before they choose how to sign. Where none was named
 * any is. Nothing is kept of it, and the act itself asks again.
 */
export const checkSignerCpf = defineCall({
  method: 'POST',
  path: 'api/signers/:signerId/cpf',
  access: { link: 'params.signerId' },
  limits: ['signer-cpf', 'sign-address'],
  params: z.object({ signerId: z.string() }),
  body: z.object({ processId: z.string(), cpf: z.string() }),
  kind: 'empty',
});

/**
 * Ours: a QR code that lets a telephone draw the signature that this computer waits for. `address` has a key that can do nothing but
 * deliver one drawing, once, within ten minutes; `code` is a picture of it (data:). A new one takes the place of the one before.
 */
export const awaitDrawing = defineCall({
  method: 'POST',
  path: 'api/signers/:signerId/drawings',
  access: { link: 'params.signerId' },
  limits: ['drawing-signer'],
  params: z.object({ signerId: z.string() }),
  body: z.object({ processId: z.string() }),
  reply: z.object({ id: z.string(), address: z.string(), code: z.string(), until: z.string() }),
});

/** Ours: the drawing that was awaited, PNG in Base64; null until it has come. */
export const getAwaitedDrawing = defineCall({
  method: 'GET',
  path: 'api/signers/:signerId/drawings/:drawingId',
  access: { link: 'params.signerId' },
  params: z.object({ signerId: z.string(), drawingId: z.string() }),
  reply: z.object({ image: z.nullable(z.string()) }),
});

/** Ours: whether the drawing that a QR code asks for is still waited for, and until when. It tells nothing about whose it is. */
export const openDrawing = defineCall({
  method: 'POST',
  path: 'api/drawings/open',
  access: 'public',
  limits: ['drawing-address'],
  body: z.object({ key: z.string() }),
  reply: z.object({ until: z.string() }),
});

/** Ours: hands the drawing, PNG in Base64, to the computer that waits for it. Once. */
export const deliverDrawing = defineCall({
  method: 'POST',
  path: 'api/drawings',
  access: 'public',
  limits: ['drawing-address'],
  maxBody: pictureBodyBytes,
  body: z.object({ key: z.string(), image: z.string() }),
  kind: 'empty',
});

/** AUTHORIZING (ours): a certificate's holder is being waited for. */
export const attemptStatus = z.enum([
  'WAITING',
  'SENT',
  'AUTHORIZING',
  'SIGNING',
  'SIGNED',
  'REJECTED',
  'EXPIRED',
  'CANCELED',
  'ERROR_WHILE_SIGNING',
]);

/** How far a signer's act has come; asked every three seconds while signing. */
export const getSignatureStatus = defineCall({
  method: 'GET',
  mayBeUnchanged: true,
  path: 'api/signatureStatus/:processId/:signerId',
  access: { link: 'params.signerId' },
  params: z.object({ processId: z.string(), signerId: z.string() }),
  /** `reason` is an error code or a step of the work; `finalized`: the whole process is done. */
  reply: z.object({
    status: attemptStatus,
    reason: z.nullable(z.string()),
    /** Values of the reason's sentence. */
    reasonParams: z.optional(z.record(z.string(), z.union([z.string(), z.number()]))),
    finalized: z.boolean(),
  }),
});

/** Ours: tells who waits at a signer's page, by server-sent events, that something changed there: they ask again then. Some minutes, then it is opened anew. */
export const followSigning = defineCall({
  method: 'GET',
  path: 'api/signatureStatus/:processId/:signerId/changes',
  access: { link: 'params.signerId' },
  params: z.object({ processId: z.string(), signerId: z.string() }),
  kind: 'events',
});

/** The signer refuses to sign, with the reason: the process ends for all. */
export const createSignatureRejected = defineCall({
  method: 'POST',
  path: 'api/createSignatureRejected',
  access: { link: 'body.signerId', or: 'ownSession' },
  body: z.object({
    rejectCause: z.string(),
    processId: z.string(),
    /** The key of the signer's link; null or left out: the session of an account that is a signer of the process. */
    signerId: z.optional(z.nullable(z.string())),
  }),
  kind: 'empty',
});

export const signatureEvidence = z.object({
  /** The client's own look-up; the server's view of the address decides. */
  ip: z.optional(z.nullable(z.string())),
  latitude: z.nullable(z.number()),
  longitude: z.nullable(z.number()),
  /** Metres. */
  accuracy: z.nullable(z.number()),
  /** Base64 without a data: prefix. */
  signatureImage: z.string(),
  signatureImageContentType: z.string(),
  /** Ours: how the image was made. */
  signatureStyle: z.optional(z.enum(['typed', 'drawn', 'uploaded'])),
});

/** Signs electronically: name, CPF, picture and place; answers at once, the status tells the rest. */
export const initEletronicSignature = defineCall({
  method: 'POST',
  path: 'api/signature-evidences/initEletronicSignature',
  access: { link: 'body.signerId', or: 'ownSession' },
  limits: ['sign', 'sign-address'],
  maxBody: pictureBodyBytes,
  body: z.object({
    processId: z.string(),
    /** Ours: the key of the signer's link; without it the session of an account that is a signer of the process. */
    signerId: z.optional(z.string()),
    cpf: z.string(),
    name: z.string(),
    /** Ours: of the sentence that the signer agreed to; left out, the consent is recorded as missing. */
    consentHash: z.optional(z.string()),
    signatureEvidence,
  }),
  /** Answers at once; the signing goes on in a job and `getSignatureStatus` tells how it went. */
  kind: 'empty',
});

/**
 * What the signer's program gave with its act, once more, as an event of the process in progress: its SHA-256, once for each signer. The
 * evidence itself is kept with the act (`initEletronicSignature`), by what the server saw, and nothing here changes it.
 */
export const registerSignatureEvidence = defineCall({
  method: 'POST',
  path: 'api/signature-evidences/registerSignatureEvidence',
  access: { link: 'body.signerId' },
  maxBody: pictureBodyBytes,
  body: z.object({ processId: z.string(), signerId: z.string(), signatureEvidence: z.optional(signatureEvidence) }),
  kind: 'empty',
});

/** The evidence report of a process that finished with success, for whoever may have its files: its id among the process's downloads. */
export const generateEvidencePage = defineCall({
  method: 'POST',
  path: 'api/signature-evidences/generateEvidencePage',
  access: { link: 'body.signerId', or: 'session' },
  maxBody: pictureBodyBytes,
  body: z.object({ processId: z.string(), signerId: z.optional(z.string()), signatureEvidence: z.optional(signatureEvidence) }),
  reply: z.object({ id: z.string() }),
});
