import * as z from 'zod/mini';
import { defineCall } from './call.ts';
import { defineEntity, type EntityItem } from './entity.ts';

/** Lengths in points. */
export const modelFields = {
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

/** What a signature looks like (section 3), everyone's own. What was agreed stays: a process keeps the model as it was when it was created. */
export const signatureModels = defineEntity({
  path: 'signature-models',
  id: 'uuid',
  access: ['ROLE_USER', 'ROLE_ADMIN'],
  written: modelFields,
  read: { createdDate: z.string() },
  sorts: ['name', 'createdDate'],
  named: {
    list: 'get-signature-models-by-user',
    get: 'get-signature-model',
    create: 'create-signature-model',
    update: 'update-signature-model',
    remove: 'delete-signature-model',
  },
  whole: true,
});
export type OwnSignatureModel = EntityItem<typeof signatureModels>;

/** What is drawn where nobody chose a model: `id` and `createdDate` are null. */
export const getDefaultElectronicModel = defineCall({
  method: 'GET',
  path: 'api/get-default-eletronic-signature-model',
  access: 'authenticated',
  reply: z.object({ id: z.nullable(z.string()), ...modelFields, createdDate: z.nullable(z.string()) }),
});
