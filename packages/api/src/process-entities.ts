import * as z from 'zod/mini';
import { defineCall } from './call.ts';
import { defineEntity, reference } from './entity.ts';
import * as calls from './processes.ts';
import { modelFields } from './signature-models.ts';

const access = ['ROLE_USER', 'ROLE_ADMIN'] as const;
const instant = z.string(); // ISO 8601 in UTC
const signatureStatus = z.enum(['SENT', 'SIGNED', 'REJECTED']);

/** Of a signature, whoever is told of it. */
const signatureFacts = {
  status: signatureStatus,
  rejectCause: z.nullable(z.string()),
  createdDate: instant,
  finalizedDate: z.nullable(instant),
  /** Of a process that all have signed: the call that answers the signed file. */
  signatureFinalized: z.nullable(z.string()),
  signatureFinalizedContentType: z.nullable(z.string()),
};

/** A process, and how it stands. */
const processReference = z.object({ ...reference.shape, status: z.union([calls.processStatus, z.literal('DRAFT')]) });

/**
 * Processes (sections 3 and 7): one's own, drafts among them, and those that one was asked to sign. Only a draft is changed or
 * deleted, by its maker: what was sent stays as it was sent. `createSignatureProcess` opens one.
 */
const process = defineEntity({
  path: 'signature-processes',
  id: 'uuid',
  access,
  written: {
    title: z.string(),
    /** Left out: as it is; null: none. */
    dueDate: z.optional(z.nullable(instant)),
    reminderIn: z.optional(z.nullable(z.int())),
  },
  read: {
    createdDate: instant,
    finalizedDate: z.nullable(instant),
    status: z.union([calls.processStatus, z.literal('DRAFT')]),
    type: calls.signatureKind,
    files: z.array(z.object({ id: z.string(), name: z.string() })),
    /** The names of the files. */
    documents: z.string(),
    applicationUser: reference,
    createdByFront: z.boolean(),
    finalized: z.boolean(),
  },
  sorts: ['createdDate', 'title', 'dueDate', 'finalizedDate', 'status', 'type'],
  sentBack: true,
});
/**
 * One process, for who takes part in it, with its signers and their signatures (section 3), which a list leaves out. Ids, telephones and
 * CPFs are its maker's alone.
 */
export const getSignatureProcess = defineCall({
  ...process.get,
  reply: z.object({
    ...process.item.shape,
    signers: z.array(
      z.object({
        id: z.nullable(z.string()),
        name: z.string(),
        email: z.string(),
        phoneNumber: z.nullable(z.string()),
        legalIdentifier: z.nullable(z.string()),
        companyIdentifier: z.nullable(z.string()),
        order: z.number(),
        status: calls.signerStatus,
        dueDate: z.nullable(instant),
        createdDate: instant,
        finalizedDate: z.nullable(instant),
      }),
    ),
    signatures: z.array(
      z.object({
        id: z.nullable(z.string()),
        ...signatureFacts,
        signer: z.object({ id: z.nullable(z.string()), name: z.string() }),
        document: reference,
        /** How it is drawn; null: it shows on no page. */
        visualSignature: z.nullable(z.object({ signatureModel: z.object({ imagePosition: modelFields.imagePosition }) })),
      }),
    ),
  }),
});
export const signatureProcesses = { ...process, create: calls.createSignatureProcess, get: getSignatureProcess };

/**
 * Signers: those of one's own processes, and oneself wherever one was asked. Changed and deleted in a draft alone, by its maker.
 * `createSigner` adds one.
 */
const signer = defineEntity({
  path: 'signers',
  id: 'uuid',
  access,
  written: calls.signerFields,
  read: { signatureProcess: processReference, createdDate: instant, finalizedDate: z.nullable(instant), status: calls.signerStatus },
  sorts: ['createdDate', 'name', 'email', 'order', 'dueDate', 'status'],
  sentBack: true,
});
export const signers = { ...signer, create: calls.createSigner };

/** Interested parties of one's own processes; changed and deleted in a draft alone. `createStakeholder` adds one. */
const stakeholder = defineEntity({
  path: 'stakeholders',
  id: 'uuid',
  access,
  written: calls.stakeholderFields,
  read: { signatureProcess: reference },
  sorts: ['name', 'email'],
  sentBack: true,
});
export const stakeholders = { ...stakeholder, create: calls.createStakeholder };

/**
 * Signatures: each signer's of each document, of one's own processes and one's own. Starting a process makes those that a draft does
 * not name yet. Signing and rejecting have calls of their own: no status is ever written here.
 */
export const signatures = defineEntity({
  path: 'signatures',
  id: 'uuid',
  access,
  written: { signer: reference, document: reference },
  read: { ...signatureFacts, signatureProcess: processReference },
  sorts: ['createdDate', 'status', 'finalizedDate'],
  sentBack: true,
});
