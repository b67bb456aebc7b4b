import * as z from 'zod/mini';
import { defineCall, type Reply } from './call.ts';

const access = ['ROLE_ADMIN'] as const;

/** What a list brought: authorities that reach a pinned root, those of them that were new, and what was left out. */
const loaded = z.object({ authorities: z.number(), added: z.number(), unrelated: z.number(), unreadable: z.number() });
export type LoadedAuthorities = z.infer<typeof loaded>;

/** What is known of ICP-Brasil's authorities, from where, and how old it is. */
export const getIcpBrasil = defineCall({
  method: 'GET',
  path: 'api/admin/icp-brasil',
  access,
  reply: z.object({
    /** Scheme and host of where the list is fetched from; null: it is loaded by hand. */
    address: z.nullable(z.string()),
    /** Certificates that the start was given as a file. */
    configured: z.number(),
    roots: z.array(z.string()),
    /** Below the roots; `newest`: when the youngest of them began to hold. */
    authorities: z.object({ valid: z.number(), ended: z.number(), newest: z.nullable(z.string()) }),
    list: z.nullable(
      z.object({
        source: z.enum(['upload', 'address']),
        fileHash: z.string(),
        loadedAt: z.string(),
        checkedAt: z.string(),
        /** Code of what went wrong with the last try since. */
        fault: z.nullable(z.string()),
        faultAt: z.nullable(z.string()),
      }),
    ),
  }),
});
export type IcpBrasilList = Reply<typeof getIcpBrasil>;

/** ITI's ACcompactado.zip, or a PEM file, as the one file of a multipart body. */
export const uploadIcpBrasil = defineCall({
  method: 'POST',
  path: 'api/admin/icp-brasil',
  access,
  limits: ['trust-list'],
  maxBody: 9 * 1024 * 1024,
  reply: loaded,
});

/** Has it fetched from the configured address now. */
export const fetchIcpBrasil = defineCall({
  method: 'POST',
  path: 'api/admin/icp-brasil/fetch',
  access,
  limits: ['trust-list'],
  reply: loaded,
});
