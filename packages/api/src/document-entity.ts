import * as z from 'zod/mini';
import { defineCall } from './call.ts';
import { defineEntity, reference } from './entity.ts';

const access = ['ROLE_USER', 'ROLE_ADMIN'] as const;
const entity = defineEntity({
  path: 'documents',
  id: 'uuid',
  access,
  written: { name: z.string() },
  read: {
    hash: z.string(),
    createdDate: z.string(),
    applicationUser: reference,
    /** The process that took it; null: none yet. */
    signatureProcess: z.nullable(reference),
    size: z.number(),
    pageCount: z.number(),
  },
  sorts: ['createdDate', 'name', 'size'],
  sentBack: true,
});

/**
 * Documents (section 3): one's own uploads. Renamed and deleted while no process has them. What is created as JSON is a document of
 * bytes that the caller has uploaded before, by their SHA-256; bytes come by `uploadDocuments`.
 */
export const documents = {
  ...entity,
  create: defineCall({
    ...entity.create,
    onlyJson: true,
    limits: ['upload'],
    body: z.object({
      name: z.string(),
      hash: z.string().check(z.regex(/^[0-9a-fA-F]{64}$/)),
      createdDate: z.optional(z.nullable(z.string())),
    }),
  }),
};
