import * as api from '@lavra/api';
import type { FastifyRequest } from 'fastify';
import type { Routes } from '../../../http/app.ts';
import { answerOpened } from '../../../http/answer-entrance.ts';
import { readDeviceCookie, setDeviceCookie } from '../../../http/device-cookie.ts';
import { route } from '../../../http/route.ts';
import { addPasskey } from './add-passkey.ts';
import { askPasskey } from './ask-passkey.ts';
import { beginPasskeySignIn } from './begin-passkey-sign-in.ts';
import { beginPasskey } from './begin-passkey.ts';
import { beginSecondFactor } from './begin-second-factor.ts';
import { beginTotp } from './begin-totp.ts';
import { confirmTotp } from './confirm-totp.ts';
import { finishPasskeySignIn } from './finish-passkey-sign-in.ts';
import { finishSecondFactor } from './finish-second-factor.ts';
import { finishSignIn } from './finish-sign-in.ts';
import { getSecondFactorPolicy } from './get-second-factor-policy.ts';
import { getSecondFactors } from './get-second-factors.ts';
import { removePasskey } from './remove-passkey.ts';
import { removeTotp } from './remove-totp.ts';
import { renamePasskey } from './rename-passkey.ts';
import { renewBackupCodes } from './renew-backup-codes.ts';
import { resetSecondFactor } from './reset-second-factor.ts';
import { saveSecondFactorPolicy } from './save-second-factor-policy.ts';

export const secondFactorRoutes: Routes = (app, ctx) => {
  const device = (request: FastifyRequest) => readDeviceCookie(ctx, request);
  route(app, ctx, api.finishSignIn, async (c, { actor, body, request, reply }) =>
    answerOpened(c, reply, await finishSignIn(c, actor, { ...body, device: device(request) })),
  );
  route(app, ctx, api.beginSecondFactor, (c, { actor, body, request }) =>
    beginSecondFactor(c, actor, { ...body, device: device(request) }),
  );
  route(app, ctx, api.finishSecondFactor, async (c, { actor, body, request, reply }) => {
    const { opened, backupCodes } = await finishSecondFactor(c, actor, { ...body, device: device(request) });
    return { ...answerOpened(c, reply, opened), backupCodes };
  });
  route(app, ctx, api.beginPasskeySignIn, async (c, { actor, request, reply }) => {
    const { device: kept, ...asked } = await beginPasskeySignIn(c, actor, { device: device(request) });
    setDeviceCookie(c, reply, kept);
    return asked;
  });
  route(app, ctx, api.finishPasskeySignIn, async (c, { actor, body, request, reply }) => {
    const { challenge, passkey, rememberMe = false } = body;
    return answerOpened(c, reply, await finishPasskeySignIn(c, actor, { challenge, passkey, rememberMe, device: device(request) }));
  });
  route(app, ctx, api.getSecondFactors, (c, { actor }) => getSecondFactors(c, actor));
  route(app, ctx, api.askPasskey, (c, { actor }) => askPasskey(c, actor));
  route(app, ctx, api.beginTotp, (c, { actor, body }) => beginTotp(c, actor, body));
  route(app, ctx, api.confirmTotp, (c, { actor, body }) => confirmTotp(c, actor, body));
  route(app, ctx, api.removeTotp, (c, { actor, body }) => removeTotp(c, actor, body));
  route(app, ctx, api.beginPasskey, (c, { actor, body }) => beginPasskey(c, actor, body));
  route(app, ctx, api.addPasskey, (c, { actor, body }) => addPasskey(c, actor, body));
  route(app, ctx, api.renamePasskey, (c, { actor, params, body }) => renamePasskey(c, actor, { ...params, ...body }));
  route(app, ctx, api.removePasskey, (c, { actor, params, body }) => removePasskey(c, actor, { ...params, ...body }));
  route(app, ctx, api.renewBackupCodes, (c, { actor, body }) => renewBackupCodes(c, actor, body));
  route(app, ctx, api.getSecondFactorPolicy, (c, { actor }) => getSecondFactorPolicy(c, actor));
  route(app, ctx, api.saveSecondFactorPolicy, (c, { actor, body }) => saveSecondFactorPolicy(c, actor, body));
  route(app, ctx, api.resetSecondFactor, (c, { actor, params }) => resetSecondFactor(c, actor, { accountId: params.id }));
};
