import * as api from '@lavra/api';
import { defaultElectronicModel } from '@lavra/domain';
import type { Routes } from '../../http/app.ts';
import { route } from '../../http/route.ts';
import { createSignatureModel } from './create-signature-model.ts';
import { deleteSignatureModel } from './delete-signature-model.ts';
import { getSignatureModel } from './get-signature-model.ts';
import { listModels, type StoredModel } from './signature-models.store.ts';
import { updateSignatureModel } from './update-signature-model.ts';

const reply = ({ createdAt, ...model }: StoredModel): api.OwnSignatureModel => ({ ...model, createdDate: createdAt.toISOString() });

export const signatureModelRoutes: Routes = (app, ctx) => {
  route(app, ctx, api.getSignatureModels, async (c, { actor }) => (await listModels(c, actor.userId)).map(reply));
  route(app, ctx, api.getDefaultElectronicModel, () => Promise.resolve({ id: null, createdDate: null, ...defaultElectronicModel }));
  route(app, ctx, api.getSignatureModel, async (c, { actor, params }) => reply(await getSignatureModel(c, actor.userId, params.id)));
  route(app, ctx, api.createSignatureModel, async (c, { actor, body: { id: _none, ...model } }) =>
    reply(await createSignatureModel(c, actor.userId, model)),
  );
  route(app, ctx, api.updateSignatureModel, async (c, { actor, body: { id, ...model } }) =>
    reply(await updateSignatureModel(c, actor.userId, id, model)),
  );
  route(app, ctx, api.deleteSignatureModel, (c, { actor, params }) => deleteSignatureModel(c, actor.userId, params.id));
};
