import * as z from 'zod/mini';
import { defineCall } from './call.ts';
import { processStatus, signatureKind, visibleSignature } from './processes.ts';

const instant = z.string();
const ofSigner = z.object({ id: z.string(), signerId: z.string() });

/** What may stand in a line of a process's story beside its kind. */
export const storyLine = z.object({
  at: instant,
  /** A kind of event of the evidence, e.g. `signer.invited`. */
  type: z.string(),
  /** Whom it is about; empty: the process itself. */
  name: z.string(),
  /** The name that they signed under or were corrected from, where it is another. */
  otherName: z.nullable(z.string()),
  /** The address that something was sent to, for the owner. */
  email: z.nullable(z.string()),
  /** Why somebody refused. */
  cause: z.nullable(z.string()),
  /** To whom a link was given. */
  to: z.nullable(z.enum(['signer-session', 'creator'])),
});

/** The page of one process, for its owner and for whoever was invited: how it stands, and what happened, in order. */
export const getProcessStory = defineCall({
  method: 'GET',
  mayBeUnchanged: true,
  path: 'api/signature-processes/:id/story',
  access: 'authenticated',
  params: z.object({ id: z.string() }),
  reply: z.object({
    id: z.string(),
    title: z.string(),
    status: processStatus,
    type: signatureKind,
    createdDate: instant,
    finalizedDate: z.nullable(instant),
    dueDate: z.nullable(instant),
    creatorName: z.string(),
    currentIsOwner: z.boolean(),
    /** Through whom it ended, where people ended it: the sender, who refused, or whose own deadline passed. */
    endedBy: z.nullable(z.string()),
    /** Every document has its fields: before that nobody was invited. */
    isPrepared: z.boolean(),
    story: z.array(storyLine),
  }),
});

/** Ours: tells the page of one process, by server-sent events, that something changed: it asks again then. Some minutes, then it is opened anew. */
export const followProcess = defineCall({
  method: 'GET',
  path: 'api/signature-processes/:id/changes',
  access: 'authenticated',
  params: z.object({ id: z.string() }),
  kind: 'events',
});

/** Has the invitation, or a reminder of it, sent again to a signer who is waited for: once an hour at most, and recorded. */
export const tellSignerAgain = defineCall({
  method: 'POST',
  path: 'api/signature-processes/:id/signers/:signerId/tell-again',
  access: 'authenticated',
  params: ofSigner,
  body: z.object({ as: z.enum(['invitation', 'reminder']) }),
  kind: 'empty',
});

/** Corrects who a signer is who has not acted: a new link for them, and the old one is dead at once. */
export const correctSigner = defineCall({
  method: 'POST',
  path: 'api/signature-processes/:id/signers/:signerId/correct',
  access: 'authenticated',
  limits: ['correct-signer'],
  params: ofSigner,
  /** `legalIdentifier`: the CPF, `companyIdentifier`: the CNPJ; null: none is expected; left out: as it is. */
  body: z.object({
    name: z.string(),
    email: z.string(),
    phoneNumber: z.optional(z.nullable(z.string())),
    legalIdentifier: z.optional(z.nullable(z.string())),
    companyIdentifier: z.optional(z.nullable(z.string())),
  }),
  kind: 'empty',
});

/** People whom the account has called to sign in its latest processes, the latest first, each address once; nobody else's. */
export const listContacts = defineCall({
  method: 'GET',
  path: 'api/contacts',
  access: 'authenticated',
  reply: z.array(z.object({ name: z.string(), email: z.string() })),
});

/** What a process that ended without everybody's signature was made of, to begin again from it; its owner's. */
export const getProcessTemplate = defineCall({
  method: 'GET',
  path: 'api/signature-processes/:id/template',
  access: 'authenticated',
  params: z.object({ id: z.string() }),
  reply: z.object({
    title: z.string(),
    type: signatureKind,
    reminderIn: z.nullable(z.number()),
    geolocation: z.enum(['required', 'optional']),
    langKey: z.enum(['pt-br', 'en', 'es']),
    documents: z.array(z.object({ id: z.string(), name: z.string(), openedFrom: z.nullable(z.string()) })),
    signers: z.array(
      z.object({
        name: z.string(),
        email: z.string(),
        phoneNumber: z.nullable(z.string()),
        legalIdentifier: z.nullable(z.string()),
        companyIdentifier: z.nullable(z.string()),
        order: z.number(),
        quantity: z.number(),
        visible: z.boolean(),
        /** The model that it was agreed with, as it is now; null: the default, or it is there no more. */
        model: z.nullable(z.object({ id: z.string(), width: z.number(), height: z.number() })),
        boxes: z.array(visibleSignature),
      }),
    ),
    stakeholders: z.array(z.object({ name: z.string(), email: z.string() })),
    tellStakeholders: z.boolean(),
  }),
});

/** Mails the code that a link handed over by the sender asks for to the signer it was made for. */
export const askLinkCode = defineCall({
  method: 'POST',
  path: 'api/signers/:signerId/link-code',
  access: { link: 'params.signerId', beforeCode: true },
  limits: ['link-code-address', 'link-code'],
  params: z.object({ signerId: z.string() }),
  kind: 'empty',
});

/** Gives that code: `user` is a link of the signer's own, which the sender does not know. */
export const confirmLinkCode = defineCall({
  method: 'POST',
  path: 'api/signers/:signerId/link-code/confirm',
  access: { link: 'params.signerId', beforeCode: true },
  limits: ['link-code-tries'],
  params: z.object({ signerId: z.string() }),
  body: z.object({ code: z.string() }),
  reply: z.object({ user: z.string() }),
});
