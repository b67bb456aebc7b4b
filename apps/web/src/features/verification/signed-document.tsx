import { downloadValidated } from '@lavra/api';
import { Suspense, useMemo } from 'react';
import { lazyInTime } from '../../lib/lazy-pages.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { authorizationHeaders, callAddress } from '../../lib/api-client.ts';
import { ViewerPlace } from '../../pdf/viewer-place.tsx';

// The verdict is told before its pages can be drawn.
const PdfViewer = lazyInTime(async () => (await import('../../pdf/pdf-viewer.tsx')).PdfViewer);

interface SignedDocumentProps {
  documentId: string;
  ticket: string;
  name: string;
  /** The file as it came with the answer; null when it is too large for that and is read by ranges. */
  base64: string | null;
  /** The page to go to, each time it is another object. */
  target: { page: number } | null;
}

/** The signed file with its signature page, to be read on the spot. */
export function SignedDocument({ documentId, ticket, name, base64, target }: SignedDocumentProps) {
  const { t } = useTranslation();
  const source = useMemo(() => {
    if (base64 === null) return { url: callAddress(downloadValidated, {}, { documentId, ticket }), headers: authorizationHeaders() };
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    return { file: new File([bytes], name, { type: 'application/pdf' }) };
  }, [base64, documentId, ticket, name]);
  return (
    <section className="viewer-section" aria-label={t('verify.document')}>
      <h2>{t('verify.document')}</h2>
      <Suspense fallback={<ViewerPlace />}>
        <PdfViewer source={source} sourceKey={documentId} toolbar="full" title={name} target={target} />
      </Suspense>
    </section>
  );
}
