import { downloadOriginal, viewDocument } from '@lavra/api';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { authorizationHeaders, callAddress, saveFile } from '../../lib/api-client.ts';
import { PdfViewer } from '../../pdf/pdf-viewer.tsx';
import { errorText } from '../../shell/error-text.ts';
import { Notice } from '../../shell/page.tsx';
import type { SignerInformation } from './signer-information.ts';

/** The files of the process, one at a time: choose, read, take home. */
export function SignerDocuments({ information, user }: { information: SignerInformation; user: string | undefined }) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState(0);
  const [failure, setFailure] = useState<unknown>(null);
  const document = information.documents[chosen] ?? information.documents[0];
  if (!document) return null;
  const address = callAddress(viewDocument, { documentId: document.id }, { user });
  async function download(): Promise<void> {
    setFailure(null);
    if (document) await saveFile(callAddress(downloadOriginal, { id: document.id }, { user }), document.name).catch(setFailure);
  }
  return (
    <section aria-label={t('home.documents')}>
      <div className="actions">
        <label className="grow">
          <span className="legend">{t('signer.document')}</span>
          <select value={chosen} onChange={(event) => setChosen(Number(event.target.value))}>
            {information.documents.map((one, index) => (
              <option key={one.id} value={index}>
                {one.name}
              </option>
            ))}
          </select>
        </label>
        <button type="button" className="align-end" onClick={() => void download()}>
          {t('signer.download')}
        </button>
      </div>
      {failure !== null && <Notice kind="error">{errorText(failure, t)}</Notice>}
      {document.priorSignatures > 0 && <Notice>{t('signer.prior', { count: document.priorSignatures })}</Notice>}
      <div className="viewer-frame">
        <PdfViewer source={{ url: address, headers: authorizationHeaders() }} sourceKey={address} toolbar="reduced" title={document.name} />
      </div>
    </section>
  );
}
