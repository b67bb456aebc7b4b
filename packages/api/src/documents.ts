import * as z from 'zod/mini';
import { defineCall } from './call.ts';

/** Page as inspected at upload: visible box in user space [x0, y0, x1, y1], clockwise rotation, UserUnit. */
export const pageGeometry = z.object({
  box: z.tuple([z.number(), z.number(), z.number(), z.number()]),
  rotate: z.union([z.literal(0), z.literal(90), z.literal(180), z.literal(270)]),
  userUnit: z.number(),
});

/** Ours: what preparing the file does to it, or leaves undone; see `DocumentNotice` in the domain. */
export const documentNotice = z.object({
  code: z.enum(['fieldsClosed', 'pageApart', 'invisibleOnly', 'xfaDropped', 'conformanceUnsure']),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
});

export const uploadedDocument = z.object({
  id: z.string(),
  name: z.string(),
  /** SHA-256 of the uploaded bytes, lower-case hex. */
  hash: z.string(),
  createdDate: z.string(),
  size: z.number(),
  /** Ours: SHA-256 of the file with a password that this one was opened from; null: it came as it is. */
  openedFrom: z.nullable(z.string()),
  pageCount: z.number(),
  /** Geometry of every page up to 2,000; beyond that the list ends early. */
  pages: z.array(pageGeometry),
  /** Signatures the file already carried. */
  priorSignatures: z.number(),
  notices: z.array(documentNotice),
});
export type UploadedDocument = z.infer<typeof uploadedDocument>;

/**
 * Multipart, field `files` (one or more). All or nothing: one bad file refuses the request with its name in the params. Ours: a field
 * `openedFrom` before a file says the SHA-256 of the file with a password that it was opened from, for the evidence; `continues` and
 * `from` before a file say that it is the end of one whose first `from` bytes were sent by `sendUploadPart` under that id.
 */
export const uploadDocuments = defineCall({
  method: 'POST',
  path: 'api/documents',
  access: ['ROLE_USER', 'ROLE_ADMIN'],
  limits: ['upload'],
  reply: z.array(uploadedDocument),
  idempotent: true,
});

const access = ['ROLE_USER', 'ROLE_ADMIN'] as const;

/** An id that the sender gives to a file which goes up in pieces; it is nobody else's. */
const ofUpload = z.object({ uploadId: z.uuid() });
/** So many bytes from the beginning of the file are there. */
const received = z.object({ received: z.number() });

/** Ours: how far a file has come that goes up in pieces: from there it goes on, also hours later (`limits.uploadResumeHours`). */
export const findUpload = defineCall({
  method: 'GET',
  path: 'api/uploads/:uploadId',
  access,
  params: ofUpload,
  reply: received,
});

/**
 * Ours: multipart, field `files`: the piece of a file that begins at `from`. One that does not begin where the pieces before it end is not
 * kept, nor is one that broke off; the answer says from where to go on. The last piece goes to `uploadDocuments`.
 */
export const sendUploadPart = defineCall({
  method: 'POST',
  path: 'api/uploads/:uploadId',
  access,
  limits: ['upload'],
  params: ofUpload,
  query: z.object({ from: z.coerce.number().check(z.int(), z.gte(0)) }),
  reply: received,
});

/** `user` is the key of a signer's link (a capability); without it the Bearer token must belong to the owner or a participant. */
const asParticipant = z.object({ user: z.optional(z.string()) });

/** The file as it stands now: with every signature made so far. For the viewer; answers ranges. */
export const viewDocument = defineCall({
  method: 'GET',
  path: 'api/documents/:documentId/content',
  access: { link: 'query.user', or: 'session' },
  params: z.object({ documentId: z.string() }),
  query: asParticipant,
  kind: 'file',
});

/** The uploaded original. */
export const downloadOriginal = defineCall({
  method: 'GET',
  path: 'api/download/:id',
  access: { link: 'query.user', or: 'session' },
  params: z.object({ id: z.string() }),
  query: asParticipant,
  kind: 'file',
});

/**
 * A copy to print: a footer on every page (identifier, address, page n of m), sealed, the signed file inside as an attachment. Only for a
 * process finished with success.
 */
export const downloadWithFooter = defineCall({
  method: 'GET',
  path: 'api/downloadWithFooter/:id',
  access: { link: 'query.user', or: 'session' },
  limits: ['printable-copy'],
  params: z.object({ id: z.string() }),
  query: asParticipant,
  kind: 'file',
});

const processDocument = z.object({ processId: z.string(), documentId: z.string() });

/** The signed file. Only for a process finished with success. */
export const downloadSignature = defineCall({
  method: 'GET',
  path: 'api/downloadSignature/:processId/:documentId',
  access: { link: 'query.user', or: 'session' },
  params: processDocument,
  query: asParticipant,
  kind: 'file',
});

/** The evidence report: all events, hashes and the chain of events, sealed. */
export const downloadEvidence = defineCall({
  method: 'GET',
  path: 'api/downloadEvidence/:processId/:documentId',
  access: { link: 'query.user', or: 'session' },
  params: processDocument,
  query: asParticipant,
  kind: 'file',
});

/** Ours: the sealed signature page of a document that came with signatures, a file of its own. */
export const downloadSignaturePage = defineCall({
  method: 'GET',
  path: 'api/downloadSignaturePage/:processId/:documentId',
  access: { link: 'query.user', or: 'session' },
  params: processDocument,
  query: asParticipant,
  kind: 'file',
});

/** Ours: several items as `assinaturas.zip`. `items` = their ids of `getDownloadItems`, comma-separated. */
export const downloadSelection = defineCall({
  method: 'GET',
  path: 'api/downloadSelection/:processId',
  access: { link: 'query.user', or: 'session' },
  params: z.object({ processId: z.string() }),
  query: z.object({ user: z.optional(z.string()), items: z.string() }),
  kind: 'file',
});

/** Ours: the download page's list. */
export const getDownloadItems = defineCall({
  method: 'GET',
  path: 'api/downloadItems/:processId',
  access: { link: 'query.user', or: 'session' },
  params: z.object({ processId: z.string() }),
  query: asParticipant,
  reply: z.object({
    title: z.string(),
    /** Whether there is something to be had: false until the process finished with success. */
    available: z.boolean(),
    /** When the documents were removed, because they are kept no longer; the evidence report stays. */
    filesRemovedDate: z.nullable(z.string()),
    /** The language of the signer whose link asks; null: an account asks. */
    langKey: z.nullable(z.enum(['pt-br', 'en', 'es'])),
    items: z.array(
      z.object({
        /** Document id; `page-` and document id for a separate signature page; 'evidence' for the evidence report of the process. */
        id: z.string(),
        kind: z.enum(['document', 'page', 'evidence']),
        documentId: z.nullable(z.string()),
        name: z.string(),
        /** As it was uploaded; documents only. */
        uploadedName: z.optional(z.string()),
        size: z.nullable(z.number()),
        available: z.boolean(),
        status: z.enum(['SIGNED', 'IN_PROGRESS', 'REJECTED', 'EXPIRED', 'CANCELED']),
      }),
    ),
  }),
});
