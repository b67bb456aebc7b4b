import { downloadOriginal } from '@lavra/api';
import { Suspense, useCallback, useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { callAddress, saveFile } from '../../lib/api-client.ts';
import { lazyInTime } from '../../lib/lazy-pages.ts';
import { lettersAfter } from '../../lib/letters.ts';
import type { PageLayout } from '../../pdf/page-layout.ts';
import type { ViewerTarget } from '../../pdf/pdf-viewer.tsx';
import { ViewerPlace } from '../../pdf/viewer-place.tsx';
import { errorText } from '../../shell/error-text.ts';
import { Notice } from '../../shell/page.tsx';
import { documentSource } from './document-source.ts';
import { DocumentTabs } from './document-tabs.tsx';
import { OwnPlaces } from './own-places.tsx';
import type { SignerInformation } from './signer-information.ts';

/** Apart, and on its way with the page's own script: who is asked to sign, and what, is told before the pages can be drawn. */
const fetchViewer = import('../../pdf/pdf-viewer.tsx');
// That it did not come is told where it is shown.
lettersAfter(fetchViewer.then(({ startReader }) => startReader()));
const Viewer = lazyInTime(async () => (await fetchViewer).PdfViewer);

interface SignerDocumentsProps {
  information: SignerInformation;
  user: string | undefined;
  /** The picture that was chosen for the signature, Base64; null: none yet; undefined: none was asked for. */
  picture: string | null | undefined;
}

/** The files of the process: read, see where one's own signature will stand, take home. */
export function SignerDocuments({ information, user, picture }: SignerDocumentsProps) {
  const { t } = useTranslation();
  const { documents, me, status } = information;
  const isToSign = status === 'IN_PROGRESS' && (me?.status === 'WAITING' || me?.status === 'SENT');
  const [chosen, setChosen] = useState(0);
  const [failure, setFailure] = useState<unknown>(null);
  const [read, setRead] = useState<ReadonlySet<string>>(new Set());
  const { target, next, count, forget } = useOwnPlace(information, setChosen);
  const shown = documents[chosen] ?? documents[0];
  const markRead = useCallback((id: string) => setRead((known) => (known.has(id) ? known : new Set([...known, id]))), []);
  if (!shown) return null;
  const source = documentSource(shown, user);
  async function download({ id, name }: { id: string; name: string }): Promise<void> {
    setFailure(null);
    await saveFile(callAddress(downloadOriginal, { id }, { user }), name).catch(setFailure);
  }
  const places = ownPlaces(information).filter(({ documentId }) => documentId === shown.id);
  const choose = (index: number) => {
    forget();
    setChosen(index);
  };
  return (
    <section className="signing-documents" aria-label={t('word.documents')}>
      <div className="document-head">
        {documents.length > 1 && <DocumentTabs documents={documents} chosen={chosen} read={read} isToSign={isToSign} onChoose={choose} />}
        {count > 0 && (
          <button type="button" className="to-own-place" onClick={next}>
            {t('signer.toOwnPlace')}
          </button>
        )}
      </div>
      {shown.priorSignatures > 0 && <Notice>{t('signer.prior', { count: shown.priorSignatures })}</Notice>}
      <div
        id="document-panel"
        {...(documents.length > 1 ? { role: 'tabpanel', 'aria-labelledby': `document-tab-${documents.indexOf(shown)}` } : {})}
      >
        <Suspense fallback={<ViewerPlace />}>
          <Viewer
            source={source}
            sourceKey={source.url}
            toolbar="reduced"
            title={shown.name}
            target={target?.documentId === shown.id ? target : null}
            onLastPage={() => markRead(shown.id)}
            {...(me && places.length > 0
              ? { overlay: (layout: PageLayout) => <OwnPlaces layout={layout} me={me} places={places} picture={picture} /> }
              : {})}
          />
        </Suspense>
      </div>
      <div className="actions document-acts">
        <button type="button" className="quiet" onClick={() => void download(shown)}>
          {t('signer.download')}
        </button>
      </div>
      {failure !== null && <Notice kind="error">{errorText(failure, t)}</Notice>}
    </section>
  );
}

/** Where the own signature stands, or may still: in a process that ended without it, it will not. */
function ownPlaces({ me, status }: SignerInformation) {
  return me && (me.status === 'SIGNED' || status === 'IN_PROGRESS') ? me.places : [];
}

/** Goes from one place of the own signature to the next, over all documents. */
function useOwnPlace(information: SignerInformation, onDocument: (index: number) => void) {
  const { documents } = information;
  const own = ownPlaces(information);
  const places = documents.flatMap(({ id }) =>
    own.filter(({ documentId }) => documentId === id).toSorted((one, other) => one.page - other.page),
  );
  const [at, setAt] = useState(-1);
  const [target, setTarget] = useState<(ViewerTarget & { documentId: string }) | null>(null);
  function next(): void {
    const index = (at + 1) % places.length;
    const place = places[index];
    if (!place) return;
    setAt(index);
    setTarget({ ...place });
    onDocument(documents.findIndex(({ id }) => id === place.documentId));
  }
  return { target, next, count: places.length, forget: () => setTarget(null) };
}
