import * as api from '@lavra/api';
import type { Routes } from '../../http/app.ts';
import { route } from '../../http/route.ts';
import { cancelProcess } from './life/cancel-process.ts';
import { checkUsageAlert } from './creation/check-usage-alert.ts';
import { beginningAhead, createSignatureProcess, type NewProcessInput } from './creation/create-signature-process.ts';
import { createSigner, type NewSignerInput } from './creation/create-signer.ts';
import { createStakeholder } from './creation/create-stakeholder.ts';
import { getCounters } from './reading/get-counters.ts';
import { getCurrentLink } from './reading/get-current-link.ts';
import { getSubData } from './reading/get-sub-data.ts';
import { listMemberProcesses } from './reading/list-member-processes.ts';
import { listProcesses } from './reading/list-processes.ts';
import { parseInstant } from '../../language/parse-instant.ts';
import { startProcess } from './creation/start-process.ts';
import { processAhead } from './load-process.ts';

export const processRoutes: Routes = (app, ctx) => {
  route(app, ctx, api.getCounterInfos, (c, { actor }) => c.lists((lists) => getCounters(lists, actor)));
  route(app, ctx, api.getProcessesInfos, (c, { actor, query }) =>
    c.lists((lists) =>
      listProcesses(lists, actor, {
        ...(query.page === undefined ? {} : { page: query.page }),
        ...(query.size === undefined ? {} : { size: query.size }),
        ...(query.sortBy === undefined ? {} : { sortBy: query.sortBy }),
        ...(query.direction === undefined ? {} : { direction: query.direction.toLowerCase() as 'asc' | 'desc' }),
        searchText: query.searchText ?? '',
        requested: query.sortRequested === 'true',
        received: query.sortReceived === 'true',
        pending: query.sortPending === 'true',
        ...(query.status === undefined ? {} : { status: query.status }),
      }),
    ),
  );
  route(app, ctx, api.signatureProcessListById, (c, { actor, params, query }) =>
    c.lists((lists) => listMemberProcesses(lists, actor, { userId: params.id, page: query.page, size: query.size })),
  );
  route(app, ctx, api.getSubDataProcess, (c, { actor, params }) => getSubData(c, actor, params.processId), processAhead.shown);
  route(app, ctx, api.getCurrentLinkSignature, (c, { actor, params, query }) =>
    getCurrentLink(c, actor, { signatureProcessId: params.processId, signerId: query.signerId }),
  );
  route(app, ctx, api.cancelProcess, (c, { actor, params }) => cancelProcess(c, actor, params.id));
  // Without a contract there is no plan to exceed.
  route(app, ctx, api.checkUsageAlert, (c, { actor }) => checkUsageAlert(c, actor));
  route(app, ctx, api.createSignatureProcess, (c, { actor, body }) => createSignatureProcess(c, actor, newProcess(body)), beginningAhead);
  route(app, ctx, api.createSigner, (c, { actor, body }) => createSigner(c, actor, newSigner(body)), processAhead.continued);
  route(app, ctx, api.createStakeholder, (c, { actor, body }) => {
    const { name = body.stakeholderName ?? '', email = body.stakeholderEmail ?? '' } = body;
    return createStakeholder(c, actor, { signatureProcessId: body.signatureProcess.id, name, email });
  });
  route(app, ctx, api.startSignatureProcess, (c, { actor, params }) => startProcess(c, actor, params.id), processAhead.started);
};

function newProcess(body: api.Body<typeof api.createSignatureProcess>): NewProcessInput {
  return {
    title: body.title,
    dueDate: parseInstant(body.dueDate ?? null, 'dueDate'),
    reminderIn: body.reminderIn ?? null,
    modality: body.type === null ? null : body.type === 'DIGITAL_SIGNATURE' ? 'digital' : 'electronic',
    documentIds: body.files.map(({ id }) => id),
    createdByFront: body.createdByFront ?? false,
    awaitsStart: body.awaitsStart ?? false,
    geolocation: body.geolocation ?? 'required',
    langKey: body.langKey,
    tellStakeholders: body.tellStakeholders ?? true,
  };
}

/** Both shapes of the wire; a signer alone signs without being seen. */
function newSigner(body: api.Body<typeof api.createSigner>): NewSignerInput {
  const { signer, ...shown } =
    'signer' in body
      ? body
      : { signer: { ...body, quantity: undefined }, signatureVisibleActive: false, visibleSignature: [], modelId: undefined };
  return {
    signatureProcessId: signer.signatureProcess.id,
    name: signer.name,
    email: signer.email,
    phoneNumber: signer.phoneNumber ?? null,
    legalIdentifier: signer.legalIdentifier ?? null,
    companyIdentifier: signer.companyIdentifier ?? null,
    order: signer.order,
    dueDate: parseInstant(signer.dueDate ?? null, 'dueDate'),
    quantity: signer.quantity ?? 1,
    visible: shown.signatureVisibleActive,
    placements: shown.visibleSignature,
    modelId: shown.modelId ?? null,
  };
}
