import * as api from '@lavra/api';
import { DomainError } from '@lavra/domain';
import type { Routes } from '../../http/app.ts';
import { limitRateByAddress } from '../../access/limits.store.ts';
import { route } from '../../http/route.ts';
import { initElectronicSignature } from './electronic/init-electronic-signature.ts';
import { getRequisitionInformation } from './get-requisition-information.ts';
import { getSignatureStatus } from './get-signature-status.ts';
import { completeLocalSignature } from './local/complete-local-signature.ts';
import { localSignerKey } from './local/local-signer-request.ts';
import { prepareLocalSignature } from './local/prepare-local-signature.ts';
import { requestLocalCertificate } from './local/request-local-certificate.ts';
import { registerOpened } from './register-opened.ts';
import { rejectSignature } from './reject-signature.ts';

export const signingRoutes: Routes = (app, ctx) => {
  route(app, ctx, api.getRequisitionInformation, async (c, { params, query, facts }) => {
    await limitRateByAddress(c, 'requisition', facts.ip, 600, 300);
    return getRequisitionInformation(c, params.processId, query.user);
  });
  route(app, ctx, api.registerOpened, (c, { params, facts }) => registerOpened(c, params.signerId, facts.ip));
  route(app, ctx, api.getSignatureStatus, (c, { params }) => getSignatureStatus(c, params.processId, params.signerId));
  route(app, ctx, api.createSignatureRejected, (c, { body, facts }) => {
    if (body.signerId === null) throw new DomainError('signer.notFound');
    return rejectSignature(c, { signatureProcessId: body.processId, signerId: body.signerId, cause: body.rejectCause, ip: facts.ip });
  });
  route(app, ctx, api.initEletronicSignature, (c, { body, facts }) =>
    initElectronicSignature(
      c,
      {
        signatureProcessId: body.processId,
        signerId: body.signerId,
        name: body.name,
        cpf: body.cpf,
        consentHash: body.consentHash,
        clientIp: body.signatureEvidence.ip ?? null,
        latitude: body.signatureEvidence.latitude,
        longitude: body.signatureEvidence.longitude,
        accuracy: body.signatureEvidence.accuracy,
        image: body.signatureEvidence.signatureImage,
        style: body.signatureEvidence.signatureStyle ?? 'uploaded',
      },
      facts,
    ),
  );
  route(app, ctx, api.requestLocalCertificate, (c, { body, facts }) => requestLocalCertificate(c, body, facts));
  route(app, ctx, api.prepareLocalSignature, (c, { body, facts }) => prepareLocalSignature(c, body, facts));
  route(app, ctx, api.completeLocalSignature, (c, { body }) => completeLocalSignature(c, body));
  route(app, ctx, api.getLocalSignerKey, (c) => Promise.resolve({ key: localSignerKey(c) }));
  // The evidence was recorded with the act itself; these keep the contract's two calls as acknowledgements.
  route(app, ctx, api.registerSignatureEvidence, () => Promise.resolve());
  route(app, ctx, api.generateEvidencePage, () => Promise.resolve());
};
