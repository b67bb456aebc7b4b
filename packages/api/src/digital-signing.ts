import * as z from 'zod/mini';
import { defineCall, pictureBodyBytes } from './call.ts';

/** `signerId` is the key of the signer's link, a capability: who has it acts. */
const acting = { processId: z.string(), signerId: z.string() };
/** The specification's calls do without it, in the session of an account that is a signer of the process. */
const actingOrSignedIn = { ...acting, signerId: z.optional(z.string()) };

/** How the stamp looks: the signer's own picture (PNG or JPEG, base64 without `data:`), or the creator's model without one. */
export const signatureStyle = z.enum(['typed', 'drawn', 'uploaded', 'model']);
export const appearanceChoice = z.object({ style: signatureStyle, image: z.nullable(z.string()) });

/** Name of the local certificate application among the providers. */
export const LAVRA_SIGNER = 'LAVRA_SIGNER';

const foundCertificates = z.object({
  /** BIRDID … SYN as they answered, and LAVRA_SIGNER last, which nobody can be asked for. */
  availablePscs: z.array(z.string()),
  /** Ours: who has a certificate of the company that the signer represents; empty where they sign for themselves. */
  companyPscs: z.array(z.string()),
  /** Who was asked and could not say: "none found" is then not certain. */
  unanswered: z.array(z.string()),
});

/** The specification's call; `processId` and `signerId` fence it: it tells whether a CPF has a certificate. */
export const findCertificates = defineCall({
  method: 'GET',
  path: 'api/findCertificates/:cpf',
  access: { link: 'query.signerId', or: 'ownSession' },
  limits: ['psc-address', 'psc-signer', 'psc-signer-cpfs'],
  params: z.object({ cpf: z.string() }),
  query: z.object(actingOrSignedIn),
  reply: foundCertificates,
});

/** The same with the CPF out of the address; what our client uses. */
export const findCertificatesByPost = defineCall({
  method: 'POST',
  path: 'api/findCertificates',
  access: { link: 'body.signerId', or: 'ownSession' },
  limits: ['psc-address', 'psc-signer', 'psc-signer-cpfs'],
  body: z.object({ ...actingOrSignedIn, cpf: z.string() }),
  reply: foundCertificates,
});

const authorizeRequest = {
  ...actingOrSignedIn,
  userLegalIdentifier: z.string(),
  userPsc: z.string(),
  /** Ours: whose certificate: the signer's own, unless it is that of the company which they represent. */
  holder: z.optional(z.enum(['person', 'company'])),
  /** SHA-256 (hex) of a secret that this browser keeps until the callback; without one the act is bound to the session. */
  browser: z.optional(z.string()),
  /** Of the sentence that the signer agreed to; left out, the consent is recorded as missing. */
  consentHash: z.optional(z.string()),
};

const authorizeReply = z.object({
  /** Where a new window goes; null where the provider asks on the person's telephone (push). */
  url: z.nullable(z.string()),
  mode: z.enum(['redirect', 'push']),
  /** When waiting ends (ISO 8601); `secondsLeft` says the same to browsers whose clock is wrong. */
  expiresAt: z.string(),
  secondsLeft: z.number(),
});

/** The specification's call; the stamp is then the creator's model. */
export const createUrlAuthorize = defineCall({
  method: 'GET',
  path: 'api/createUrlAuthorize',
  access: { link: 'query.signerId', or: 'ownSession' },
  limits: ['psc-address', 'psc-signer', 'psc-signer-cpfs', 'sign', 'sign-address'],
  query: z.object(authorizeRequest),
  reply: authorizeReply,
});

/** The same with CPF and choice of appearance in the body; what our client uses. A second one replaces the first. */
export const createUrlAuthorizeByPost = defineCall({
  method: 'POST',
  path: 'api/createUrlAuthorize',
  access: { link: 'body.signerId', or: 'ownSession' },
  limits: ['psc-address', 'psc-signer', 'psc-signer-cpfs', 'sign', 'sign-address'],
  maxBody: pictureBodyBytes,
  body: z.object({ ...authorizeRequest, appearance: appearanceChoice }),
  reply: authorizeReply,
});

/** What the window that came back hands in. `id` is the last part of its address; `state` alone names the attempt. */
export const createAuthorizeTransactionCallback = defineCall({
  method: 'POST',
  path: 'api/createAuthorizeTransactionCallback',
  access: 'public',
  limits: ['psc-callback'],
  body: z.object({
    code: z.optional(z.nullable(z.string())),
    state: z.string(),
    /** OAuth's `error`, when the person or the provider said no. */
    error: z.optional(z.nullable(z.string())),
    id: z.string(),
    /** The contract's field; the choice of appearance was made with `createUrlAuthorize`. */
    image: z.optional(z.nullable(z.string())),
    /** The secret whose SHA-256 went with `createUrlAuthorize`; where none did, the session that asked stands for it. */
    browser: z.optional(z.string()),
  }),
  reply: z.object({ statusCode: z.number(), processId: z.string(), signerId: z.string() }),
});

/** Ours: gives up an authorisation, or a signature that waits for the local key; what is being signed already goes on. */
export const cancelSigningAttempt = defineCall({
  method: 'POST',
  path: 'api/cancelSigningAttempt',
  access: { link: 'body.signerId' },
  body: z.object(acting),
  kind: 'empty',
});

/** Ours: the first of two one-time requests for LAVRA_SIGNER, signed by this server: "choose a certificate for these documents". */
export const requestLocalCertificate = defineCall({
  method: 'POST',
  path: 'api/local-signatures/request',
  access: { link: 'body.signerId' },
  limits: ['local-request', 'local-request-address'],
  body: z.object(acting),
  reply: z.object({ request: z.string() }),
});

/** What a key on the signer's computer signs for one document. */
const toSign = z.object({
  documentId: z.string(),
  name: z.string(),
  digest: z.enum(['sha256', 'sha384', 'sha512']),
  /** DER, base64: the message, for keys that hash it themselves (WebCrypto). */
  signedAttributes: z.string(),
  /** Its digest, base64, for keys that do not. */
  toBeSigned: z.string(),
});

/** Ours: a certificate from a file in the page or from LAVRA_SIGNER; judged, then every document is prepared for it. */
export const prepareLocalSignature = defineCall({
  method: 'POST',
  path: 'api/local-signatures/prepare',
  access: { link: 'body.signerId' },
  limits: ['sign', 'sign-address'],
  maxBody: pictureBodyBytes,
  body: z.object({
    ...acting,
    /** What the signer typed; the certificate must be of it, and it of whom the creator registered. */
    cpf: z.string(),
    source: z.enum(['file', LAVRA_SIGNER]),
    /** DER, base64. */
    certificate: z.string(),
    /** Issuers as far as known, DER, base64, in any order. */
    chain: z.array(z.string()),
    consentHash: z.string(),
    appearance: appearanceChoice,
  }),
  reply: z.object({
    attemptId: z.string(),
    /** Until then the values must have come back. */
    expiresAt: z.string(),
    secondsLeft: z.number(),
    documents: z.array(toSign),
    /** For LAVRA_SIGNER: the second one-time request, "sign these"; null for a file. */
    request: z.nullable(z.string()),
  }),
});

/** Ours: the signature values. Each is checked against the certificate; all are recorded or none. */
export const completeLocalSignature = defineCall({
  method: 'POST',
  path: 'api/local-signatures/complete',
  access: { link: 'body.signerId' },
  maxBody: 256 * 1024,
  body: z.object({
    ...acting,
    attemptId: z.string(),
    /** `value` base64: RSA PKCS #1 v1.5, or ECDSA as DER. */
    signatures: z.array(z.object({ documentId: z.string(), value: z.string() })),
  }),
  kind: 'empty',
});

/** Ours: the key that this server signs its requests to LAVRA_SIGNER with (Ed25519, SPKI, base64). */
export const getLocalSignerKey = defineCall({
  method: 'GET',
  path: 'api/local-signatures/key',
  access: 'public',
  reply: z.object({ key: z.string() }),
});
