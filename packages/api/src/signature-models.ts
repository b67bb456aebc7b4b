import * as z from 'zod/mini';
import { defineCall } from './call.ts';

/** Lengths in points. */
const modelFields = {
  name: z.string(),
  width: z.number(),
  height: z.number(),
  imagePosition: z.enum(['LEFT', 'RIGHT', 'TOP', 'BOTTOM', 'BACKGROUND', 'NONE']),
  customText: z.string(),
  textFont: z.enum(['HELVETICA', 'TIMES_ROMAN', 'COURIER']),
  textFontSize: z.number(),
  textPadding: z.number(),
  textAlignment: z.enum(['LEFT', 'RIGHT', 'CENTER']),
};

/** `id` and `createdDate` are null in what is built in. */
export const signatureModel = z.object({ id: z.nullable(z.string()), ...modelFields, createdDate: z.nullable(z.string()) });
export const ownSignatureModel = z.object({ id: z.string(), ...modelFields, createdDate: z.string() });
export type OwnSignatureModel = z.infer<typeof ownSignatureModel>;

const access = ['ROLE_USER', 'ROLE_ADMIN'] as const;

/** The signed-in user's own, by name. */
export const getSignatureModels = defineCall({
  method: 'GET',
  path: 'api/get-signature-models-by-user',
  access,
  reply: z.array(ownSignatureModel),
});

export const getDefaultElectronicModel = defineCall({
  method: 'GET',
  path: 'api/get-default-eletronic-signature-model',
  access: 'authenticated',
  reply: signatureModel,
});

export const getSignatureModel = defineCall({
  method: 'GET',
  path: 'api/get-signature-model/:id',
  access,
  params: z.object({ id: z.string() }),
  reply: ownSignatureModel,
});

export const createSignatureModel = defineCall({
  method: 'POST',
  path: 'api/create-signature-model',
  access,
  body: z.object({ id: z.optional(z.nullable(z.string())), ...modelFields }),
  reply: ownSignatureModel,
  idempotent: true,
});

/** What was agreed stays: a process that was created with the model keeps it as it was. */
export const updateSignatureModel = defineCall({
  method: 'POST',
  path: 'api/update-signature-model',
  access,
  body: z.object({ id: z.string(), ...modelFields }),
  reply: ownSignatureModel,
});

export const deleteSignatureModel = defineCall({
  method: 'DELETE',
  path: 'api/delete-signature-model/:id',
  access,
  params: z.object({ id: z.string() }),
  kind: 'empty',
});
