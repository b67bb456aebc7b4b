import { getDefaultElectronicModel } from '@lavra/api';
import { defaultModels } from '@lavra/domain';
import type { Routes } from '../../http/app.ts';
import { route } from '../../http/route.ts';

/** What is built in; one's own models are an entity. */
export const defaultModelRoutes: Routes = (app, ctx) => {
  route(app, ctx, getDefaultElectronicModel, () => Promise.resolve({ id: null, createdDate: null, ...defaultModels.electronic }));
};
