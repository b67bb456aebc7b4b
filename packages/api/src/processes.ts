import * as z from 'zod/mini';
import { defineCall } from './call.ts';
import { documentNotice } from './documents.ts';

/** Wire spelling of the modality; the misspelling is the contract's and stays here. */
export const signatureKind = z.enum(['DIGITAL_SIGNATURE', 'ELETRONIC_SIGNATURE']);
export const processStatus = z.enum([
  'IN_PROGRESS',
  'FINALIZED_WITH_SUCCESS',
  'FINALIZED_BY_EXPIRATION',
  'FINALIZED_BY_REJECTION',
  'CREATOR_CANCELED',
]);
export const signerStatus = z.enum(['WAITING', 'SENT', 'SIGNED', 'REJECTED']);

const instant = z.string(); // ISO 8601 in UTC
const byId = z.object({ id: z.string() });
const processParams = z.object({ processId: z.string() });

/** The three counters of the home page: pending, received, requested. */
export const getCounterInfos = defineCall({
  method: 'GET',
  path: 'api/buildCounterInfos',
  access: 'authenticated',
  reply: z.object({ pending: z.number(), received: z.number(), requested: z.number() }),
});

/** Ours: what the signed-in user may do with a process, by the domain's permissions; the same that the calls are held to. */
export const processAbilities = z.object({
  cancel: z.boolean(),
  download: z.boolean(),
  /** They are a signer whose turn it is. */
  sign: z.boolean(),
  /** It ended without everybody's signature, and is theirs: it can be begun again from what it was. */
  repeat: z.boolean(),
});
export type ProcessAbilities = z.infer<typeof processAbilities>;

export const processListItem = z.object({
  id: z.string(),
  title: z.string(),
  createdDate: instant,
  finalizedDate: z.nullable(instant),
  /** Ours: when its files were removed, because they are kept no longer. */
  filesRemovedDate: z.nullable(instant),
  dueDate: z.nullable(instant),
  /** Ours: some of its signers have a deadline of their own. */
  hasOwnDeadlines: z.boolean(),
  status: processStatus,
  type: signatureKind,
  currentIsOwner: z.boolean(),
  can: processAbilities,
  signedCount: z.number(),
  signerCount: z.number(),
  /** Ours: first name of who sent it. */
  creatorName: z.string(),
  /** Ours: who is waited for, some of them by name. */
  waitingFor: z.array(z.string()),
});
export type ProcessListItem = z.infer<typeof processListItem>;

/** A page of the process list, filtered, searched and sorted. */
export const getProcessesInfos = defineCall({
  method: 'GET',
  path: 'api/buildProcessesInfos',
  access: 'authenticated',
  query: z.object({
    page: z.optional(z.coerce.number().check(z.int(), z.gte(0), z.lte(1_000_000))), // zero-based
    size: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(100))),
    sortBy: z.optional(z.enum(['createdDate', 'title', 'dueDate', 'status', 'finalizedDate'])),
    direction: z.optional(z.enum(['asc', 'desc', 'ASC', 'DESC'])),
    searchText: z.optional(z.string().check(z.maxLength(200))),
    sortRequested: z.optional(z.enum(['true', 'false'])),
    sortReceived: z.optional(z.enum(['true', 'false'])),
    sortPending: z.optional(z.enum(['true', 'false'])),
    /** Ours: only what stands so. */
    status: z.optional(processStatus),
  }),
  reply: z.object({
    /** How many there are, or than how many there are more. */
    total: z.number(),
    /** Ours: false where more have the words than are counted. */
    isTotalExact: z.boolean(),
    signatureProcesses: z.array(processListItem),
  }),
});

/** What an expanded row of the process list shows: signers, documents, and what may be done. */
export const getSubDataProcess = defineCall({
  method: 'GET',
  mayBeUnchanged: true,
  path: 'api/buildSubDataProcesses/:processId',
  access: 'authenticated',
  params: processParams,
  reply: z.object({
    /** Ours: how the process stood when this was read. */
    status: processStatus,
    signers: z.array(
      z.object({
        id: z.nullable(z.string()), // only for the process's owner; null otherwise
        name: z.string(),
        email: z.string(),
        /** Ours: the CNPJ of the company that they sign for. */
        companyIdentifier: z.nullable(z.string()),
        order: z.number(),
        status: signerStatus,
        dueDate: z.nullable(instant),
        finalizedDate: z.nullable(instant),
        rejectCause: z.nullable(z.string()),
        /** Ours: the name they signed under, where it is not the invitation's; for the owner alone. */
        signedAs: z.nullable(z.string()),
        isCurrentUser: z.boolean(),
        /** Ours: the CPF that was registered for them; for the owner alone. */
        legalIdentifier: z.nullable(z.string()),
        /** Ours: their telephone; for the owner alone. */
        phoneNumber: z.nullable(z.string()),
        /** Ours: when they opened the documents first; for the owner alone. */
        openedDate: z.nullable(instant),
        /** Ours: what the signed-in user may do for this signer: sign as them, hand their link out, have them written to, correct who they are. */
        can: z.object({ sign: z.boolean(), handOutLink: z.boolean(), tellAgain: z.boolean(), correct: z.boolean() }),
        /** Ours: minutes until they may be written to again; 0 where nothing is in the way of it. */
        tellAgainIn: z.number(),
      }),
    ),
    documents: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        size: z.number(),
        pageCount: z.number(),
        /** Ours: for the owner alone. */
        notices: z.array(documentNotice),
      }),
    ),
    stakeholders: z.array(z.object({ name: z.string(), email: z.string() })),
    currentIsOwner: z.boolean(),
    can: processAbilities,
    reminderIn: z.nullable(z.number()),
    /** Ours: when its files were removed, because they are kept no longer. */
    filesRemovedDate: z.nullable(instant),
    /** Why the process does not go on, e.g. that finalisation is late; null otherwise. */
    problem: z.nullable(z.string()),
    /** What the problem's sentence names, e.g. the document. */
    problemParams: z.record(z.string(), z.union([z.string(), z.number()])),
  }),
});

/** A link the signed-in user may navigate to: their own signing page, or, for the owner, one to hand over to `signerId`, who gives a code that is mailed to them. */
export const getCurrentLinkSignature = defineCall({
  method: 'GET',
  path: 'api/current-link-signature/:processId',
  access: 'authenticated',
  params: processParams,
  query: z.object({ signerId: z.optional(z.string()) }),
  reply: z.object({ link: z.string() }),
});

/** Ends a process that is under way; its creator's act. */
export const cancelProcess = defineCall({
  method: 'POST',
  path: 'api/signature-processes/:id/cancel',
  access: 'authenticated',
  params: z.object({ id: z.string() }),
  kind: 'empty',
});

/** Whether the plan's signatures are nearly, or more than, used up. */
/**
 * How much of the plan's signatures is used, by everybody whom the contract covers; signatures that are waited for count. Both kinds have a quota
 * of their own: these are the numbers of the kind that is nearer to its end.
 */
export const checkUsageAlert = defineCall({
  method: 'GET',
  path: 'api/checkUsageAlert',
  access: 'authenticated',
  reply: z.object({
    shouldAlert: z.boolean(),
    currentSignatures: z.number(),
    planSignatures: z.nullable(z.number()),
    type: z.nullable(signatureKind),
  }),
});

/** Step two of the creation sequence: opens the draft. Nothing is sent until `startSignatureProcess`. */
export const createSignatureProcess = defineCall({
  method: 'POST',
  path: 'api/signature-processes',
  access: ['ROLE_USER', 'ROLE_ADMIN'],
  body: z.object({
    title: z.string(),
    createdDate: z.optional(instant),
    dueDate: z.optional(z.nullable(instant)),
    reminderIn: z.optional(z.nullable(z.number())),
    type: z.nullable(signatureKind),
    files: z.array(z.object({ id: z.string(), name: z.optional(z.string()) })),
    createdByFront: z.optional(z.boolean()),
    /** Ours: this client always calls `startSignatureProcess`; a draft of it is never started by itself. */
    awaitsStart: z.optional(z.boolean()),
    /** Ours: 'required' unless the creator says otherwise. */
    geolocation: z.optional(z.enum(['required', 'optional'])),
    /** Ours: language of invitations; the creator's when absent. */
    langKey: z.optional(z.enum(['pt-br', 'en', 'es'])),
    /** Ours: whether its interested parties hear of its success; they do when absent. */
    tellStakeholders: z.optional(z.boolean()),
  }),
  reply: z.object({
    id: z.string(),
    title: z.string(),
    createdDate: instant,
    finalizedDate: z.nullable(instant),
    status: z.union([processStatus, z.literal('DRAFT')]),
    dueDate: z.nullable(instant),
    reminderIn: z.nullable(z.number()),
    type: signatureKind,
    files: z.array(z.object({ id: z.string(), name: z.string() })),
    createdByFront: z.boolean(),
    finalized: z.boolean(),
  }),
  idempotent: true,
});

/** One box in PDF user space of its page: points, (x, y) lower-left corner, page one-based. See `Placement` in the domain. */
export const visibleSignature = z.object({
  /** Document's file name (the specification's); `documentId` is ours and decides. */
  name: z.optional(z.string()),
  documentId: z.string(),
  page: z.number(),
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
  realSignature: z.boolean(),
});

/** The specification's own box: `name` names the document within the process, and without a size it is as large as the model. */
const askedVisibleSignature = z.extend(visibleSignature, {
  documentId: z.optional(z.string()),
  width: z.optional(z.number()),
  height: z.optional(z.number()),
});

/** What is written of a signer. */
export const signerFields = {
  name: z.string(),
  email: z.string(),
  phoneNumber: z.optional(z.nullable(z.string())),
  legalIdentifier: z.optional(z.nullable(z.string())),
  /** The CNPJ of the company that the signer represents: its e-CNPJ signs too, where its responsible CPF is the signer's. */
  companyIdentifier: z.optional(z.nullable(z.string())),
  order: z.number(), // zero-based
  dueDate: z.optional(z.nullable(instant)),
};
const plainSigner = z.object({ ...signerFields, signatureProcess: byId });

/**
 * Adds a signer to a process that is being created, with the places of their visible signature. A body without the key `signer` is the
 * signer alone, who signs without being seen.
 */
export const createSigner = defineCall({
  method: 'POST',
  path: 'api/signers',
  access: ['ROLE_USER', 'ROLE_ADMIN'],
  maxBody: 256 * 1024,
  body: z.union([
    z.object({
      signer: z.object({ ...plainSigner.shape, quantity: z.optional(z.number()) }),
      signatureVisibleActive: z.boolean(),
      visibleSignature: z.array(askedVisibleSignature),
      /** A model of the actor's own, in a digital process; null: the default. */
      modelId: z.optional(z.nullable(z.string())),
    }),
    plainSigner,
  ]),
  reply: z.object({ id: z.string(), name: z.string(), email: z.string(), order: z.number(), status: signerStatus }),
  idempotent: true,
});

/** What is written of an interested party: both spellings of the specification, of which one is needed. */
export const stakeholderFields = {
  name: z.optional(z.string()),
  email: z.optional(z.string()),
  stakeholderName: z.optional(z.string()),
  stakeholderEmail: z.optional(z.string()),
};

/** Adds an interested party to a process that is being created. */
export const createStakeholder = defineCall({
  method: 'POST',
  path: 'api/stakeholders',
  access: ['ROLE_USER', 'ROLE_ADMIN'],
  body: z.object({ ...stakeholderFields, signatureProcess: byId }),
  reply: z.object({ id: z.string(), name: z.string(), email: z.string(), stakeholderName: z.string(), stakeholderEmail: z.string() }),
  idempotent: true,
});

/** Closes the creation sequence: checks the whole, prepares the documents, invites the first signers. */
export const startSignatureProcess = defineCall({
  method: 'POST',
  path: 'api/signature-processes/:id/start',
  access: ['ROLE_USER', 'ROLE_ADMIN'],
  params: z.object({ id: z.string() }),
  kind: 'empty',
  idempotent: true,
});
