import { publicAnswer } from '../../public-answer.ts';
import type { Routes } from '../app.ts';
import { sendPublic } from '../send-public.ts';
import { everyCall } from './every-call.ts';
import { describeWire } from './openapi.ts';

/** Where the description of the wire is to be had. */
export const WIRE_PATH = '/v3/api-docs';

/** The description of the wire, for anyone: made when it is first asked for, and the same until the next start. */
export const openApiRoutes: Routes = (app, ctx) => {
  let answer: ReturnType<typeof publicAnswer> | undefined;
  app.get(WIRE_PATH, (request, reply) => {
    answer ??= publicAnswer(
      'application/json; charset=utf-8',
      JSON.stringify(describeWire(everyCall, { url: ctx.publicUrl, version: '1' })),
    );
    return sendPublic(request, reply, answer, 0);
  });
};
