import * as api from '@lavra/api';
import type { Routes } from '../../http/app.ts';
import { sendEvents } from '../../http/event-stream.ts';
import { route } from '../../http/route.ts';
import { processAhead } from '../processes/load-process.ts';
import { asSigner } from './as-signer.ts';
import { awaitDrawing } from './await-drawing.ts';
import { askLinkCode } from './ask-link-code.ts';
import { checkSignerCpf } from './check-signer-cpf.ts';
import { confirmLinkCode } from './confirm-link-code.ts';
import { deliverDrawing } from './deliver-drawing.ts';
import { followSigning } from './follow-signing.ts';
import { getAwaitedDrawing } from './get-awaited-drawing.ts';
import { openDrawing } from './open-drawing.ts';
import { correctSigner } from './correct-signer.ts';
import { initElectronicSignature } from './electronic/init-electronic-signature.ts';
import { getRequisitionInformation } from './get-requisition-information.ts';
import { getSignatureStatus } from './get-signature-status.ts';
import { completeLocalSignature } from './local/complete-local-signature.ts';
import { getLocalSignerKey } from './local/get-local-signer-key.ts';
import { prepareLocalSignature } from './local/prepare-local-signature.ts';
import { requestLocalCertificate } from './local/request-local-certificate.ts';
import { registerOpened } from './register-opened.ts';
import { registerSignatureEvidence } from './register-signature-evidence.ts';
import { rejectSignature } from './reject-signature.ts';
import { setSignerLanguage } from './set-signer-language.ts';

export const signingRoutes: Routes = (app, ctx) => {
  route(
    app,
    ctx,
    api.getRequisitionInformation,
    (c, { actor, params }) => getRequisitionInformation(c, actor, params.processId),
    processAhead.shown,
  );
  route(app, ctx, api.registerOpened, (c, { actor }) => registerOpened(c, actor));
  route(app, ctx, api.setSignerLanguage, (c, { actor, body }) => setSignerLanguage(c, actor, body.langKey));
  route(app, ctx, api.checkSignerCpf, (c, { actor, body }) => checkSignerCpf(c, actor, body));
  route(app, ctx, api.awaitDrawing, (c, { actor, body }) => awaitDrawing(c, actor, body.processId));
  route(app, ctx, api.getAwaitedDrawing, (c, { actor, params }) => getAwaitedDrawing(c, actor, params.drawingId));
  route(app, ctx, api.openDrawing, (c, { actor, body }) => openDrawing(c, actor, body.key));
  route(app, ctx, api.deliverDrawing, (c, { actor, body }) => deliverDrawing(c, actor, body));
  route(app, ctx, api.getSignatureStatus, (c, { actor, params }) => getSignatureStatus(c, actor, params.processId));
  route(app, ctx, api.followSigning, async (c, { actor, params, reply }) => {
    sendEvents(reply, await followSigning(c, actor, params.processId));
  });
  route(app, ctx, api.askLinkCode, (c, { actor }) => askLinkCode(c, actor));
  route(app, ctx, api.confirmLinkCode, (c, { actor, body }) => confirmLinkCode(c, actor, body.code));
  route(app, ctx, api.correctSigner, (c, { actor, params, body }) => correctSigner(c, actor, { ...body, ...params }));
  route(app, ctx, api.createSignatureRejected, async (c, { actor, body }) =>
    rejectSignature(c, await asSigner(c, actor, body.processId), { signatureProcessId: body.processId, cause: body.rejectCause }),
  );
  route(
    app,
    ctx,
    api.initEletronicSignature,
    async (c, { actor, body }) =>
      initElectronicSignature(c, await asSigner(c, actor, body.processId), {
        signatureProcessId: body.processId,
        name: body.name,
        cpf: body.cpf,
        consentHash: body.consentHash ?? null,
        clientIp: body.signatureEvidence.ip ?? null,
        latitude: body.signatureEvidence.latitude,
        longitude: body.signatureEvidence.longitude,
        accuracy: body.signatureEvidence.accuracy,
        image: body.signatureEvidence.signatureImage,
        style: body.signatureEvidence.signatureStyle ?? 'uploaded',
      }),
    processAhead.signed,
  );
  route(app, ctx, api.requestLocalCertificate, (c, { actor, body }) => requestLocalCertificate(c, actor, body.processId));
  route(app, ctx, api.prepareLocalSignature, (c, { actor, body }) => prepareLocalSignature(c, actor, body));
  route(app, ctx, api.completeLocalSignature, (c, { actor, body }) => completeLocalSignature(c, actor, body));
  route(app, ctx, api.getLocalSignerKey, (c, { actor }) => getLocalSignerKey(c, actor));
  route(app, ctx, api.registerSignatureEvidence, (c, { actor, body }) => registerSignatureEvidence(c, actor, body));
};
