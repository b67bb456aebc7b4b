import * as api from '@lavra/api';
import type { Routes } from '../../http/app.ts';
import { sendEvents } from '../../http/event-stream.ts';
import { route } from '../../http/route.ts';
import { tellSignerAgain } from './life/tell-signer-again.ts';
import { followProcess } from './reading/follow-process.ts';
import { getProcessStory } from './reading/get-process-story.ts';
import { getProcessTemplate } from './reading/get-process-template.ts';
import { listContacts } from './reading/list-contacts.ts';

export const processPageRoutes: Routes = (app, ctx) => {
  route(app, ctx, api.getProcessStory, (c, { actor, params }) => getProcessStory(c, actor, params.id));
  route(app, ctx, api.followProcess, async (c, { actor, params, reply }) => {
    sendEvents(reply, await followProcess(c, actor, params.id));
  });
  route(app, ctx, api.listContacts, (c, { actor }) => listContacts(c, actor));
  route(app, ctx, api.getProcessTemplate, (c, { actor, params }) => getProcessTemplate(c, actor, params.id));
  route(app, ctx, api.tellSignerAgain, (c, { actor, params, body }) => tellSignerAgain(c, actor, { ...params, as: body.as }));
};
