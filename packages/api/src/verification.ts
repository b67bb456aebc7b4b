import * as z from 'zod/mini';
import { defineCall } from './call.ts';

/** `reason` 'Permitido' allows; the same other answer for an unknown document and a wrong e-mail. */
export const loginValidation = defineCall({
  method: 'GET',
  path: 'api/loginValidation',
  access: 'public',
  limits: ['verify', 'verify-document'],
  query: z.object({ documentId: z.string(), emailSigner: z.string().check(z.maxLength(254)) }),
  /** `ticket`: ours, ten minutes, opens `getValidation`; null when not allowed. A cookie of five minutes, which pages cannot read, carries it too. */
  reply: z.object({ reason: z.string(), ticket: z.nullable(z.string()) }),
});

/** What happened after a signature; see `ToldChange` in the domain. */
const toldChange = z.object({
  kind: z.string(),
  by: z.nullable(z.string()),
  fields: z.array(z.string()),
  fieldCount: z.number(),
  pages: z.array(z.number()),
  permitted: z.boolean(),
});

/** What is told of every signature and document timestamp in a file. */
const afterwards = {
  /** Where the bytes end that it covers: `downloadValidated` gives them by this range. Null: it cannot be told. */
  end: z.nullable(z.number()),
  coversWholeFile: z.boolean(),
  /** The engine's note codes: worth knowing, no faults. */
  notes: z.array(z.string()),
  changes: z.array(toldChange),
};

/** What is known of a document, for the ticket of `loginValidation`, by name or by its cookie. */
export const getValidation = defineCall({
  method: 'GET',
  path: 'api/validation',
  access: 'public',
  limits: ['validation'],
  query: z.object({ documentId: z.string(), ticket: z.optional(z.string()) }),
  reply: z.object({
    nameDocument: z.string(),
    processTitle: z.string(),
    status: z.string(),
    type: z.string(),
    originalHash: z.string(),
    signedHash: z.nullable(z.string()),
    /** When its files were removed, because they are kept no longer: the hashes tell whether a copy is the file that was signed. */
    filesRemovedDate: z.nullable(z.string()),
    signers: z.array(
      z.object({
        name: z.string(),
        /** Masked CPF (***.456.789-**) or null. */
        legalIdentifier: z.nullable(z.string()),
        /** Masked. */
        email: z.string(),
        status: z.string(),
        signedAt: z.nullable(z.string()),
        /** What the engine says of this signer's signature in the stored file; null before signing. */
        indication: z.nullable(z.string()),
        /** Why it is not TOTAL-PASSED: the engine's reason codes. */
        reasons: z.array(z.string()),
        /** Baseline level, as B-LTA. */
        level: z.nullable(z.string()),
        provenTime: z.nullable(z.string()),
        /** Of the certificate in the file; null before signing, and where the platform issued it for the act. */
        certificate: z.nullable(
          z.object({
            /** A1, A3 … */
            type: z.nullable(z.string()),
            issuer: z.string(),
            /** Hexadecimal. */
            serial: z.string(),
            /** Anchor reached, as `ICP-Brasil v5`. */
            trust: z.nullable(z.string()),
            /** As `AD-RB 1.3`, its hash right. */
            policy: z.nullable(z.string()),
          }),
        ),
        ...afterwards,
      }),
    ),
    /** The seal and document timestamp at the end of a finished file; 'other': signatures the upload already carried. */
    seals: z.array(
      z.object({
        name: z.string(),
        kind: z.enum(['seal', 'timestamp', 'other']),
        time: z.nullable(z.string()),
        indication: z.string(),
        reasons: z.array(z.string()),
        ...afterwards,
      }),
    ),
    /** The signature page, where it is a file of its own. */
    signaturePage: z.nullable(z.object({ name: z.string(), hash: z.string(), size: z.number() })),
    /** `at`: ours, the instant in ISO 8601 of the `timestamp`, which is written in the legal time of Brasília. */
    logsProcess: z.array(z.object({ timestamp: z.string(), at: z.string(), message: z.string() })),
    /** Base64 PDF: the signed file, whose last page(s) are the signature page. Null until finished, or above 4 MB. */
    signedDocumentWithEvidencePage: z.nullable(z.string()),
  }),
});

/** Ours: the same signed file as a download, for files too large for base64; by a range, what one signature covers of it. */
export const downloadValidated = defineCall({
  method: 'GET',
  path: 'api/validation/file',
  access: 'public',
  query: z.object({ documentId: z.string(), ticket: z.string() }),
  kind: 'file',
});

/** Ours: the separate signature page of a finished document that came with signatures. */
export const downloadValidatedPage = defineCall({
  method: 'GET',
  path: 'api/validation/page',
  access: 'public',
  query: z.object({ documentId: z.string(), ticket: z.string() }),
  kind: 'file',
});

/** Ours: whom this installation trusts, so that a browser can verify a file that never leaves it. All DER in base64. */
export const getTrust = defineCall({
  method: 'GET',
  path: 'api/validation/trust',
  access: 'public',
  reply: z.object({
    anchors: z.array(z.object({ certificate: z.string(), name: z.string(), uses: z.array(z.enum(['signature', 'timestamp'])) })),
    intermediates: z.array(z.string()),
    /** The installation's own revocation lists, fresh. */
    crls: z.array(z.string()),
    /** The lists of other authorities that can be had here, by `revocationListKey`. */
    lists: z.array(z.string()),
  }),
});

/** Ours: a list of an authority that this installation believes, as the authority published it (DER). */
export const getRevocationList = defineCall({
  method: 'GET',
  path: 'api/validation/lists/:key',
  access: 'public',
  limits: ['revocation-list'],
  params: z.object({ key: z.string().check(z.regex(/^[0-9a-f]{64}$/)) }),
  kind: 'file',
});
