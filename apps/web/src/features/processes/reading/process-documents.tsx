import { type getSubDataProcess, type Reply, viewDocument } from '@lavra/api';
import { Suspense, useState } from 'react';
import { lazyInTime } from '../../../lib/lazy-pages.ts';
import { useTranslation } from '../../../lib/i18n.ts';
import { authorizationHeaders, callAddress } from '../../../lib/api-client.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { ViewerPlace } from '../../../pdf/viewer-place.tsx';

type Document = Reply<typeof getSubDataProcess>['documents'][number];

// The engine is fetched when somebody opens a document.
const PdfViewer = lazyInTime(async () => (await import('../../../pdf/pdf-viewer.tsx')).PdfViewer);

/** The documents of a process; each opens as it stands now. */
export function ProcessDocuments({ documents, canOpen }: { documents: readonly Document[]; canOpen: boolean }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<Document | null>(null);
  return (
    <>
      <ul className="list documents">
        {documents.map((document) => (
          <li key={document.id}>
            <Icon name="document" />
            <span className="told">
              {canOpen ? (
                <button type="button" className="inline-link" onClick={() => setOpen(document)}>
                  {document.name}
                </button>
              ) : (
                document.name
              )}
              <span className="hint">{t('home.pages', { count: document.pageCount })}</span>
              {document.notices.map(({ code, params }) => (
                <span key={code} className="hint">
                  {t(`document.was.${code}`, params)}
                </span>
              ))}
            </span>
          </li>
        ))}
      </ul>
      {open && (
        <Dialog title={open.name} closeLabel={t('dialog.close')} wide onClose={() => setOpen(null)}>
          <Suspense fallback={<ViewerPlace />}>
            <OpenDocument document={open} />
          </Suspense>
        </Dialog>
      )}
    </>
  );
}

function OpenDocument({ document }: { document: Document }) {
  const address = callAddress(viewDocument, { documentId: document.id }, {});
  return (
    <div className="viewer-frame">
      <PdfViewer source={{ url: address, headers: authorizationHeaders() }} sourceKey={address} toolbar="reduced" title={document.name} />
    </div>
  );
}
