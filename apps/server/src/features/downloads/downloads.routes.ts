import * as api from '@lavra/api';
import type { Routes } from '../../http/app.ts';
import { sendFile } from '../../http/file-reply.ts';
import { route } from '../../http/route.ts';
import { downloadEvidence } from './download-evidence.ts';
import { downloadOriginal } from './download-original.ts';
import { downloadSignaturePage } from './download-signature-page.ts';
import { downloadSigned } from './download-signed.ts';
import { downloadWithFooter } from './download-with-footer.ts';
import { generateEvidencePage } from './generate-evidence-page.ts';
import { listDownloadItems } from './list-download-items.ts';
import { viewDocument } from './view-document.ts';
import { zipSelection } from './zip-selection.ts';

const ofProcess = ({ processId, documentId }: { processId: string; documentId: string }) => ({ signatureProcessId: processId, documentId });

export const downloadRoutes: Routes = (app, ctx) => {
  route(app, ctx, api.viewDocument, async (c, { actor, params, request, reply }) => {
    sendFile(request, reply, await viewDocument(c, actor, params.documentId), 'inline');
  });
  route(app, ctx, api.downloadOriginal, async (c, { actor, params, request, reply }) => {
    sendFile(request, reply, await downloadOriginal(c, actor, params.id));
  });
  route(app, ctx, api.downloadSignature, async (c, { actor, params, request, reply }) => {
    sendFile(request, reply, await downloadSigned(c, actor, ofProcess(params)));
  });
  route(app, ctx, api.downloadEvidence, async (c, { actor, params, request, reply }) => {
    sendFile(request, reply, await downloadEvidence(c, actor, params.processId));
  });
  route(app, ctx, api.downloadWithFooter, async (c, { actor, params, request, reply }) => {
    sendFile(request, reply, await downloadWithFooter(c, actor, params.id));
  });
  route(app, ctx, api.generateEvidencePage, (c, { actor, body }) => generateEvidencePage(c, actor, body.processId));
  route(app, ctx, api.downloadSignaturePage, async (c, { actor, params, request, reply }) => {
    sendFile(request, reply, await downloadSignaturePage(c, actor, ofProcess(params)));
  });
  route(app, ctx, api.getDownloadItems, (c, { actor, params }) => listDownloadItems(c, actor, params.processId));
  route(app, ctx, api.downloadSelection, async (c, { actor, params, query, reply }) => {
    const zip = await zipSelection(c, actor, { signatureProcessId: params.processId, items: query.items.split(',') });
    void reply
      .header('content-type', 'application/zip')
      .header('content-disposition', 'attachment; filename="assinaturas.zip"')
      .header('cache-control', 'no-store')
      .send(zip);
  });
};
